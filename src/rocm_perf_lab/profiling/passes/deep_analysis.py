"""Deep analysis: a pass of its own in which rocprofv3 traces the waves of the kernel that matters.

One dispatch of each shape is traced. What comes of it explains a kernel; how long the kernel takes is said by
the timing passes alone, because a traced dispatch runs under other conditions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rocm_perf_lab.analysis.att.analyze import TraceContext
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument
from rocm_perf_lab.contracts.profiling.dag import DagDocument
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.profiling.documents.thread_traces import analyze_trace, document_of
from rocm_perf_lab.profiling.folder.run_folder import RunFolder
from rocm_perf_lab.profiling.passes.failures import check, how_it_ended
from rocm_perf_lab.profiling.passes.rocprof_options import (
    KERNEL_INCLUDE,
    KERNEL_ITERATIONS,
    KERNEL_TRACE,
    THREAD_TRACE,
    THREAD_TRACE_UNIT,
)
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof, last_words
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.rocpd.dispatch_order import DatabaseDispatch, Shape, dispatches_of
from rocm_perf_lab.rocpd.read import find_databases
from rocm_perf_lab.rocpd.rows import Trace
from rocm_perf_lab.thread_trace.folder import open_trace
from rocm_perf_lab.thread_trace.rows import ThreadTrace

DOCUMENT = "att.json"
ATT = "att"  # folder of the passes, in the run folder
# Traces are large and take long: of a kernel with more shapes, those that take most time are traced.
MOST_SHAPES = 4
# The compute unit, of each selected shader engine, that rocprofv3 traces if it is not told.
FIRST_UNIT = 1
# Another unit is tried when no wave came to the first.
MOST_PASSES = 3
_SPECIAL = frozenset(".^$*+?()[]{}|\\")


@dataclass
class DeepAnalysis:
    """What the passes gave. It never fails a profile: what is missing says why."""

    kernel: str
    by_shape: dict[Shape, AttAnalysis] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def document(self) -> AttDocument:
        return document_of(tuple(self.by_shape.values()), self.warnings)


def analyze_deeply(
    kernel: str, timing: Trace, rocprof: Rocprof, folder: RunFolder, progress: Progress
) -> DeepAnalysis:
    """Traces a kernel (by its demangled name) in the shapes that it had in a timing pass of this run."""
    databases = [Path(source) for source in timing.sources]
    tracer = Tracer(rocprof, folder, progress, wave_slots_of(kernel, timing))
    return tracer.trace(kernel, shapes_of(kernel, timing), databases)


def write_deep_analysis(
    timing: Trace,
    dag: DagDocument | None,
    kernel_filter: str | None,
    rocprof: Rocprof,
    folder: RunFolder,
    progress: Progress,
) -> DeepAnalysis | None:
    """Traces the kernel that matters and writes att.json; None where no kernel was asked for."""
    from rocm_perf_lab.contracts.documents import to_json

    kernel = kernel_that_matters(timing, dag, kernel_filter)
    if kernel is None:
        return None
    found = analyze_deeply(kernel, timing, rocprof, folder, progress)
    folder.write(DOCUMENT, to_json(found.document))
    return found


@dataclass(frozen=True)
class Tracer:
    """With what, where and on what the passes are made."""

    rocprof: Rocprof
    folder: RunFolder
    progress: Progress
    wave_slots_per_simd: int | None = None

    def trace(self, kernel: str, shapes: Sequence[Shape], timing_databases: Sequence[Path]) -> DeepAnalysis:
        """One dispatch of each shape, the most important first.

        ``timing_databases`` are those of one timing pass: they tell which launches have which shape.
        """
        result = DeepAnalysis(kernel)
        chosen = _chosen(kernel, shapes, timing_databases, result.warnings)
        unit = FIRST_UNIT
        for number in range(1, MOST_PASSES + 1):
            left = {shape: chosen[shape] for shape in chosen if not _has_waves(result.by_shape.get(shape))}
            if not left:
                break
            iterations = [dispatch.iteration for dispatch in left.values()]
            place = self._run(number, kernel, iterations, unit, result.warnings)
            if place is None:
                break
            other = self._read(place, kernel, left, result)
            if other is None or other == unit:
                break
            unit = other
        for shape in chosen:
            if shape not in result.by_shape:
                result.warnings.append(f"no thread trace of {kernel} with {_text(shape)} was written")
        result.by_shape = {shape: result.by_shape[shape] for shape in chosen if shape in result.by_shape}
        return result

    def _run(
        self, number: int, kernel: str, iterations: Iterable[int], unit: int, warnings: list[str]
    ) -> Path | None:
        """One execution of the program with some launches of the kernel traced; None when it failed."""
        name = f"{ATT}-{number}"
        self.progress.plan(1)
        self.progress.begin("thread trace" if number == 1 else f"thread trace again, on compute unit {unit}")
        place = self.folder.path / ATT / f"pass-{number}"
        chosen = ",".join(str(iteration) for iteration in sorted(set(iterations)))
        options = [THREAD_TRACE, THREAD_TRACE_UNIT, str(unit), KERNEL_TRACE]
        options += [KERNEL_INCLUDE, exactly(kernel), KERNEL_ITERATIONS, f"[{chosen}]"]
        logs = (self.folder.log(name, "stdout"), self.folder.log(name, "stderr"))
        outcome = self.rocprof.run(options, place, logs, self.progress.ticker)
        if outcome.interrupted:
            check(outcome, name, traced=True)
        problem = _problem(outcome)
        if problem:
            warnings.append(f"the thread trace of {kernel} failed: {problem}")
        return None if problem else place

    def _read(
        self, place: Path, kernel: str, left: Mapping[Shape, DatabaseDispatch], result: DeepAnalysis
    ) -> int | None:
        """Takes in the traces of a pass; a unit that had waves, where the traced one had none."""
        shapes: dict[int, set[Shape]] = {}
        # Without a database of its own, dispatches are taken to be numbered as in the timing pass.
        for dispatch in list(dispatches_of(kernel, find_databases(place))) or left.values():
            shapes.setdefault(dispatch.number, set()).add(dispatch.shape)
        units: Counter[int] = Counter()
        for path in sorted(place.rglob("ui_output*")):
            if not path.is_dir():
                continue
            try:
                trace = open_trace(path)
                shape = _only(shapes.get(trace.dispatch or -1, set()), left)
                if shape is None or _has_waves(result.by_shape.get(shape)):
                    continue
                known = TraceContext(self.wave_slots_per_simd, shape.grid, shape.workgroup)
                found = analyze_trace(path, known)
                missing = {name: reason for name, reason in found.missing.items() if name != "kernel"}
                result.by_shape[shape] = replace(
                    found, folder=self.folder.relative(path), kernel=kernel, missing=missing
                )
            except BadInput as problem:
                result.warnings.append(f"a thread trace of {kernel} cannot be read: {problem.cause}")
                continue
            if not trace.manifest.waves:
                units += _units(trace)
        return units.most_common(1)[0][0] if units else None


def kernel_that_matters(timing: Trace, dag: DagDocument | None, kernel_filter: str | None) -> str | None:
    """The kernel to trace: the one with most time on the critical path, or without that most time at all."""
    time: Counter[str] = Counter()
    for launches in timing.launches:
        if kernel_filter is None or re.search(kernel_filter, launches.key.kernel):
            time[launches.key.kernel] += launches.total_ns
    on_path = (one.name for one in dag.kernels if one.on_path_ns and one.name in time) if dag else iter(())
    return next(on_path, None) or next((name for name, _ in time.most_common(1)), None)


def shapes_of(kernel: str, trace: Trace) -> list[Shape]:
    """The shapes in which a kernel was launched, those that took most time first."""
    time: Counter[Shape] = Counter()
    for launches in trace.launches:
        key = launches.key
        if key.kernel == kernel:
            time[Shape(key.grid, key.workgroup, key.lds_bytes)] += launches.total_ns
    return [shape for shape, _ in time.most_common()]


def wave_slots_of(kernel: str, trace: Trace) -> int | None:
    """Wave slots on a SIMD of the GPU on which the kernel ran; None where it ran on several kinds."""
    used = {launches.key.agent for launches in trace.launches if launches.key.kernel == kernel}
    slots = {agent.max_waves_per_simd for agent in trace.agents if agent.index in used}
    return slots.pop() if len(slots) == 1 else None


def _chosen(
    kernel: str, shapes: Sequence[Shape], databases: Sequence[Path], warnings: list[str]
) -> dict[Shape, DatabaseDispatch]:
    """For each shape the launch to trace: the second where there is one; the first finds caches cold."""
    launches: dict[Shape, list[DatabaseDispatch]] = {}
    for dispatch in dispatches_of(kernel, databases):
        launches.setdefault(dispatch.shape, []).append(dispatch)
    found = [shape for shape in dict.fromkeys(shapes) if shape in launches]
    if not found:
        warnings.append(f"{kernel} was not launched in the timing pass in the shapes that were asked for")
    if len(found) > MOST_SHAPES:
        warnings.append(
            f"{kernel} has {len(found)} shapes; {MOST_SHAPES} are traced, from the most important on"
        )
    return {shape: launches[shape][:2][-1] for shape in found[:MOST_SHAPES]}


def exactly(name: str) -> str:
    """A regular expression, the same for Python and ECMAScript, that only this name matches."""
    return "^" + "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in name) + "$"


def _only(found: set[Shape], left: Mapping[Shape, DatabaseDispatch]) -> Shape | None:
    """The shape of a dispatch, if its number leaves no doubt: processes count their dispatches each."""
    return next(iter(found)) if len(found) == 1 and found <= left.keys() else None


def _has_waves(analysis: AttAnalysis | None) -> bool:
    return analysis is not None and analysis.waves > 0


def _units(trace: ThreadTrace) -> Counter[int]:
    """How many waves came to each compute unit."""
    return Counter(cu for engine in trace.lives for cu in engine.cu[engine.starts != 0].tolist())


def _problem(outcome: ProcessOutcome) -> str | None:
    if outcome.succeeded:
        return None
    said = last_words(outcome.stderr)
    ended = (
        f"it was stopped after {outcome.wall_s:.1f} s (--timeout)"
        if outcome.timed_out
        else f"rocprofv3 {how_it_ended(outcome.exit_code)}"
    )
    return ended + (f": {said}" if said else "")


def _text(shape: Shape) -> str:
    grid, block = ("x".join(map(str, extent)) for extent in (shape.grid, shape.workgroup))
    return f"grid {grid}, block {block}, {shape.lds_bytes} bytes of LDS"
