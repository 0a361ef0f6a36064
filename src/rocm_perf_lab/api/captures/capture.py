"""Keeps one kernel dispatch of a program, as ``rocm-perf capture`` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.capturing.request import CaptureRequest
from rocm_perf_lab.errors import RocmPerfError

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.inspection import CaptureDocument


@keywords_of(CaptureRequest)
def capture(request: CaptureRequest) -> CaptureDocument:
    """Run a program and keep one of its kernel dispatches: code, arguments and memory, before and after.

    It is the dispatch number ``dispatch`` (from 0) of those whose kernel's name matches ``kernel``; ``out``
    is a new folder (else ``isolate_capture_<number>``); ``stop`` ends the program right after the capture;
    ``timeout`` is in seconds. The program's input and output are those of this process, except that with
    ``output_to_stderr`` what it prints goes to stderr.
    """
    from rocm_perf_lab.capturing.foreign_capture import remember_capture
    from rocm_perf_lab.capturing.run_captured import capture as captured

    try:
        document = captured(request)
    except RocmPerfError as error:
        if error.collected is not None:  # the program failed, and left one all the same
            remember_capture(Path(error.collected))
        raise
    remember_capture(Path(document.folder))
    return document
