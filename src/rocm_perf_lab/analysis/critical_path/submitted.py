"""What had been submitted to each stream at a moment, and which of it ended last."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.rocpd.timeline.rows import NONE, Timeline

Ints = npt.NDArray[np.int64]


def submission_times(timeline: Timeline) -> Ints:
    """When each work was handed to the runtime: at the start of its call, or, where no call is known, at its
    own start."""
    works = timeline.works
    if not len(timeline.calls):
        return works.start
    return np.where(works.call == NONE, works.start, timeline.calls.start[works.call])


class StreamHistory:
    """The works of one stream in the order of their submission."""

    def __init__(self, works: Ints, submitted: Ints, ends: Ints) -> None:
        self.works: list[int] = works.tolist()
        self._submitted: list[int] = submitted.tolist()
        latest = np.maximum.accumulate(ends)
        changes = np.concatenate(([True], latest[1:] > latest[:-1]))
        # Of the works up to each: the one that ended last.
        self._last: list[int] = works[
            np.maximum.accumulate(np.where(changes, np.arange(len(works)), 0))
        ].tolist()

    def position(self, time: int) -> int:
        """How many works had been submitted before ``time``."""
        return bisect_left(self._submitted, time)

    def last_ended(self, position: int) -> int:
        """Of the first ``position`` works (at least one) the one that ended last."""
        return self._last[position - 1]


def stream_histories(timeline: Timeline) -> dict[int, StreamHistory]:
    works = timeline.works
    submitted = submission_times(timeline)
    return {
        int(works.stream[rows[0]]): StreamHistory(rows, submitted[rows], works.end[rows])
        for rows in _by_stream(works.stream, submitted, works.order)
        if works.stream[rows[0]] != NONE
    }


def _by_stream(stream: npt.NDArray[np.int32], submitted: Ints, order: Ints) -> Iterator[Ints]:
    if not len(stream):
        return
    ordered = np.lexsort((order, submitted, stream))
    yield from np.split(ordered, np.flatnonzero(np.diff(stream[ordered])) + 1)
