"""dag.json of a run folder: the critical path, from a trace with the host's calls where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.errors import BadInput, NoKernels
from rocm_perf_lab.profiling.folder.run_folder import TIMING, RunFolder
from rocm_perf_lab.profiling.folder.unfinished import read_mark
from rocm_perf_lab.profiling.passes.failures import check, how_it_ended
from rocm_perf_lab.profiling.passes.rocprof_options import HIP_RUNTIME_TRACE, KERNEL_TRACE, MEMORY_COPY_TRACE
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof, last_words
from rocm_perf_lab.rocpd.sources import find_databases

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.dag import DagDocument
    from rocm_perf_lab.contracts.section import Origin
    from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome
    from rocm_perf_lab.profiling.progress import Progress
    from rocm_perf_lab.rocpd.timeline.rows import Timeline

DOCUMENT = "dag.json"
PASS = "critical-path"  # folder of the pass below, in the run folder
# What that pass traces. Its times are its own: tracing calls costs the host time, so runtime_ms stays that of
# the timing passes.
TRACE_OPTIONS = (KERNEL_TRACE, MEMORY_COPY_TRACE, HIP_RUNTIME_TRACE)


@dataclass
class CriticalPath:
    """What the pass gave. It never fails a profile: what is missing says why."""

    document: DagDocument | None = None
    warnings: list[str] = field(default_factory=list)


def trace_critical_path(
    rocprof: Rocprof, folder: RunFolder, origin: Origin, progress: Progress
) -> CriticalPath:
    """Runs the program once more, with the host's calls traced, and writes dag.json.

    Where that pass gives nothing, the kernels of the first timing pass have to do.
    """
    found = CriticalPath()
    progress.plan(1)
    progress.begin("critical path")
    place = folder.path / PASS
    logs = (folder.log(PASS, "stdout"), folder.log(PASS, "stderr"))
    outcome = rocprof.run(TRACE_OPTIONS, place, logs, progress.ticker)
    if outcome.interrupted:
        check(outcome, PASS, traced=True)
    databases = find_databases(place)
    if not (outcome.succeeded and databases):
        said = last_words(outcome.stderr)
        found.warnings.append(
            f"the pass that traces calls {_how(outcome)}: the critical path is of kernels alone"
            + (f" ({said})" if said else "")
        )
        databases = find_databases(folder.timing_pass(1))
    try:
        found.document = write_dag(folder.path, databases, origin)
    except (BadInput, NoKernels) as problem:
        found.warnings.append(f"there is no critical path: {problem.cause}")
    return found


def _how(outcome: ProcessOutcome) -> str:
    if outcome.timed_out:
        return f"was stopped after {outcome.wall_s:.1f} s (--timeout)"
    return "wrote no database" if outcome.succeeded else how_it_ended(outcome.exit_code)


def write_dag(
    run_folder: Path, databases: Sequence[Path] | None = None, origin: Origin | None = None
) -> DagDocument:
    """Finds the critical path of one execution and writes it into the run folder.

    ``databases``: of that execution; else those that the run folder has (see ``databases_of``).
    """
    from rocm_perf_lab.analysis.critical_path.summary import dag_document
    from rocm_perf_lab.contracts.documents import to_json

    document = dag_document(read_execution(databases or [run_folder]), origin)
    below = tuple(_relative(Path(name), run_folder) for name in document.databases)
    document = replace(document, databases=below)
    RunFolder(run_folder).write(DOCUMENT, to_json(document))
    return document


def read_execution(paths: Sequence[Path]) -> Timeline:
    """The timeline of what was given: a run folder, a folder of rocprofv3, or databases."""
    from rocm_perf_lab.rocpd.timeline.rows import read_timeline

    timeline = read_timeline(databases_of(paths))
    if not len(timeline.works):
        raise NoKernels("the trace has no kernel and no copy", "give a trace of a program that uses the GPU")
    return timeline


def databases_of(paths: Sequence[Path]) -> Sequence[Path]:
    """Of a run folder the pass that traced the host's calls, else its first timing pass; else the paths."""
    if len(paths) != 1 or not (paths[0] / TIMING).is_dir():
        return paths
    mark = read_mark(paths[0])  # of a run that was interrupted, maybe in that pass
    whole = mark is None or "critical path" not in mark.further
    if whole and any((paths[0] / PASS).rglob("*.db")):
        return [paths[0] / PASS]
    return [RunFolder(paths[0]).timing_pass(1)]


def _relative(path: Path, folder: Path) -> str:
    try:
        return str(path.absolute().relative_to(folder.absolute()))
    except ValueError:
        return str(path)
