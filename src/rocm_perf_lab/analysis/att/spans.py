"""Spans of time: how long their union is, and how much of them lies in each part of the whole."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
# Spans that are kept before they are joined.
_ROOM = 1 << 20


def joined(begins: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """The union of spans as disjoint ones in order; empty spans vanish."""
    there = ends > begins
    begins, ends = begins[there], ends[there]
    if not len(begins):
        return begins, ends
    order = np.argsort(begins, kind="stable")
    begins, ends = begins[order], np.maximum.accumulate(ends[order])
    first = np.concatenate(([True], begins[1:] > ends[:-1]))
    last = np.concatenate((first[1:], [True]))
    return begins[first], ends[last]


class Union:
    """The union of spans that come in pieces; what is kept does not grow with spans that overlap."""

    def __init__(self) -> None:
        self._begins: list[Integers] = []
        self._ends: list[Integers] = []
        self._kept = 0

    def add(self, begins: Integers, ends: Integers) -> None:
        self._begins.append(begins)
        self._ends.append(ends)
        self._kept += len(begins)
        if self._kept > _ROOM:
            self._join()

    def _join(self) -> None:
        begins, ends = joined(np.concatenate(self._begins), np.concatenate(self._ends))
        self._begins, self._ends, self._kept = [begins], [ends], 0

    def cycles(self) -> int:
        if not self._begins:
            return 0
        self._join()
        return int((self._ends[0] - self._begins[0]).sum())


class Parts:
    """A time cut into equal parts, and the mean number of spans in each."""

    def __init__(self, begin: int, end: int, parts: int) -> None:
        self.begin, self.parts = begin, parts
        self.width = max(end - begin, 1) / parts
        # Until an edge e spans have covered Σ (e - b) over all begins b < e, less the same of their ends.
        self._count = np.zeros(parts + 1)
        self._place = np.zeros(parts + 1)

    def add(self, begins: Integers, ends: Integers) -> None:
        self._points(begins, 1.0)
        self._points(ends, -1.0)

    def _points(self, times: Integers, weight: float) -> None:
        places = (times - self.begin) / self.width
        after = np.clip(np.floor(places).astype(np.int64), 0, self.parts)
        self._count += weight * np.bincount(after, minlength=self.parts + 1)
        self._place += weight * np.bincount(after, weights=places, minlength=self.parts + 1)

    def means(self) -> tuple[float, ...]:
        edges = np.arange(1, self.parts + 1)
        covered = edges * np.cumsum(self._count)[:-1] - np.cumsum(self._place)[:-1]
        made = np.diff(covered, prepend=0.0)
        return tuple(float(value) for value in np.round(np.maximum(made, 0.0), 6))


def highest_overlap(begins: Integers, ends: Integers) -> int:
    """The most spans at one time; a span that ends where another begins does not overlap it."""
    if not len(begins):
        return 0
    times = np.concatenate((begins, ends))
    changes = np.concatenate((np.ones(len(begins), np.int64), -np.ones(len(ends), np.int64)))
    order = np.lexsort((changes, times))
    return int(np.cumsum(changes[order]).max())
