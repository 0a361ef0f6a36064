"""What holds kernels back, in few words."""

from __future__ import annotations

from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument, KernelAnalysis
from rocm_perf_lab.contracts.profiling.bottleneck import Label

# Labels that fit a column.
_SHORT: dict[Label, str] = {
    "memory-bandwidth bound": "memory",
    "compute-throughput limited": "compute",
    "divergence limited": "lanes off",
    "LDS bound": "LDS",
    "instruction-issue bound": "issue",
    "latency bound": "latency",
    "under-occupied": "few waves",
    "launch bound": "launches",
    "unknown": "unknown",
}


def labels(analysis: AnalysisDocument | None) -> dict[str, str]:
    """Kernel -> its label in one word; empty where none is known of any."""
    if analysis is None or all(kernel.bottleneck.label == "unknown" for kernel in analysis.kernels):
        return {}
    return {kernel.name: _SHORT[kernel.bottleneck.label] for kernel in analysis.kernels}


def held_back(kernel: KernelAnalysis) -> str:
    """The label, how sure it is, what speaks for it and what there is to gain; empty where unknown."""
    found = kernel.bottleneck
    if found.label == "unknown":
        return ""
    text = f"{found.label} (certainty {found.certainty})"
    if found.evidence:
        text += f": {found.evidence[0].statement}"
    if kernel.headroom is not None:
        text += f"; at most {kernel.headroom.speedup:.1f}x faster ({kernel.headroom.ceiling})"
    return text
