"""What is asked of ``rocm-perf capture``: the one place where its options are declared."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import Program, command_of
from rocm_perf_lab.requests.offered import KERNELS_THAT_MATCH, NEW_FOLDER, SECONDS_OF_A_RUN
from rocm_perf_lab.requests.option import Offered, check_options, count, flag, path, pattern, positive
from rocm_perf_lab.requests.values import AnyPath


@dataclass(frozen=True)
class CaptureRequest:
    program: Program
    _: KW_ONLY
    kernel: str | None = pattern(
        None, "Only kernels whose name matches somewhere. [default: any]", offered=KERNELS_THAT_MATCH
    )
    dispatch: int = count(
        0,
        "Which of the dispatches that match, from 0.",
        least=0,
        offered=Offered("Which of the dispatches that match, from 0."),
    )
    out: AnyPath | None = path(None, "Folder. [default: isolate_capture_<number>]", offered=NEW_FOLDER)
    stop: bool = flag("End the program right after the capture.", offered=Offered())
    timeout: float | None = positive(None, "Seconds the program may take.", offered=SECONDS_OF_A_RUN)
    output_to_stderr: bool = False
    """Our own document has stdout for itself."""

    def __post_init__(self) -> None:
        check_options(self)
        _ = self.command

    @cached_property
    def command(self) -> tuple[str, ...]:
        """The words of the program's command line."""
        return command_of(self.program, "capture")


# What Python's expressions have and ECMAScript's, which the library uses, have not.
_NOT_SHARED = re.compile(r"(?<!\\)\(\?(?![:=!])|\\[AZ]")


def check_pattern(text: str | None) -> None:
    """The library matches as ECMAScript does: an expression that means nothing there is refused here."""
    found = _NOT_SHARED.search(text) if text is not None else None
    if found:
        raise UsageProblem(
            f"--kernel {text!r}: {found[0]!r} is not known to the expressions that capture uses (ECMAScript)",
            "write it without; (?:…), (?=…) and (?!…) are known",
        )
