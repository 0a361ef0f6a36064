"""Analyses many traces, wherever the executor puts them, and sums up."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.analyses import AnalysedTrace, AnalysesDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.errors import Interrupted
from rocm_perf_lab.executors.executor import Executor
from rocm_perf_lab.executors.run_all import run_all
from rocm_perf_lab.trace_batch.task import TraceResult, TraceTask

NAME = "analyses.json"
_FIGURES = ("folder", "gpu", "runs", "gpu_time_ms", "kernels", "hottest", "share", "warnings")

Tell = Callable[[TraceTask, TraceResult, int, int], None]
"""Is told each task and its result, how many there are by now, and how many there will be."""


def make_tasks(traces: Sequence[Path], folder: Path, options: tuple[str, ...]) -> list[TraceTask]:
    return [
        TraceTask(number=number, trace=trace.absolute(), folder=place, options=options)
        for number, (trace, place) in enumerate(zip(traces, _places(traces, folder), strict=True), 1)
    ]


def _places(traces: Sequence[Path], folder: Path) -> list[Path]:
    """A folder for each, called as the trace is; names that several have get a number."""
    taken: dict[str, int] = {}
    places = []
    for trace in traces:
        name = re.sub(r"[^\w.+-]+", "_", trace.absolute().name.removesuffix(".db")) or "trace"
        taken[name] = taken.get(name, 0) + 1
        places.append(folder / (name if taken[name] == 1 else f"{name}-{taken[name]}"))
    return places


def analyze_each(
    tasks: Sequence[TraceTask], folder: Path, executor: Executor[TraceTask, TraceResult], tell: Tell
) -> AnalysesDocument:
    began = time.monotonic()
    by_number = {task.number: task for task in tasks}
    results: dict[int, TraceResult] = {}
    try:
        for result in run_all(executor, tasks):
            results[result.number] = result
            tell(by_number[result.number], result, len(results), len(tasks))
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {len(results)} of {len(tasks)} traces", collected=str(folder)
        ) from None
    traces = tuple(_summed_up(task, results[task.number], folder) for task in tasks)
    errors = [trace.error for trace in traces if trace.error is not None]
    return AnalysesDocument(
        traces=traces,
        analysed=len(traces) - len(errors),
        failed=len(errors),
        exit_code=errors[0].exit_code if errors else 0,
        machines=executor.machines(),
        seconds=time.monotonic() - began,
    )


def _summed_up(task: TraceTask, result: TraceResult, folder: Path) -> AnalysedTrace:
    if result.folder is None:
        return AnalysedTrace(
            origin="derived",
            missing=dict.fromkeys(_FIGURES, "the analysis failed"),
            trace=str(task.trace),
            folder=None,
            gpu=None,
            runs=None,
            gpu_time_ms=None,
            kernels=None,
            hottest=None,
            share=None,
            warnings=None,
            error=result.error,
            seconds=result.seconds,
            host=result.host,
        )
    file = result.folder / "profile.json"
    profile = from_json(ProfileDocument, file.read_bytes(), str(file))
    stability, kernel = profile.stability, profile.kernel
    missing = {"error": "there is none"}
    for name, absent, source in (
        ("gpu", profile.gpu is None, "gpu"),
        ("runs", stability is None, "stability"),
        ("gpu_time_ms", profile.runtime_ms is None, "runtime_ms"),
        ("hottest", kernel is None, "kernel"),
        ("share", kernel is None, "kernel"),
    ):
        if absent:
            missing[name] = profile.missing.get(source, "the trace does not tell")
    return AnalysedTrace(
        origin=profile.origin,
        missing=missing,
        trace=str(task.trace),
        folder=str(result.folder.relative_to(folder)),
        gpu=profile.gpu.name if profile.gpu is not None else None,
        runs=stability.runs if stability is not None else None,
        gpu_time_ms=profile.runtime_ms,
        kernels=len(profile.kernels),
        hottest=kernel.name if kernel is not None else None,
        share=kernel.share if kernel is not None else None,
        warnings=len(profile.warnings),
        unfinished=profile.unfinished,
        error=None,
        seconds=result.seconds,
        host=result.host,
    )
