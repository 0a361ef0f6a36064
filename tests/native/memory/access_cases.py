"""Shapes of addresses and masks that memory instructions must get right, fast paths and slow ones alike."""

from __future__ import annotations

import numpy as np
from bare_wave import ALL, LANE, LANES
from numpy.typing import NDArray

Offsets = NDArray[np.int64]
SPAN = 64 * 64  # bytes that offsets stay below, data included


def offsets(bytes_per_lane: int, seed: int) -> dict[str, Offsets]:
    """Byte offsets per lane by the name of their shape."""
    generator = np.random.default_rng(seed)
    lane = LANE.astype(np.int64)
    return {
        "linear": lane * bytes_per_lane + 64,
        "linear unaligned": lane * bytes_per_lane + 33,
        "uniform": np.full(LANES, 120, dtype=np.int64),
        "reversed": (LANES - 1 - lane) * bytes_per_lane,
        "strided": lane * 48,
        "pairs": lane // 2 * 16,
        "random": generator.integers(0, SPAN - bytes_per_lane, LANES),
        "nearly linear": lane * bytes_per_lane + (lane == 63) * 4,
        "nearly uniform": 256 + (lane == 31) * 8,
    }


def masks(seed: int) -> dict[str, int]:
    generator = np.random.default_rng(seed)
    return {
        "all": ALL,
        "none": 0,
        "one": 1 << 37,
        "first half": (1 << 32) - 1,
        "tail": ALL << 20 & ALL,
        "random": int(generator.integers(0, 1 << 63)) | 1 << 63,
    }


def lanes(mask: int) -> list[int]:
    return [lane for lane in range(LANES) if mask >> lane & 1]


def random_words(count: int, seed: int) -> NDArray[np.uint32]:
    return np.random.default_rng(seed).integers(0, 1 << 32, count, dtype=np.uint32)
