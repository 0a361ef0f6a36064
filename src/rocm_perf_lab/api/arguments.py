"""What callers may pass: programs, paths, and numbers that have to lie in a range."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem

Program = str | os.PathLike[str] | Sequence[str]
"""A file, a line of words (``"./app --size 5"``; no shell reads it), or the words themselves."""
AnyPath = str | os.PathLike[str]


def command_of(program: Program, ours: str) -> tuple[str, ...]:
    """The words of a program's command line. ``ours`` is the command that remedies name."""
    from rocm_perf_lab.profile.command_line import parse_command

    if isinstance(program, os.PathLike):
        return (os.fspath(program),)
    if isinstance(program, str):
        return parse_command((program,), ours)
    return tuple(program) or parse_command((), ours)


def path_of(given: AnyPath | None) -> Path | None:
    return None if given is None else Path(given)


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


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
