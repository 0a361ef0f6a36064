"""Rows of integers in a JSON file, as columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocm_perf_lab.thread_trace.json_file import LARGEST, sequence, unexpected


def table(value: Any, width: int, path: Path, what: str, at_least: bool = False) -> NDArray[np.int64]:
    """Rows of ``width`` integers (or of more, all alike, with ``at_least``)."""
    rows = sequence(value, path, what)
    if not rows:
        return np.empty((0, width), np.int64)
    try:
        made = np.array(rows)
    except (ValueError, OverflowError):  # rows of unequal length
        raise unexpected(path, f"{what} is not a table of integers") from None
    if made.dtype.kind not in "iub" or made.ndim != 2:
        raise unexpected(path, f"{what} is not a table of integers")
    if made.shape[1] != width and not (at_least and made.shape[1] > width):
        raise unexpected(path, f"{what} has rows of {made.shape[1]} numbers, not of {width}")
    made = made.astype(np.int64) if made.dtype.kind != "u" else np.minimum(made, 2**62).astype(np.int64)
    if made.min() < -LARGEST or made.max() > LARGEST:
        raise unexpected(path, f"{what} has a number that is too large")
    return made


def series(value: Any, path: Path, what: str) -> NDArray[np.int64]:
    """A list of integers."""
    numbers = sequence(value, path, what)
    return table([[number] for number in numbers], 1, path, what)[:, 0]
