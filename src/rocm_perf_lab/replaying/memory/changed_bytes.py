"""Which bytes of a region the kernel changed in the program, exactly, cut at given places."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocm_perf_lab.capturing.region_file import CHUNK, PAGE, RegionFile
from rocm_perf_lab.contracts.captures.inspection import ChangedRange, Changes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_RANGES = 16
NO_CHANGES = Changes(bytes=0, ranges=(), ranges_in_all=0)


def changes_between(before: RegionFile, after: RegionFile | None, cuts: Sequence[int]) -> list[Changes]:
    """The changes in each part of the region; ``cuts`` are the offsets at which its further parts begin.

    Offsets of ranges are from the beginning of their part.
    """
    bounds = [0, *cuts, before.size]
    parts = [_Part(start, end) for start, end in itertools.pairwise(bounds)]
    if after is not None:
        for chunk in after.held_chunks():
            changed = _changed_offsets(before, after, chunk)
            for part in parts:
                part.add(changed)
    return [part.changes() for part in parts]


def _changed_offsets(before: RegionFile, after: RegionFile, chunk: int) -> NDArray[np.int64]:
    """Of the bytes of one chunk that differ, in their order."""
    import numpy as np

    old = np.zeros(CHUNK, np.uint8)
    before.over(chunk, old)
    new = old.copy()
    after.over(chunk, new)
    start = chunk * CHUNK
    inside = min(CHUNK, before.size - start)  # not what fills up the last page
    return np.flatnonzero(old[:inside] != new[:inside]) + start


class _Part:
    """Adds up the changes from ``start`` to ``end``; those less than a page apart are one range."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.bytes = self.ranges_in_all = 0
        self.kept: list[ChangedRange] = []
        self.open: tuple[int, int] | None = None  # the last range, which may go on

    def add(self, offsets: NDArray[np.int64]) -> None:
        import numpy as np

        mine = offsets[np.searchsorted(offsets, self.start) : np.searchsorted(offsets, self.end)]
        if not len(mine):
            return
        self.bytes += len(mine)
        breaks = np.flatnonzero(np.diff(mine) > PAGE)
        firsts, lasts = mine[np.r_[0, breaks + 1]], mine[np.r_[breaks, len(mine) - 1]]
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
            if self.open and first - self.open[1] < PAGE:
                self.open = (self.open[0], last + 1)
            else:
                self._close()
                self.open = (first, last + 1)

    def _close(self) -> None:
        if self.open:
            self.ranges_in_all += 1
            if len(self.kept) < MOST_RANGES:
                first, end = self.open
                self.kept.append(ChangedRange(offset=first - self.start, bytes=end - first))
        self.open = None

    def changes(self) -> Changes:
        self._close()
        return Changes(bytes=self.bytes, ranges=tuple(self.kept), ranges_in_all=self.ranges_in_all)
