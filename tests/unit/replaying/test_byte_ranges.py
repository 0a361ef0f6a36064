"""Sets of byte ranges against sets of integers."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges, where

RANGES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=8)


def members(ranges: ByteRanges) -> set[int]:
    found: set[int] = set()
    for start, end in ranges:
        assert start < end
        found |= set(range(start, end))
    return found


def is_canonical(ranges: ByteRanges) -> bool:
    edges = [edge for one in ranges for edge in one]
    return all(low < high for low, high in itertools.pairwise(edges))


@given(RANGES, RANGES)
def test_set_operations(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    a, b = ByteRanges.of(first), ByteRanges.of(second)
    mine = {number for start, end in first for number in range(start, end)}
    theirs = {number for start, end in second for number in range(start, end)}
    assert members(a) == mine
    assert a.size == len(mine)
    assert bool(a) == bool(mine)
    for result, expected in (
        (a.union(b), mine | theirs),
        (a.intersection(b), mine & theirs),
        (a.difference(b), mine - theirs),
    ):
        assert members(result) == expected
        assert is_canonical(result)


@given(RANGES, st.integers(1, 9))
def test_pages(ranges: list[tuple[int, int]], page: int) -> None:
    a = ByteRanges.of(ranges)
    touched = {number // page for number in members(a)}
    assert members(a.pages(page)) == {one * page + byte for one in touched for byte in range(page)}


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 1 << 60))
def test_masks(mask: list[bool], base: int) -> None:
    found = where(np.array(mask, bool), base)
    assert members(found) == {base + index for index, one in enumerate(mask) if one}
    assert is_canonical(found)
