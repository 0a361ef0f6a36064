"""How far a long call is: shown on a terminal, told to the caller, or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from rocm_perf_lab.profiling.progress import Progress

Told = Callable[[str, int, int], None]
"""Called as each step begins: what it is, how many are done, how many there are as far as is known."""
AnyProgress = Progress | Told | None


@contextlib.contextmanager
def progress_of(request: AnyProgress) -> Iterator[Progress]:
    """What the functions below the API report to; at the end nothing of it is left on the terminal."""
    progress = request if isinstance(request, Progress) else Progress(enabled=False, tell=request)
    try:
        yield progress
    finally:
        progress.done()
