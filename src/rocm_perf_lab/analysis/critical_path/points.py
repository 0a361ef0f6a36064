"""How points in time are numbered: starts and ends of work and of calls, markers, the begin and the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.rocpd.timeline.rows import Timeline

Times = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PointLayout:
    works: int
    calls: int
    markers: int = 0

    @property
    def begin(self) -> int:
        return 2 * (self.works + self.calls) + self.markers

    @property
    def end(self) -> int:
        return self.begin + 1

    @property
    def count(self) -> int:
        return self.begin + 2

    def work_start(self, work: Any) -> Any:
        return 2 * work

    def work_end(self, work: Any) -> Any:
        return 2 * work + 1

    def call_start(self, call: Any) -> Any:
        return 2 * (self.works + call)

    def call_end(self, call: Any) -> Any:
        return 2 * (self.works + call) + 1

    def marker(self, number: Any) -> Any:
        """An event as recorded: the moment when what came before it in its stream has ended."""
        return 2 * (self.works + self.calls) + number


def observed_times(timeline: Timeline) -> Times:
    """When each start and end was; without markers, begin and end."""
    works, calls = timeline.works, timeline.calls
    times = np.empty(2 * (len(works) + len(calls)), np.int64)
    middle = 2 * len(works)
    times[0:middle:2], times[1:middle:2] = works.start, works.end
    times[middle::2], times[middle + 1 :: 2] = calls.start, calls.end
    return times
