"""Percentages as options take them."""

from __future__ import annotations

import re

from rocm_perf_lab.errors import UsageProblem


def share_of(text: str, option: str) -> float:
    """0.05 of ``5%`` or ``5``."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%?\s*", text)
    if found is None:
        raise UsageProblem(f"{option} {text!r} is not a percentage", f"for example {option} 5%")
    return float(found[1]) / 100
