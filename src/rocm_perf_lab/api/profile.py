"""Profiles a program, as ``rocm-perf profile`` does."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Literal

from rocm_perf_lab.api.arguments.progress import AnyProgress, progress_of
from rocm_perf_lab.api.arguments.values import (
    AnyPath,
    Program,
    at_least,
    command_of,
    kernel_pattern,
    path_of,
    positive,
)
from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.profiling.profiled import Profiled
    from rocm_perf_lab.reporting.run_documents import RunDocuments as Documents


def profile(
    program: Program,
    *,
    runs: int = 3,
    warmup: int = 0,
    roofline: bool = False,
    memory_bandwidth_gbps: float | None = None,
    clock_mhz: float | None = None,
    flop_model: Literal["typed", "valu-width"] | None = None,
    focus_critical: bool = False,
    deep_analysis: bool = False,
    kernel: str | None = None,
    rocprof: bool = True,
    out: AnyPath | None = None,
    device: str | None = None,
    timeout: float | None = None,
    debug: bool = False,
    quiet: bool = False,
    progress: AnyProgress = None,
) -> Run:
    """Run a program under rocprofv3 and say where its GPU time goes.

    Keywords are the options of ``rocm-perf profile``: ``runs`` timing passes after ``warmup`` runs that are
    not timed; ``roofline`` collects counters, ``focus_critical`` the critical path, ``deep_analysis`` the
    waves of the kernel that matters, each in further passes; ``kernel`` is a regular expression over names;
    ``rocprof=False`` takes the wall time of the process only; ``out`` is a new run folder (else one below
    ``.rocm-perf``); ``timeout`` is in seconds, of each pass; ``quiet`` skips checks of the documents and what
    only they need. What was collected before an error is in the folder that the error names (``collected``).
    """
    at_least(1, runs=runs)
    at_least(0, warmup=warmup)
    positive(memory_bandwidth_gbps=memory_bandwidth_gbps, clock_mhz=clock_mhz, timeout=timeout)
    _check_roofs(roofline, memory_bandwidth_gbps, clock_mhz, flop_model)
    if not rocprof:
        _check_without_gpu(roofline, focus_critical, deep_analysis, kernel)
    kernel_pattern(kernel)

    from rocm_perf_lab.profiling.request import ProfileRequest, RooflineRequest

    request = ProfileRequest(
        command=command_of(program, "profile"),
        runs=runs,
        warmup=warmup,
        counters=roofline,
        focus_critical=focus_critical,
        deep_analysis=deep_analysis,
        roofline=RooflineRequest(flop_model or "typed", memory_bandwidth_gbps, clock_mhz),
        kernel_filter=kernel,
        out=path_of(out),
        device=device,
        timeout_s=timeout,
        debug=debug,
        quiet=quiet,
    )
    if rocprof:
        from rocm_perf_lab.profiling.measure import measure as take
    else:
        from rocm_perf_lab.profiling.wall_time import measure_wall_time as take
    with progress_of(progress) as reported:
        return _run_of(take(request, datetime.now(timezone.utc), reported))


def _run_of(profiled: Profiled) -> Run:
    def documents() -> Documents:
        from rocm_perf_lab.reporting.run_documents import read_run

        return read_run(profiled.folder)

    return Run(profiled.folder, profiled.profile, profiled.analysis, documents, profiled.text)


def _check_roofs(
    roofline: bool, memory_bandwidth_gbps: float | None, clock_mhz: float | None, flop_model: str | None
) -> None:
    roofs = {
        "--memory-bandwidth-gbps": memory_bandwidth_gbps,
        "--clock-mhz": clock_mhz,
        "--flop-model": flop_model,
    }
    for name, value in roofs.items():
        if value is not None and not roofline:
            raise UsageProblem(f"{name} has a meaning with --roofline only", "add --roofline")


def _check_without_gpu(roofline: bool, focus_critical: bool, deep_analysis: bool, kernel: str | None) -> None:
    of_the_gpu = {
        "--roofline": roofline,
        "--focus-critical": focus_critical,
        "--deep-analysis": deep_analysis,
        "--kernel": kernel is not None,
    }
    for name, given in of_the_gpu.items():
        if given:
            raise UsageProblem(
                f"--no-rocprof says nothing of the GPU; {name} asks for it", "give one of them"
            )
