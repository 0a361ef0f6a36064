"""What to look at next, from the figures of a profile: few lines, the most telling first."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.reporting.words.figures import count, duration, percent

# Where these lines speak up. They order attention; nothing is computed from them.
NEAR_A_ROOF = 0.8
LOW_OCCUPANCY = 0.5
MUCH_LESS = 0.5
SHORT_LAUNCH_MS = 0.01
MANY_LAUNCHES = 100
WORTH_A_LINE = 0.1  # share of GPU time that a kernel needs to be spoken of


def next_steps(profile: ProfileDocument, analysis: AnalysisDocument | None = None) -> list[str]:
    return list(dict.fromkeys(_steps(profile, analysis)))


def _steps(profile: ProfileDocument, analysis: AnalysisDocument | None) -> Iterator[str]:
    busy = _busy(analysis) if analysis else frozenset()
    scatter = profile.stability or profile.wall_ms
    if scatter and scatter.classification == "unstable":
        yield "the runs scatter: " + "; ".join(scatter.advice)
    for kernel in profile.kernels[:3]:
        if kernel.share >= WORTH_A_LINE:
            yield from _of_kernel(kernel, busy=kernel.name in busy)
    if profile.kernels and profile.roofline is None:
        yield "rocm-perf profile --roofline says whether compute or memory bounds the kernels"


def _busy(analysis: AnalysisDocument) -> frozenset[str]:
    """Kernels that follow others so closely that launching them costs little."""
    return frozenset(
        kernel.name
        for kernel in analysis.kernels
        if kernel.figures.outside is not None and kernel.figures.outside < analysis.thresholds["outside"]
    )


def _of_kernel(kernel: KernelProfile, *, busy: bool) -> Iterator[str]:
    name = "{" + kernel.name + "}"  # shortened where it is shown
    spills = kernel.resources.vgpr_spills or 0
    if spills:
        yield f"{name} spills {count(spills, 'VGPR')} to memory: use fewer live values, or smaller tiles"
    occupied = kernel.occupancy
    idle = list(_of_idle_slots(occupied, name))
    yield from idle or _of_roofline(kernel, name)
    step = occupied.next_step if occupied else None
    if occupied and step and occupied.theoretical is not None and occupied.theoretical < LOW_OCCUPANCY:
        yield f"{name} occupancy: {step.change}"
    if kernel.launches >= MANY_LAUNCHES and kernel.mean_ms < SHORT_LAUNCH_MS and not busy:
        yield (
            f"{name} runs {kernel.launches} times for {duration(kernel.mean_ms)}: launches cost as much; "
            "fuse them or use a graph"
        )


def _of_idle_slots(occupied: Occupancy | None, name: str) -> Iterator[str]:
    if occupied is None or occupied.achieved is None or occupied.theoretical is None:
        return
    if occupied.achieved < MUCH_LESS * occupied.theoretical:
        taken, possible = percent(occupied.achieved), percent(occupied.theoretical)
        yield (
            f"{name} takes {taken} of the wave slots where {possible} could be: launch more workgroups, or "
            "even out their work"
        )


def _of_roofline(kernel: KernelProfile, name: str) -> Iterator[str]:
    roofline = kernel.roofline
    if roofline is None or roofline.share_of_roof is None or roofline.bound_by is None:
        return
    near = percent(roofline.share_of_roof)
    if roofline.share_of_roof >= NEAR_A_ROOF:
        less = "fewer bytes" if roofline.bound == "memory" else "fewer operations"
        yield f"{name} is at {near} of {roofline.bound_by}: only {less} make it faster"
    else:
        yield (
            f"{name} is at {near} of its nearest roof ({roofline.bound_by}): latency, or too little work in "
            "flight, holds it back"
        )
