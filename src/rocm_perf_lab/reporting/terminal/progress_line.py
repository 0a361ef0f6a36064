"""A line for each of many tasks as it ends: how far it is, which one, what came of it."""

from __future__ import annotations

from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.figures import cut_middle

NAME = 50


def progress_line(name: str, outcome: str, done: int, total: int) -> str:
    return printable(f"[{done:>{len(str(total))}}/{total}] {cut_middle(name, NAME)}  {outcome}")
