"""Looks for defects of kernels on the virtual GPU, as ``rocm-perf check`` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import Program, command_of
from rocm_perf_lab.requests.values import AnyPath, path_of, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.check import CheckDocument


def check(
    program: Program,
    *,
    only: Sequence[str] = (),
    suppressions: AnyPath | None = None,
    timeout: float | None = None,
    output_to_stderr: bool = False,
) -> CheckDocument:
    """Run a program on the virtual GPU and report the defects of its kernels; ``clean``: it has none.

    ``only`` names classes of defects (``out-of-bounds``, ``race-lds``, …; all unless given);
    ``suppressions`` is a file with defects that are known; ``timeout`` is in seconds. The program's input and
    output are those of this process, except that with ``output_to_stderr`` what it prints goes to stderr.
    """
    from rocm_perf_lab.checking.request import CLASSES, CheckRequest
    from rocm_perf_lab.checking.run_checked import check as checked

    for name in only:
        if name not in CLASSES:
            raise UsageProblem(f"there is no class of defects {name!r}", f"one of {', '.join(CLASSES)}")
    positive(timeout=timeout)
    return checked(
        CheckRequest(
            command=command_of(program, "check"),
            classes=tuple(name for name in CLASSES if not only or name in only),
            suppressions=path_of(suppressions),
            timeout_s=timeout,
            program_output_to_stderr=output_to_stderr,
        )
    )
