"""Sums counter values over hardware instances and over the launches of a group."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.rocpd.trace_builder import Group

if TYPE_CHECKING:
    from numpy import bool_, int64
    from numpy.typing import NDArray

    from rocm_perf_lab.rocpd.rocpd_database import Dispatched

_ROWS_AT_ONCE = 200_000


def add_counters(
    values: sqlite3.Cursor,
    names: Mapping[tuple[str, int], str],
    dispatched: Mapping[str, Dispatched],
    groups: Sequence[Group],
) -> None:
    """``values`` has rows of counter_values.sql, ``names`` the counters by guid and id."""
    processes = {guid: _Process(found, groups) for guid, found in dispatched.items()}
    while rows := values.fetchmany(_ROWS_AT_ONCE):
        for guid, part in groupby(rows, key=itemgetter(0)):
            if guid in processes:
                processes[guid].add(guid, list(part), names)
    for process in processes.values():
        process.finish()


class _Process:
    """The values of one process, found by event: events are unique only there."""

    def __init__(self, dispatched: Dispatched, groups: Sequence[Group]) -> None:
        import numpy as np

        events = np.frombuffer(dispatched.events, dtype=np.int64)
        numbers = np.frombuffer(dispatched.groups, dtype=np.intc)
        if (events[1:] <= events[:-1]).any():
            order = np.argsort(events, kind="stable")
            events, numbers = events[order], numbers[order]
        self._events, self._numbers, self._groups = events, numbers, groups
        self._seen: dict[str, NDArray[bool_]] = {}

    def add(self, guid: str, rows: list[tuple[Any, ...]], names: Mapping[tuple[str, int], str]) -> None:
        import numpy as np

        _, event_ids, counter_ids, counted, extrapolated = zip(*rows, strict=True)
        events = np.array(event_ids, dtype=np.int64)
        places = np.minimum(np.searchsorted(self._events, events), len(self._events) - 1)
        known = self._events[places] == events
        ids = np.array(counter_ids, dtype=np.int64)
        values = np.array(counted, dtype=np.float64)
        estimated = np.array(extrapolated, dtype=bool)
        for number in np.unique(ids):
            name = names.get((guid, int(number)))
            if name is None:
                continue
            chosen = known & (ids == number)
            self._add(name, places[chosen], values[chosen], estimated[chosen])

    def _add(self, name: str, places: NDArray[int64], values: Any, estimated: Any) -> None:
        import numpy as np

        numbers = self._numbers[places]
        present, inverse = np.unique(numbers, return_inverse=True)
        sums = np.bincount(inverse, weights=values, minlength=len(present))
        estimates = np.bincount(inverse, weights=estimated, minlength=len(present))
        for number, total, some in zip(present.tolist(), sums.tolist(), estimates.tolist(), strict=True):
            group = self._groups[number]
            group.counters[name] = group.counters.get(name, 0.0) + total
            if some:
                group.extrapolated.add(name)
        if name not in self._seen:
            self._seen[name] = np.zeros(len(self._events), dtype=bool)
        self._seen[name][places] = True

    def finish(self) -> None:
        """Adds in how many launches each counter was counted."""
        import numpy as np

        for name, seen in self._seen.items():
            numbers, launches = np.unique(self._numbers[seen], return_counts=True)
            for number, count in zip(numbers.tolist(), launches.tolist(), strict=True):
                counted = self._groups[number].counted
                counted[name] = counted.get(name, 0) + count
