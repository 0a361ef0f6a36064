"""Lines that fit a terminal: a label and words that go on below behind it; how far one of many tasks is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.figures import cut_middle

WIDTH = 100
NAME_WIDTH = 50


def labelled(label: str, words: str, column: int, width: int = WIDTH) -> list[str]:
    """``column``: where words begin."""
    lines = textwrap.wrap(words, width - column, break_long_words=False, break_on_hyphens=False) or [""]
    return [f"{label:<{column}}{lines[0]}", *(" " * column + line for line in lines[1:])]


def as_text(lines: Iterable[str]) -> str:
    return "".join(printable(line).rstrip() + "\n" for line in lines)


def progress_line(name: str, outcome: str, done: int, total: int) -> str:
    return printable(f"[{done:>{len(str(total))}}/{total}] {cut_middle(name, NAME_WIDTH)}  {outcome}")
