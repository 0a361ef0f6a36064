"""Progress for a program that has started this one: lines of JSON on a file descriptor that it names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

VARIABLE = "ROCM_PERF_PROGRESS_FD"

_descriptor: int | None = None


def told_to_parent() -> Callable[[str, int, int], None] | None:
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
