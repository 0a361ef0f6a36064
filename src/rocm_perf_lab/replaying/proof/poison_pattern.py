"""The pattern of poisoned bytes (docs/reference/capture-format.md): a function of address and seed, so that
nothing can look right by luck for two seeds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.replaying.memory.byte_ranges import Range

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pattern(start: int, size: int, seed: int) -> NDArray[Any]:
    """The poisoned bytes from an address on: byte (a mod 8) of splitmix64(seed xor (a div 8))."""
    import numpy as np

    first, last = start // 8, -(-(start + size) // 8)
    words = np.arange(first, last, dtype=np.uint64) ^ np.uint64(seed)
    with np.errstate(over="ignore"):
        words = words + np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        words = words ^ (words >> np.uint64(31))
    found: NDArray[Any] = words.astype("<u8").view(np.uint8)[start - first * 8 :][:size]
    return found


def poison_file(seed: int, ranges: Iterable[Range]) -> str:
    """The text of a file for ``rocm-perf-replay --poison``."""
    return json.dumps(
        {"seed": seed, "ranges": [{"base": f"{start:#x}", "size": end - start} for start, end in ranges]}
    )
