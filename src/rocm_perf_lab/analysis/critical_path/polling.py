"""Loops that ask whether an event or stream is done, as one call that waits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.roles import Role
from rocm_perf_lab.rocpd.timeline.rows import NONE, Calls, Timeline


def merge_polling(timeline: Timeline, roles: npt.NDArray[np.int8]) -> tuple[Timeline, npt.NDArray[np.bool_]]:
    """Queries of the same thing, one after another in a thread, become one call from the first's start to the
    last's end. Also tells which calls stand for such a loop."""
    from dataclasses import replace

    calls = timeline.calls
    again = np.zeros(len(calls), bool)
    if len(calls):
        again[1:] = (roles[calls.name[1:]] == Role.QUERY) & (calls.name[1:] == calls.name[:-1])
        for column in (calls.thread, calls.event, calls.stream):
            again[1:] &= column[1:] == column[:-1]
    if not again.any():
        return timeline, again
    kept = np.flatnonzero(~again)
    last = np.concatenate((kept[1:] - 1, [len(calls) - 1]))
    merged = Calls(
        start=calls.start[kept],
        end=calls.end[last],
        **{
            name: getattr(calls, name)[kept]
            for name in ("name", "process", "thread", "stream", "event", "device", "flags")
        },
    )
    new_number = np.cumsum(~again) - 1
    works = timeline.works
    call = np.where(works.call == NONE, NONE, new_number[works.call]).astype(np.int32)
    return replace(timeline, calls=merged, works=replace(works, call=call)), last > kept
