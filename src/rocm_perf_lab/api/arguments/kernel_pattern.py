"""Regular expressions over names of kernels, as users give them."""

from __future__ import annotations

import re

from rocm_perf_lab.errors import UsageProblem


def kernel_pattern(text: str | None) -> re.Pattern[str] | None:
    """The expression, or None where none was given."""
    if text is None:
        return None
    try:
        return re.compile(text)
    except re.error as problem:
        raise UsageProblem(
            f"--kernel {text!r} is not a regular expression: {problem}", "escape what is not meant as one"
        ) from None
