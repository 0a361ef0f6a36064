"""Traces that were saved before, as the documents that ``rocm-perf profile`` would have written."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument
from rocm_perf_lab.contracts.profiling.profile import Pass, ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.errors import BadInput, NoKernels
from rocm_perf_lab.profiling.documents.analysis import analysis_document, idle_before_launches
from rocm_perf_lab.profiling.documents.assemble import Circumstances, assemble
from rocm_perf_lab.profiling.documents.kernel_code import KernelCode, kernel_code
from rocm_perf_lab.profiling.folder.run_folder import PROFILE, SETTING
from rocm_perf_lab.profiling.folder.unfinished import read_mark, what_is_missing
from rocm_perf_lab.profiling.request import RooflineRequest
from rocm_perf_lab.rocpd.read import read_executions
from rocm_perf_lab.rocpd.rows import Trace
from rocm_perf_lab.units import ms

COUNTED_TIMES = (
    "all traces are of executions in which counters were read, which can make kernels slower: "
    "their times are shown for want of others"
)
NO_WALL = "traces do not carry the wall time of the process"


@dataclass(frozen=True)
class SavedTraces:
    profile: ProfileDocument
    roofline: RooflineDocument
    analysis: AnalysisDocument


def read_saved(paths: Sequence[Path], kernel_filter: str | None, roofline: RooflineRequest) -> SavedTraces:
    """The documents of saved traces. Executions with counters tell counters, the others time."""
    unfinished = _unfinished(paths)
    try:
        return _read_saved(paths, kernel_filter, roofline, unfinished)
    except (BadInput, NoKernels) as problem:
        if not unfinished:
            raise
        cause = f"{problem.cause}; the run did not come to its end: {'; '.join(unfinished)}"
        raise type(problem)(cause, problem.remedy) from problem


def _read_saved(
    paths: Sequence[Path], kernel_filter: str | None, roofline: RooflineRequest, unfinished: tuple[str, ...]
) -> SavedTraces:
    recorded = _recorded(paths)
    executions = read_executions(paths)
    if not executions:
        raise NoKernels(
            f"no traces were collected in {paths[0]}", "its logs say why; profile the program again"
        )
    counting = [trace for trace in executions if _counts(trace)]
    timing = [trace for trace in executions if not _counts(trace)]
    no_times = not any(trace.dispatches for trace in timing)
    setting = replace(recorded.setting if recorded else _setting(executions), kernel_filter=kernel_filter)
    circumstances = Circumstances(
        passes=(recorded and recorded.passes) or tuple(_pass(trace) for trace in executions),
        no_wall=NO_WALL,
        dropped_counters=recorded.dropped_counters if recorded else {},
        unfinished=unfinished,
        warnings=(COUNTED_TIMES,) if counting and no_times else (),
        kernel_filter=kernel_filter,
        code=_code(setting, executions[0]),
        roofline=roofline,
    )
    timed = counting if counting and no_times else timing
    profile, places = assemble(timed, counting, setting, circumstances)
    return SavedTraces(profile, places, analysis_document(profile, idle_ns=idle_before_launches(timed)))


@dataclass(frozen=True)
class _Recorded:
    """What was written about executions when they were made."""

    setting: Setting
    passes: tuple[Pass, ...]
    dropped_counters: Mapping[str, str] = field(default_factory=dict)


def _recorded(paths: Sequence[Path]) -> _Recorded | None:
    """If all executions are of one run folder."""
    if len(paths) > 1:
        return None
    file = paths[0] / PROFILE
    try:
        if file.is_file():
            profile = from_json(ProfileDocument, file.read_bytes(), str(file))
            return _Recorded(profile.setting, profile.passes, profile.dropped_counters)
        file = paths[0] / SETTING
        if file.is_file():
            mark = read_mark(paths[0])
            return _Recorded(from_json(Setting, file.read_bytes(), str(file)), mark.passes if mark else ())
    except (BadInput, OSError):  # of another version: the databases say what matters
        pass
    return None


def _unfinished(paths: Sequence[Path]) -> tuple[str, ...]:
    """What is missing of run folders that are not finished; of several, each with its name."""
    lacks = {path: what_is_missing(path) for path in paths}
    if len(paths) == 1:
        return lacks[paths[0]]
    return tuple(f"{path}: {'; '.join(lacking)}" for path, lacking in lacks.items() if lacking)


def _setting(traces: list[Trace]) -> Setting:
    processes = [process for trace in traces for process in trace.processes]
    command = next((process.command for process in processes if process.command), None)
    hosts = sorted({process.hostname for process in processes if process.hostname})
    return Setting(
        command=_words(command or ""),
        working_directory=None,
        started=None,
        host={"name": ", ".join(hosts)} if hosts else {},
        tools={},
        prefix=None,
        gpu_state={},
    )


def _code(setting: Setting, trace: Trace) -> KernelCode:
    """What code objects say of kernels; only those in files that are older than the trace."""
    traced = min((Path(source).stat().st_mtime for source in trace.sources), default=0.0)
    files = [uri for uri in trace.code_objects if _is_older(unquote(urlsplit(uri).path), traced)]
    programs = []
    if setting.command:
        program = Path(setting.working_directory or "", setting.command[0])
        if program.is_absolute() and _is_older(program, traced):
            programs.append(program)
    return kernel_code([replace(trace, code_objects=tuple(files))], programs)


def _is_older(path: str | Path, time: float) -> bool:
    try:
        return Path(path).is_file() and Path(path).stat().st_mtime <= time
    except (OSError, ValueError):
        return False


def _words(command: str) -> tuple[str, ...]:
    """The words of a command as well as a trace keeps them: joined by blanks, without quotes."""
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return tuple(command.split())


def _counts(trace: Trace) -> bool:
    return any(launches.counters for launches in trace.launches)


def _pass(trace: Trace) -> Pass:
    counters = {counter for launches in trace.launches for counter in launches.counters}
    return Pass(
        purpose="counters" if counters else "timing",
        databases=trace.sources,
        counters=tuple(sorted(counters)),
        exit_code=None,
        gpu_time_ms=ms(trace.total_ns),
        wall_ms=None,
    )
