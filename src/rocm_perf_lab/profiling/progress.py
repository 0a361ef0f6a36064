"""How far a profile is: on stderr if that is a terminal and the work is long, and to who is to know.

A program that has started this one is told on a file descriptor that it names, in lines of JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

Told = Callable[[str, int, int], None]
"""Called as each step begins: what it is, how many are done, how many there are as far as is known."""

LONG_SECONDS = 1.5
VARIABLE = "ROCM_PERF_PROGRESS_FD"

_descriptor: int | None = None


class Progress:
    """Counts passes; the bar appears once the work has taken a while, and vanishes at the end."""

    def __init__(self, enabled: bool = True, tell: Told | None = None) -> None:
        self.enabled = enabled and sys.stderr.isatty()
        self.tell = told_to_parent() if enabled and tell is None else tell
        self.began = time.monotonic()
        self.total = self.finished = 0
        self.label = ""
        self.bar: Any = None
        self.task: Any = None

    def plan(self, passes: int) -> None:
        """So many more passes are to come."""
        self.total += passes

    def begin(self, label: str) -> None:
        if self.label:
            self.finished += 1
        self.label = label
        if self.tell is not None:
            self.tell(label, self.finished, self.total)
        self._show()

    @property
    def ticker(self) -> Callable[[], None] | None:
        """What to call from time to time; None when there is nothing to show it on."""
        return self.tick if self.enabled else None

    def tick(self) -> None:
        if self.bar is None and time.monotonic() - self.began > LONG_SECONDS:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
            )
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(self.label, total=self.total)
            self.bar.start()
        self._show()

    def done(self) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def _show(self) -> None:
        if self.bar is not None:
            self.bar.update(self.task, description=self.label, total=self.total, completed=self.finished)


AnyProgress = Progress | Told | None


@contextlib.contextmanager
def progress_of(request: AnyProgress) -> Iterator[Progress]:
    """What long calls report to; at the end nothing of it is left on the terminal."""
    progress = request if isinstance(request, Progress) else Progress(enabled=False, tell=request)
    try:
        yield progress
    finally:
        progress.done()


def told_to_parent() -> Told | None:
    """Writes ``{"step": …, "done": …, "total": …}``; None where nobody has asked."""
    global _descriptor
    # Taken out: in processes that this one starts the number stands for something else.
    named = os.environ.pop(VARIABLE, None)
    if named is not None and named.isdecimal():
        _descriptor = int(named)
    return _tell if _descriptor is not None else None


def _tell(step: str, done: int, total: int) -> None:
    global _descriptor
    if _descriptor is None:
        return
    line = json.dumps({"step": step, "done": done, "total": total}) + "\n"
    try:
        os.write(_descriptor, line.encode())
    except OSError:  # nobody reads any more
        _descriptor = None
