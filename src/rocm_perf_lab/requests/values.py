"""Values that callers may pass: paths, patterns, times, and numbers that have to lie in a range."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem

AnyPath = str | os.PathLike[str]


def path_of(given: AnyPath | None) -> Path | None:
    return None if given is None else Path(given)


def paths_of(given: AnyPath | Sequence[AnyPath]) -> tuple[Path, ...]:
    """One path stands for itself."""
    if isinstance(given, (str, os.PathLike)):
        return (Path(given),)
    return tuple(Path(one) for one in given)


def at_least(least: int, **numbers: int) -> None:
    """Raises where one of the numbers, named as its option is, is less."""
    for name, value in numbers.items():
        if value < least:
            raise UsageProblem(f"{_option(name)} {value} is less than {least}", f"give {least} or more")


def positive(**numbers: float | None) -> None:
    """Raises where one of the numbers that are given is not above zero."""
    for name, value in numbers.items():
        if value is not None and not value > 0:
            raise UsageProblem(f"{_option(name)} {value:g} is not above 0", "give more, or leave it out")


def share_below_one(**numbers: float) -> None:
    """Raises where one of the numbers is not from 0 to less than 1."""
    for name, value in numbers.items():
        if not 0 <= value < 1:
            raise UsageProblem(f"{_option(name)} {value:g} is no share", "0.02 is 2 %")


def seconds(budget: str | float | None) -> float | None:
    """The value of ``--budget``: a number of seconds, or a text such as ``90s``, ``10m`` or ``2h``."""
    if budget is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([smh]?)\s*", str(budget))
    if found is None or float(found[1]) == 0:
        raise UsageProblem(f"--budget {str(budget)!r} is no time", "for example --budget 10m")
    return float(found[1]) * {"s": 1, "m": 60, "h": 3600, "": 1}[found[2]]


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


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
