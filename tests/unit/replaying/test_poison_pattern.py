"""The poison's bytes, against the formula of the format's page, byte by byte."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges
from rocm_perf_lab.replaying.proof.poison_pattern import pattern, poison_file

MASK = (1 << 64) - 1


def splitmix64(state: int) -> int:
    z = (state + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@given(st.integers(0, 1 << 57), st.integers(0, 40), st.integers(0, MASK))
def test_formula(start: int, size: int, seed: int) -> None:
    expected = bytes(
        splitmix64(seed ^ (address // 8)) >> (8 * (address % 8)) & 0xFF
        for address in range(start, start + size)
    )
    assert pattern(start, size, seed).tobytes() == expected


def test_known_values() -> None:
    """The first output of splitmix64 with seed 0, as published with it."""
    assert pattern(0, 8, 0).tobytes() == (0xE220A8397B1DCDAF).to_bytes(8, "little")


def test_file() -> None:
    text = poison_file(7, ByteRanges(((0x1000, 0x1008),)))
    assert json.loads(text) == {"seed": 7, "ranges": [{"base": "0x1000", "size": 8}]}
