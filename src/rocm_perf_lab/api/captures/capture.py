"""Keeps one kernel dispatch of a program, as ``rocm-perf capture`` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.errors import RocmPerfError
from rocm_perf_lab.profiling.processes.command_line import Program, command_of
from rocm_perf_lab.requests.values import (
    AnyPath,
    at_least,
    kernel_pattern,
    path_of,
    positive,
)

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.inspection import CaptureDocument


def capture(
    program: Program,
    *,
    kernel: str | None = None,
    dispatch: int = 0,
    out: AnyPath | None = None,
    stop: bool = False,
    timeout: float | None = None,
    output_to_stderr: bool = False,
) -> CaptureDocument:
    """Run a program and keep one of its kernel dispatches: code, arguments and memory, before and after.

    It is the dispatch number ``dispatch`` (from 0) of those whose kernel's name matches ``kernel``; ``out``
    is a new folder (else ``isolate_capture_<number>``); ``stop`` ends the program right after the capture;
    ``timeout`` is in seconds. The program's input and output are those of this process, except that with
    ``output_to_stderr`` what it prints goes to stderr.
    """
    from rocm_perf_lab.capturing.foreign_capture import remember_capture
    from rocm_perf_lab.capturing.request import CaptureRequest
    from rocm_perf_lab.capturing.run_captured import capture as captured

    kernel_pattern(kernel)
    at_least(0, dispatch=dispatch)
    positive(timeout=timeout)
    try:
        document = captured(
            CaptureRequest(
                command=command_of(program, "capture"),
                kernel=kernel,
                dispatch=dispatch,
                out=path_of(out),
                stop=stop,
                timeout_s=timeout,
                program_output_to_stderr=output_to_stderr,
            )
        )
    except RocmPerfError as error:
        if error.collected is not None:  # the program failed, and left one all the same
            remember_capture(Path(error.collected))
        raise
    remember_capture(Path(document.folder))
    return document
