"""Why a run gave no capture, or failed after it, as an error that says what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.capturing.request import CaptureRequest
from rocm_perf_lab.capturing.run_report import RunReport
from rocm_perf_lab.errors import (
    EnvironmentProblem,
    Interrupted,
    NoKernels,
    ProgramFailed,
    RocmPerfError,
    TimedOut,
)
from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.processes.foreground import RunEnd

NO_RUNTIME = "the program ended without a capture, and the library that captures was never loaded"
MOST_KERNELS = 10
_LONGEST_NAME = 100
# What the library says when not the capture went wrong but the program's own work.
_OF_THE_PROGRAM = re.compile(r"\bthe (kernel|queue of the dispatch) failed\b")


def failure_of(
    request: CaptureRequest,
    end: RunEnd,
    report: RunReport | None,
    captured: bool,
    removed: Path | None,
) -> RocmPerfError | None:
    """None where the program ended well and there is a capture. ``removed`` is what was left of one."""
    when = " after its dispatch was captured" if captured else ""
    if removed is not None:
        when = f" while it was being captured; {removed.name} was removed"
    if end.interrupted:
        return Interrupted(f"interrupted{when}")
    if end.timed_out:
        return TimedOut(
            f"the program was ended after {end.wall_s:.1f} s{when}",
            "give it more time with --timeout, or end it after the capture with --stop",
        )
    if captured:
        return _program_failed(end, when, None) if end.exit_code != 0 else None
    why_none = _why_no_capture(request, report)
    if removed is not None or end.exit_code != 0:
        return _program_failed(end, when, why_none)
    return why_none


def _program_failed(end: RunEnd, when: str, and_so: RocmPerfError | None) -> RocmPerfError:
    """``and_so``: why there would be no capture had the program ended well."""
    more = f"; {and_so.cause}" if and_so is not None and and_so.cause != NO_RUNTIME else ""
    return ProgramFailed(f"the program {how_it_ended(end.exit_code)}{when}{more}", "run it by itself first")


def _why_no_capture(request: CaptureRequest, report: RunReport | None) -> RocmPerfError:
    if report is None:
        return NoKernels(
            NO_RUNTIME,
            "check that it uses the GPU, through an HSA runtime that is a shared library",
        )
    if report.state == "failed":
        reason = report.reason or "the library does not say why"
        kind = ProgramFailed if _OF_THE_PROGRAM.search(reason) else EnvironmentProblem
        return kind(f"the capture failed: {reason}", _remedy(reason))
    return _no_match(request, report)


def _remedy(reason: str) -> str:
    if _OF_THE_PROGRAM.search(reason):
        return "run the program by itself first"
    if "space" in reason.lower():
        return "free space, or name a folder on another disk with --out"
    if "in time" in reason:
        return "give it longer (ISOLATE_TIMEOUT, in seconds), or choose another dispatch with --dispatch"
    return "the program itself ran on; docs/guide/capture.md says what can be captured"


def _no_match(request: CaptureRequest, report: RunReport) -> RocmPerfError:
    matching, seen = report.matching_dispatches or 0, report.dispatches or 0
    if not seen:
        return NoKernels("the program launched no kernel", "check that it uses the GPU")
    if matching:
        numbered = "0 is the only one" if matching == 1 else f"0 to {matching - 1} are there"
        of_pattern = f" of kernels that match {request.kernel!r}" if request.kernel is not None else ""
        return NoKernels(
            f"dispatch {request.dispatch}{of_pattern} never came; there were {matching}",
            f"choose another with --dispatch ({numbered})",
        )
    return NoKernels(
        f"no kernel matches {request.kernel!r}; the program launched {_listed(report.kernels)}",
        "name a part of one of these with --kernel",
    )


def _listed(kernels: Sequence[str]) -> str:
    names = [name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…" for name in kernels]
    more = f" and {len(names) - MOST_KERNELS} more" if len(names) > MOST_KERNELS else ""
    return ", ".join(names[:MOST_KERNELS]) + more
