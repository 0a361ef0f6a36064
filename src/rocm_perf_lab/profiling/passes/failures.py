"""What went wrong in a pass, as an error that says what to do; what was collected until then stays."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem, Interrupted, ProgramFailed, RocmPerfError, TimedOut
from rocm_perf_lab.profiling.folder.run_folder import RunFolder
from rocm_perf_lab.profiling.passes.run_rocprof import last_words, tail
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome

NO_KERNELS_REMEDY = (
    "check that it uses the GPU (run it with --debug); wall time alone is measured with --no-rocprof"
)
# A message of rocprofv3 itself, or a traceback that goes through its files: it is a Python program.
_TOOL_SPOKE = re.compile(r'^rocprofv3: error:|^\s*File "[^"]*rocprofv3', re.MULTILINE)


def check(outcome: ProcessOutcome, name: str, *, traced: bool, wrote_databases: bool = False) -> None:
    """Raises what goes with a pass that did not end well."""
    if outcome.succeeded:
        return
    said = last_words(outcome.stderr, 2) or last_words(outcome.stdout, 2)
    saying = f": {said}" if said else ""
    if outcome.interrupted:
        raise Interrupted(f"interrupted in {name}")
    if outcome.timed_out:
        raise TimedOut(
            f"the program was stopped after {outcome.wall_s:.1f} s in {name}{saying}",
            "give it more time with --timeout, or less to do",
        )
    if _is_full(outcome.stderr.parent):
        raise EnvironmentProblem(
            f"the disk of {outcome.stderr.parent} is full: {name} failed{saying}", "make room there"
        )
    if traced and not wrote_databases and _tool_failed(outcome.stderr):
        raise EnvironmentProblem(f"rocprofv3 failed in {name}{saying}", "see all it printed with --debug")
    raise ProgramFailed(
        f"the program {how_it_ended(outcome.exit_code)} in {name}{saying}",
        "run it by itself first" + (", then look at the logs in the run folder" if traced else ""),
    )


def how_it_ended(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}"


def _is_full(folder: Path) -> bool:
    """Then nobody could say so: what a pass prints goes there, too."""
    try:
        return os.statvfs(folder).f_bavail == 0
    except OSError:
        return False


def _tool_failed(log: Path) -> bool:
    return _TOOL_SPOKE.search(tail(log)) is not None


@contextlib.contextmanager
def keeping(folder: RunFolder) -> Iterator[None]:
    """Errors that leave this block know the folder."""
    try:
        yield
    except RocmPerfError as error:
        _keep(folder, error)
        raise
    except KeyboardInterrupt:
        interrupted = Interrupted("interrupted")
        _keep(folder, interrupted)
        raise interrupted from None
    except OSError as error:
        problem = EnvironmentProblem(
            f"{error.filename or folder.path}: {error.strerror or error}",
            "check the space and the rights in the run folder, or name another with --out",
        )
        _keep(folder, problem)
        raise problem from error


def _keep(folder: RunFolder, error: RocmPerfError) -> None:
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.contracts.failure import failure_document

    error.collected = str(folder.path)
    if isinstance(error, (ProgramFailed, TimedOut, Interrupted)) and folder.has_times():
        analyze = f"rocm-perf analyze {shlex.quote(str(folder.path))} shows what was collected"
        error.remedy = f"{error.remedy}; {analyze}" if error.remedy else analyze
    with contextlib.suppress(RocmPerfError):  # it cannot be written: the error itself matters more
        folder.write("failure.json", to_json(failure_document(error)))
