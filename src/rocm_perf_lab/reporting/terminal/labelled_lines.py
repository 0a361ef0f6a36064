"""Lines of a label and words that fit a terminal: what is too long goes on below, behind the label."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rocm_perf_lab.reporting.terminal.printable import printable

WIDTH = 100


def labelled(label: str, words: str, column: int, width: int = WIDTH) -> list[str]:
    """``column``: where words begin."""
    lines = textwrap.wrap(words, width - column, break_long_words=False, break_on_hyphens=False) or [""]
    return [f"{label:<{column}}{lines[0]}", *(" " * column + line for line in lines[1:])]


def as_text(lines: Iterable[str]) -> str:
    return "".join(printable(line).rstrip() + "\n" for line in lines)
