"""Runs a program with the tools library that captures one of its dispatches, and says what came of it."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from rocm_perf_lab.capturing.failed_run import failure_of
from rocm_perf_lab.capturing.folder import PARTIAL, open_capture
from rocm_perf_lab.capturing.request import CaptureRequest, check_pattern
from rocm_perf_lab.capturing.run_report import RunReport, read_report
from rocm_perf_lab.capturing.summary import origin_of, summarise
from rocm_perf_lab.capturing.tools_library import named_for_the_runtime, tools_library
from rocm_perf_lab.contracts.captures.inspection import CaptureDocument, CapturedRun
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.profiling.processes.command_line import find_program
from rocm_perf_lab.profiling.processes.foreground import RunEnd, run_in_foreground
from rocm_perf_lab.requests.values import path_of
from rocm_perf_lab.rocm.find import Prefix, find_prefix

NO_REPORT = "the process that was captured ended without a word, or another one spoke later"
# Of the variables by which the library is told, those that the request decides.
_DECIDED = ("ISOLATE_KERNEL", "ISOLATE_DISPATCH_INDEX", "ISOLATE_OUT", "ISOLATE_STOP", "ISOLATE_REPORT")


def capture(request: CaptureRequest, *, quiet: bool = False) -> CaptureDocument:
    """Raises the error that says why there is no capture, or why there is one although the program failed.

    ``quiet``: what the program prints is thrown away.
    """
    check_pattern(request.kernel)
    library, prefix = tools_library(), find_prefix()
    find_program(request.command[0], {**os.environ, **prefix.environment()})
    out = _new_folder(path_of(request.out))
    with tempfile.TemporaryDirectory(prefix="rocm-perf-") as scratch:
        report_file = Path(scratch) / "report.json"
        environment = capture_environment(request, prefix, library, out, report_file)
        end = _run(request, environment, quiet)
        report = read_report(report_file)
    return _outcome(request, end, report, out)


def capture_environment(
    request: CaptureRequest, prefix: Prefix, library: Path, out: Path, report: Path
) -> dict[str, str]:
    environment = {**os.environ, **prefix.environment()}
    for name in _DECIDED:
        environment.pop(name, None)
    environment["HSA_TOOLS_LIB"] = named_for_the_runtime(library, os.environ.get("HSA_TOOLS_LIB"))
    # Without it ROCm loads no such library as soon as a profiler has registered, and lately one always does.
    environment["HSA_TOOLS_ROCPROFILER_V1_TOOLS"] = "1"
    environment.setdefault("HSA_TOOLS_REPORT_LOAD_FAILURE", "1")  # a debug build of ROCm would be silent
    environment["ISOLATE_DISPATCH_INDEX"] = str(request.dispatch)
    environment["ISOLATE_OUT"] = str(out)
    environment["ISOLATE_REPORT"] = str(report)
    if request.kernel is not None:
        environment["ISOLATE_KERNEL"] = request.kernel
    if request.stop:
        environment["ISOLATE_STOP"] = "1"
    return environment


def _new_folder(out: Path | None) -> Path:
    """The folder that the library is to make. It must not be there: nothing is overwritten."""
    folder = (out if out is not None else Path(f"isolate_capture_{os.getpid()}")).absolute()
    partial = folder.with_name(folder.name + PARTIAL)
    if folder.name.endswith(PARTIAL):
        raise UsageProblem(f"names that end in {PARTIAL} are of interrupted captures", "name it otherwise")
    for there in (folder, partial):
        if there.exists() or there.is_symlink():
            remedy = "remove it, or name another folder with --out"
            raise UsageProblem(f"{there} is already there; nothing is overwritten", remedy)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder.parent} cannot be made: {error.strerror}", "name a folder you may write with --out"
        ) from error
    if not os.access(folder.parent, os.W_OK | os.X_OK):
        raise EnvironmentProblem(f"{folder.parent} cannot be written", "name another folder with --out")
    return folder


def _run(request: CaptureRequest, environment: Mapping[str, str], quiet: bool) -> RunEnd:
    return run_in_foreground(
        request.command,
        environment,
        timeout_s=request.timeout,
        to_stderr=request.output_to_stderr,
        quiet=quiet,
    )


def _outcome(request: CaptureRequest, end: RunEnd, report: RunReport | None, out: Path) -> CaptureDocument:
    removed = _remove_partial(out)
    captured = out.is_dir()
    error = failure_of(request, end, report, captured, removed)
    if captured and error is not None:
        error.collected = str(out)
        error.remedy = f"the capture is complete: rocm-perf replay inspect {shlex.quote(_shown(out))}"
    if error is not None:
        raise error
    if report is not None and report.state != "captured":
        report = None  # of another process of the program
    capture = open_capture(out)
    return CaptureDocument(
        origin=origin_of(capture),
        folder=_shown(out),
        capture=summarise(capture),
        run=CapturedRun(
            origin="measured",
            missing={} if report else dict.fromkeys(("dispatches", "matching_dispatches"), NO_REPORT),
            command=request.command,
            exit_code=end.exit_code,
            stopped=request.stop,
            wall_s=end.wall_s,
            dispatches=report.dispatches if report else None,
            matching_dispatches=report.matching_dispatches if report else None,
        ),
        warnings=(),
    )


def _remove_partial(out: Path) -> Path | None:
    """What a program left that ended while its capture was being written."""
    partial = out.with_name(out.name + PARTIAL)
    if not partial.exists():
        return None
    shutil.rmtree(partial, ignore_errors=True)
    return partial


def _shown(folder: Path) -> str:
    """As one would type it from here."""
    try:
        return str(folder.relative_to(Path.cwd()))
    except ValueError:
        return str(folder)
