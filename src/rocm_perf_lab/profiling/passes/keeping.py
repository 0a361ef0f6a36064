"""A failure in the middle of a run: what was collected stays, and the error says where."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator

from rocm_perf_lab.errors import EnvironmentProblem, Interrupted, ProgramFailed, RocmPerfError, TimedOut
from rocm_perf_lab.profiling.folder.run_folder import RunFolder


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
