"""What is to be captured, of which program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem


@dataclass(frozen=True)
class CaptureRequest:
    command: tuple[str, ...]
    kernel: str | None
    """Regular expression; None: any kernel."""
    dispatch: int
    """Which of the dispatches that match, from 0."""
    out: Path | None
    stop: bool
    timeout_s: float | None
    program_output_to_stderr: bool = False
    """Our own document has stdout for itself."""
    quiet: bool = False
    """What the program prints is thrown away."""


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
