"""Spans against counting clock by clock."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.analysis.att import spans
from rocm_perf_lab.analysis.att.spans import Parts, Union, highest_overlap, joined

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=12).map(
    lambda found: [(begin, begin + length) for begin, length in found]
)


def columns(found: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    table = np.array(found, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def clocks(found: list[tuple[int, int]]) -> list[int]:
    return [sum(begin <= clock < end for begin, end in found) for clock in range(90)]


@given(SPANS)
def test_union(found: list[tuple[int, int]]) -> None:
    union = Union()
    for span in found:
        union.add(*columns([span]))
    assert union.cycles() == sum(count > 0 for count in clocks(found))
    begins, ends = joined(*columns(found))
    assert (begins[1:] > ends[:-1]).all()


@given(SPANS)
def test_highest_overlap(found: list[tuple[int, int]]) -> None:
    real = [span for span in found if span[0] < span[1]]
    assert highest_overlap(*columns(real)) == max(clocks(real), default=0)


@given(SPANS, st.integers(1, 7))
def test_parts(found: list[tuple[int, int]], count: int) -> None:
    """With parts of whole clocks the mean of each is that of its clocks."""
    parts = Parts(0, 12 * count, count)
    inside = [(min(begin, 12 * count), min(end, 12 * count)) for begin, end in found]
    parts.add(*columns(inside))
    expected = [sum(clocks(inside)[12 * at : 12 * at + 12]) / 12 for at in range(count)]
    assert parts.means() == pytest.approx(expected, abs=1e-5)


def test_union_keeps_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "_ROOM", 10)
    union = Union()
    for turn in range(100):
        union.add(*columns([(turn, turn + 2), (500, 501)]))
        assert union._kept <= 12
    assert union.cycles() == 102
