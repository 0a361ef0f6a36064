"""Reads a JSON file of a trace folder; what cannot be read as what it should be is named with a remedy."""

from __future__ import annotations

import contextlib
import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocm_perf_lab.errors import BadInput

AGAIN = "trace the kernel again; rocprofv3 must end by itself for its files to be whole"
# Of clocks and counts: centuries at some GHz, and sums of them are exact.
LARGEST = 2**53
FOREIGN = "name a folder ui_output_agent_…_dispatch_… that rocprofv3 --att has written"


def load(path: Path) -> Any:
    try:
        with path.open("rb") as file, _without_collections():
            return json.load(file)
    except FileNotFoundError:
        raise BadInput(f"{path} is missing", FOREIGN) from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}", "check its access rights") from None
    except ValueError as problem:  # not JSON, or not text
        raise BadInput(f"{path} is cut short or no JSON: {problem}", AGAIN) from None
    except RecursionError:
        raise BadInput(f"{path} is nested too deeply to be of a thread trace", FOREIGN) from None


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """JSON has no cycles, and looking for them takes longer than to read it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def mapping(value: Any, path: Path, what: str = "its content") -> dict[str, Any]:
    """A JSON object; rocprofv3 writes null where it has nothing to put in."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise unexpected(path, f"{what} is not an object")
    return value


def sequence(value: Any, path: Path, what: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise unexpected(path, f"{what} is not a list")
    return value


def integer(value: Any, path: Path, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise unexpected(path, f"{what} is {repr(value)[:80]}, not an integer")
    if abs(value) > LARGEST:
        raise unexpected(path, f"{what} is {str(value)[:80]}, which is too large")
    return value


def printable(text: str) -> str:
    """JSON can escape halves of characters, which no file can be written with."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unexpected(path: Path, what: str) -> BadInput:
    return BadInput(printable(f"{path}: {what}"), FOREIGN)


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
