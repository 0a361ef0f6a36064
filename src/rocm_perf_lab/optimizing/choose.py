"""Which kernel of a run to work on, and what is known of it, from the run's documents and the source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rocm_perf_lab.contracts.changes.proposal import Attempt
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument, KernelAnalysis
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.errors import NoKernels
from rocm_perf_lab.optimizing.proposers.interface import Situation
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.match import find_kernel
from rocm_perf_lab.optimizing.source.model import SourceKernel, Unit
from rocm_perf_lab.optimizing.transforms.request import LaunchEvidence


@dataclass(frozen=True)
class Ranked:
    """Kernels of a run that the source has, most to gain first, and those that it does not have."""

    found: tuple[tuple[KernelProfile, SourceKernel], ...]
    left_out: tuple[tuple[str, Refusal], ...]


def rank_kernels(
    profile: ProfileDocument, analysis: AnalysisDocument | None, unit: Unit, pattern: re.Pattern[str] | None
) -> Ranked:
    """By what the whole would gain, where the critical path is known; else by their time."""
    analysed = {kernel.name: kernel for kernel in analysis.kernels} if analysis else {}
    wanted = [kernel for kernel in profile.kernels if pattern is None or pattern.search(kernel.name)]
    if not wanted:
        what = f"matches {pattern.pattern!r}" if pattern else "is in the profile"
        raise NoKernels(f"no kernel {what}", "leave out --kernel, or profile the program again")
    found: list[tuple[KernelProfile, SourceKernel]] = []
    left_out: list[tuple[str, Refusal]] = []
    for kernel in sorted(wanted, key=lambda each: (-_gain(each, analysed.get(each.name)), each.name)):
        definition = _definition(unit, kernel.name)
        if isinstance(definition, SourceKernel):
            found.append((kernel, definition))
        else:
            left_out.append((kernel.name, definition))
    return Ranked(tuple(found), tuple(left_out))


def _definition(unit: Unit, name: str) -> SourceKernel | Refusal:
    try:
        return find_kernel(unit, name)
    except Refused as problem:
        return problem.refusal


def situation_of(
    profile: ProfileDocument,
    analysis: AnalysisDocument | None,
    att: AttDocument | None,
    chosen: tuple[KernelProfile, SourceKernel],
    *,
    allowed: frozenset[str] = frozenset(),
    attempts: Sequence[Attempt] = (),
    evidence: LaunchEvidence | None = None,
) -> Situation:
    kernel_profile, kernel = chosen
    name = kernel_profile.name
    return Situation(
        kernel=kernel,
        analysis=next((each for each in analysis.kernels if each.name == name), None) if analysis else None,
        profile=kernel_profile,
        att=_traced(att, name),
        evidence=evidence or LaunchEvidence(block_sizes=block_sizes(kernel_profile)),
        allowed=allowed,
        attempts=tuple(attempts),
        device=f"{profile.gpu.name} ({profile.gpu.architecture})" if profile.gpu else None,
    )


def block_sizes(kernel: KernelProfile) -> tuple[int, ...]:
    """Threads of the workgroups that the profile saw."""
    return tuple(sorted({group.block[0] * group.block[1] * group.block[2] for group in kernel.groups}))


def _gain(kernel: KernelProfile, analysis: KernelAnalysis | None) -> float:
    if analysis is not None and analysis.criticality is not None:
        gain = analysis.criticality.gain_at_2x_ms
        return analysis.criticality.on_path_ms / 2 if gain is None else gain
    return kernel.total_ms / 2


def _traced(att: AttDocument | None, name: str) -> AttAnalysis | None:
    return next((each for each in att.dispatches if each.kernel == name), None) if att else None
