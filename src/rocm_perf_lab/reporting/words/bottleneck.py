"""What holds kernels back, in few words."""

from __future__ import annotations

from rocm_perf_lab.analysis.bottleneck import RULES, UNKNOWN
from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument, KernelAnalysis


def labels(analysis: AnalysisDocument | None) -> dict[str, str]:
    """Kernel -> its label in one word; empty where none is known of any."""
    if analysis is None or all(kernel.bottleneck.label == UNKNOWN.label for kernel in analysis.kernels):
        return {}
    return {kernel.name: RULES[kernel.bottleneck.label].short for kernel in analysis.kernels}


def held_back(kernel: KernelAnalysis) -> str:
    """The label, how sure it is, what speaks for it and what there is to gain; empty where unknown."""
    found = kernel.bottleneck
    if found.label == UNKNOWN.label:
        return ""
    text = f"{found.label} (certainty {found.certainty})"
    if found.evidence:
        text += f": {found.evidence[0].statement}"
    if kernel.headroom is not None:
        text += f"; at most {kernel.headroom.speedup:.1f}x faster ({kernel.headroom.ceiling})"
    return text
