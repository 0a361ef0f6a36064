"""How long a GPU ran nothing before each launch, summed by groups of launches."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

# Of the idle time before a launch, so much at most is put down to launching: longer gaps are the host's.
# Chosen; around an empty kernel on an MI300A events measure 4.2 us.
LAUNCH_COST_NS = 10_000


class LaunchTimes(NamedTuple):
    """Of the launches of a group, in nanoseconds; launch by launch, in whatever order."""

    starts: array[int]
    durations: array[int]


class Idle(NamedTuple):
    total_ns: int
    """Before the launches of a group, LAUNCH_COST_NS at most before each."""
    launches: int
    """Those of which it is the sum: all but one that is the first on its GPU."""


def idle_before(groups: Sequence[LaunchTimes], *, many: int) -> list[Idle]:
    """For each of the groups that one GPU ran. With ``many`` launches or more it is numpy that sorts them."""
    found = _by_arrays if sum(len(group.starts) for group in groups) >= many else _one_by_one
    return found(groups)


def _one_by_one(groups: Sequence[LaunchTimes]) -> list[Idle]:
    total, launches = [0] * len(groups), [0] * len(groups)
    everything = [
        (start, start + duration, number)
        for number, group in enumerate(groups)
        for start, duration in zip(group.starts, group.durations, strict=True)
    ]
    everything.sort(key=itemgetter(0))
    busy_until: int | None = None
    for start, end, number in everything:
        if busy_until is not None:
            total[number] += min(max(0, start - busy_until), LAUNCH_COST_NS)
            launches[number] += 1
        busy_until = end if busy_until is None else max(busy_until, end)
    return list(map(Idle, total, launches))


def _by_arrays(groups: Sequence[LaunchTimes]) -> list[Idle]:
    import numpy as np

    starts = np.concatenate([np.frombuffer(group.starts, dtype=np.int64) for group in groups])
    ends = np.concatenate([np.frombuffer(group.durations, dtype=np.int64) for group in groups])
    ends += starts
    number = np.repeat(np.arange(len(groups), dtype=np.int32), [len(group.starts) for group in groups])
    order = np.argsort(starts, kind="stable")
    starts = starts[order]  # one after the other, so that of long traces no more is held than needed
    ends = ends[order]
    number = number[order][1:]
    del order
    busy_until = np.maximum.accumulate(ends, out=ends)[:-1]
    gaps = np.subtract(starts[1:], busy_until, out=starts[1:])
    np.clip(gaps, 0, LAUNCH_COST_NS, out=gaps)
    total = np.bincount(number, weights=gaps, minlength=len(groups))
    launches = np.bincount(number, minlength=len(groups))
    return [Idle(int(ns), int(count)) for ns, count in zip(total, launches, strict=True)]
