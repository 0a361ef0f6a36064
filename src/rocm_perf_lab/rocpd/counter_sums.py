"""Sums counter values over hardware instances and over the launches of a group."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.rocpd.trace_builder import GroupSums

if TYPE_CHECKING:
    from rocm_perf_lab.rocpd.rocpd_database import Dispatched

_ROWS_AT_ONCE = 20_000
_COLUMNS = [
    ("event", "i8"),
    ("counter", "i8"),
    ("value", "f8"),
    ("extrapolated", "?"),
]  # of counter_values.sql


def add_counters(
    values: sqlite3.Cursor,
    names: Mapping[tuple[str, int], str],
    dispatched: Mapping[str, Dispatched],
    groups: Sequence[GroupSums],
) -> None:
    """``values`` has rows of counter_values.sql, ``names`` the counters by guid and id."""
    processes = {
        guid: _Process(found, groups, {number: name for (of, number), name in names.items() if of == guid})
        for guid, found in dispatched.items()
    }
    guid_of, rest_of = itemgetter(0), itemgetter(1, 2, 3, 4)
    while rows := values.fetchmany(_ROWS_AT_ONCE):
        alike = guid_of(rows[0]) == guid_of(rows[-1]) and len(set(map(guid_of, rows))) == 1
        parts = [(guid_of(rows[0]), rows)] if alike else groupby(rows, key=guid_of)
        for guid, part in parts:
            if guid in processes:
                processes[guid].add(list(map(rest_of, part)))
    for process in processes.values():
        process.finish()


class _Process:
    """The values of one process, found by event: events are unique only there."""

    def __init__(self, dispatched: Dispatched, groups: Sequence[GroupSums], names: Mapping[int, str]) -> None:
        import numpy as np

        events = np.frombuffer(dispatched.events, dtype=np.int64)
        numbers = np.frombuffer(dispatched.groups, dtype=np.intc).astype(np.int64)
        if (events[1:] <= events[:-1]).any():
            order = np.argsort(events, kind="stable")
            events, numbers = events[order], numbers[order]
        self._events, self._group_of, self._groups = events, numbers, groups
        # Several ids may have one name: a counter has an id on every agent.
        self._names = sorted(set(names.values()))
        self._ids = np.array(sorted(names), dtype=np.int64)
        places = [self._names.index(names[number]) for number in sorted(names)]
        self._name_of = np.array(places, dtype=np.int64)
        shape = len(self._names) * len(groups)
        self._sums, self._estimates = np.zeros(shape), np.zeros(shape)
        self._seen = np.zeros((len(self._names), len(events)), dtype=bool)

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        import numpy as np

        if not len(self._ids):
            return
        data = np.fromiter(rows, dtype=_COLUMNS, count=len(rows))
        places = np.minimum(np.searchsorted(self._events, data["event"]), len(self._events) - 1)
        ids = np.minimum(np.searchsorted(self._ids, data["counter"]), len(self._ids) - 1)
        known = (self._events[places] == data["event"]) & (self._ids[ids] == data["counter"])
        if not known.all():
            data, places, ids = data[known], places[known], ids[known]
        names = self._name_of[ids]
        cells = names * len(self._groups) + self._group_of[places]
        self._sums += np.bincount(cells, weights=data["value"], minlength=len(self._sums))
        if data["extrapolated"].any():
            weights = data["extrapolated"].astype(np.float64)
            self._estimates += np.bincount(cells, weights=weights, minlength=len(self._sums))
        self._seen[names, places] = True

    def finish(self) -> None:
        """Hands the sums to the groups, with the number of launches each is of."""
        import numpy as np

        for place, name in enumerate(self._names):
            counted = np.bincount(self._group_of[self._seen[place]], minlength=len(self._groups))
            first = place * len(self._groups)
            for number in np.flatnonzero(counted).tolist():
                group, cell = self._groups[number], first + number
                group.counters[name] = group.counters.get(name, 0.0) + float(self._sums[cell])
                group.counted[name] = group.counted.get(name, 0) + int(counted[number])
                if self._estimates[cell]:
                    group.extrapolated.add(name)
