"""Reads a rocpd database into columns: dispatches, copies, the host's HIP calls and what they were given."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.agents import agent as describe_agent
from rocm_perf_lab.rocpd.database import open_database, query
from rocm_perf_lab.rocpd.kernel_names import kernel_name
from rocm_perf_lab.rocpd.layout import DatabaseLayout, find_layout
from rocm_perf_lab.rocpd.timeline.builder import Columns, TimelineBuilder
from rocm_perf_lab.rocpd.timeline.rows import NONE, TracedProcess
from rocm_perf_lab.rocpd.timeline.streams import Argument, StreamTable

_ROWS_AT_ONCE = 50_000
_FEW = 1 << 20  # different values of a column
_HIP_CALLS = "hip[A-Z]*"  # not __hipPushCallConfiguration, which belongs to a launch
_CALL_TABLES = ("rocpd_region", "rocpd_event", "rocpd_string")

# The query for a layout that has its own for sums.
_DISPATCHES = {
    "dispatches": "timeline_dispatches",
    "dispatches_on_tracks": "timeline_dispatches_on_tracks",
    "dispatches_with_timestamps": "timeline_dispatches_with_timestamps",
}
# Calls whose arguments say what waits for what.
_TELLING = ("hipEvent", "hipStream", "hipSetDevice")

Table = npt.NDArray[np.int64]


def read_database(path: Path, builder: TimelineBuilder) -> None:
    with open_database(path) as database:
        database.text_factory = lambda text: text.decode("utf-8", "replace")
        layout = find_layout(database, path)
        if not builder.add_source(path, layout.guids):
            return
        for guid in layout.guids or _guids_used(database):
            _ProcessReader(database, layout, path, guid, builder).read()


def _guids_used(database: Any) -> list[str]:
    """For a database whose metadata names no process."""
    return [guid for (guid,) in database.execute(query("timeline_guids"))]


class _ProcessReader:
    """One process (guid) of a database."""

    def __init__(
        self, database: Any, layout: DatabaseLayout, path: Path, guid: str, builder: TimelineBuilder
    ) -> None:
        self._db, self._layout, self._path = database, layout, path
        self._guid, self._builder = guid, builder
        self._process = NONE
        self._agents: dict[int, int] = {}

    def read(self) -> None:
        self._process = self._builder.add_process(self._describe_process())
        self._read_agents()
        calls, events, stacks = self._read_calls()
        works = [part for part in (self._read_dispatches(), self._read_copies()) if len(part["start"])]
        for part in works:
            _match_calls(part, stacks)
        streams = StreamTable(self._builder, self._process)
        self._resolve_streams(streams, calls, events, works)
        self._builder.add_calls(calls)
        for part in works:
            self._builder.add_works(part)

    def _describe_process(self) -> TracedProcess:
        if self._layout.has("rocpd_info_process", "rocpd_info_node"):
            for guid, pid, parent, host, _, _ in self._db.execute(query("timeline_processes")):
                if guid == self._guid:
                    return TracedProcess(pid, parent, host)
        return TracedProcess(NONE, None, None)

    def _read_agents(self) -> None:
        if not self._layout.has("rocpd_info_agent"):
            return
        for guid, number, index, name, product, extdata in self._db.execute(query("agents")):
            if guid != self._guid:
                continue
            try:
                properties = json.loads(extdata or "{}")
            except (TypeError, ValueError, RecursionError):
                properties = {}
            found = describe_agent(
                number if index is None else index,
                name,
                product,
                properties if isinstance(properties, dict) else {},
            )
            self._agents[number] = found.index
            self._builder.add_agent(found)

    # Dispatches and copies

    def _read_dispatches(self) -> Columns:
        rows = self._table(_DISPATCHES[self._layout.dispatches], (self._guid,), 9)
        rows = self._usable(rows, 5, 6, "dispatches")
        count = len(rows)
        return {
            "copy": np.zeros(count, np.int64),
            "start": rows[:, 5].copy(),
            "end": rows[:, 6].copy(),
            "name": _translated(rows[:, 0], self._kernel_name),
            "process": np.full(count, self._process),
            "stream": rows[:, 3].copy(),
            "queue": _translated(rows[:, 2], self._queue),
            "agent": _translated(rows[:, 1], lambda number: self._agents.get(number, number)),
            "peer": np.full(count, NONE),
            "order": rows[:, 4].copy(),
            "bytes": np.zeros(count, np.int64),
            "stack": rows[:, 7].copy(),
            "parent": rows[:, 8].copy(),
        }

    def _read_copies(self) -> Columns:
        if self._layout.tracks or not self._layout.has("rocpd_memory_copy", "rocpd_string"):
            return {"start": np.empty(0, np.int64)}
        rows = self._table("timeline_copies", (self._guid,), 10)
        rows = self._usable(rows, 5, 6, "copies")
        count = len(rows)
        source = _translated(rows[:, 1], lambda number: self._agents.get(number, NONE))
        target = _translated(rows[:, 2], lambda number: self._agents.get(number, NONE))
        return {
            "copy": np.ones(count, np.int64),
            "start": rows[:, 5].copy(),
            "end": rows[:, 6].copy(),
            "name": _translated(rows[:, 0], self._string),
            "process": np.full(count, self._process),
            "stream": rows[:, 3].copy(),
            "queue": np.full(count, NONE),
            "agent": np.where(target == NONE, source, target),
            "peer": np.where((target != NONE) & (source != target), source, NONE),
            "order": rows[:, 4].copy(),
            "bytes": rows[:, 7].copy(),
            "stack": rows[:, 8].copy(),
            "parent": rows[:, 9].copy(),
        }

    def _usable(self, rows: Table, start: int, end: int, what: str) -> Table:
        fine = (rows[:, end] >= rows[:, start]) & (rows[:, end] > 0) & (rows[:, start] >= 0)
        if fine.all():
            return rows
        bad = len(rows) - int(fine.sum())
        self._builder.warn(f"{self._path}: {bad} {what} end before they start or have no time: not used")
        return rows[fine]

    def _kernel_name(self, number: int) -> int:
        row = self._db.execute(query("kernel"), (self._guid, number)).fetchone()
        name = None
        if row is not None:
            try:
                names = json.loads(row[2] or "{}")
            except (TypeError, ValueError, RecursionError):
                names = {}
            name = kernel_name(row[0], row[1], names if isinstance(names, dict) else {})
        return self._builder.name(name or f"(kernel {number} without a name)")

    def _queue(self, number: int) -> int:
        return NONE if number == NONE else self._builder.number("queue", self._process, number)

    def _string(self, number: int) -> int:
        row = self._db.execute(query("timeline_strings"), (self._guid, number)).fetchone()
        return self._builder.name(row[0] if row else f"(name {number})")

    # The host's calls

    def _read_calls(self) -> tuple[Columns, Table, tuple[Table, Table]]:
        """The calls, their events, and (stack id, index of the call) by stack id.

        A call inside another of its thread (the runtime calling itself) is left out; what it started counts
        as started by the outer one.
        """
        if self._layout.tracks or not self._layout.has(*_CALL_TABLES):
            if self._layout.tracks:
                self._builder.warn(
                    f"{self._path}: of version {self._layout.version} of the schema dispatches are read, "
                    "copies and calls are not"
                )
            rows = np.empty((0, 6), np.int64)
        else:
            rows = self._table("timeline_calls", {"guid": self._guid, "names": _HIP_CALLS}, 6)
            rows = self._usable(rows, 2, 3, "calls")
        rows = rows[np.lexsort((-rows[:, 3], rows[:, 2], rows[:, 0]))]
        outer = _outermost(rows[:, 0], rows[:, 3])
        kept = np.flatnonzero(outer)
        owner = np.cumsum(outer) - 1  # of every call: the outermost one it is in
        by_stack = np.argsort(rows[:, 4], kind="stable")
        stacks = (rows[by_stack, 4], owner[by_stack])
        rows = rows[kept]
        count = len(rows)
        columns = {
            "start": rows[:, 2].copy(),
            "end": rows[:, 3].copy(),
            "name": _translated(rows[:, 1], self._string),
            "process": np.full(count, self._process),
            "thread": _translated(rows[:, 0], lambda tid: self._builder.number("thread", self._process, tid)),
            "stream": np.full(count, NONE),
            "event": np.full(count, NONE),
            "device": np.full(count, NONE),
            "flags": np.full(count, NONE),
        }
        return columns, rows[:, 5].copy(), stacks

    def _resolve_streams(
        self, streams: StreamTable, calls: Columns, events: Table, works: list[Columns]
    ) -> None:
        """Gives streams their numbers and fills in what calls were given."""
        numbers = _some_calls(works)
        telling = [self._builder.name(name) for name in self._builder.names() if name.startswith(_TELLING)]
        wanted = np.flatnonzero(np.isin(calls["name"], telling))
        arguments: list[Argument] = []
        if len(wanted) and self._layout.has("rocpd_arg"):
            wanted = np.union1d(wanted, np.fromiter(numbers, np.int64, len(numbers)))
            arguments = self._arguments(dict(zip(events[wanted].tolist(), wanted.tolist(), strict=True)))
        streams.learn_flags(calls, arguments)
        for part in works:
            place = part["stream"] * _FEW + part["agent"] + 1
            part["stream"] = _translated(
                np.where(part["stream"] == NONE, NONE, place),
                lambda both: NONE if both == NONE else streams.of_work(both // _FEW, both % _FEW - 1),
            )
        streams.learn_handles(numbers, arguments)
        streams.fill(calls, arguments)
        for part in works:
            part["call"] = np.where(part["call"] == NONE, NONE, part["call"] + self._builder.call_count)
            part.pop("stack")
            part.pop("parent")

    def _arguments(self, call_of: dict[int, int]) -> list[Argument]:
        self._db.execute("CREATE TEMP TABLE IF NOT EXISTS wanted_events (id INTEGER PRIMARY KEY)")
        self._db.execute("DELETE FROM wanted_events")
        self._db.executemany("INSERT INTO wanted_events VALUES (?)", ((event,) for event in call_of))
        rows = self._db.execute(query("timeline_arguments"), (self._guid,))
        return [Argument(call_of[event], name, value, stream) for event, name, value, stream in rows]

    def _table(self, name: str, parameters: Any, width: int) -> Table:
        """All rows of a query whose columns are integers."""
        cursor = self._db.execute(query(name), parameters)
        try:
            parts = [np.array(rows, np.int64) for rows in _batches(cursor)]
        except (TypeError, ValueError, OverflowError):
            raise BadInput(
                f"{self._path} is damaged: ids or times of {name} are not whole numbers",
                "trace the program again",
            ) from None
        return np.concatenate(parts) if parts else np.empty((0, width), np.int64)


def _batches(cursor: Any) -> Iterator[list[tuple[int, ...]]]:
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        yield rows


def _translated(column: Table, translate: Any) -> Table:
    """The column with every different value replaced; ``translate`` is asked once for each."""
    if not len(column):
        return np.empty(0, np.int64)
    least, most = int(column.min()), int(column.max())
    if most - least < _FEW:  # ids mostly are small: look them up
        there = np.flatnonzero(np.bincount(column - least)) + least
        table = np.zeros(most - least + 1, np.int64)
        table[there - least] = [translate(int(value)) for value in there]
        return table[column - least]
    values, places = np.unique(column, return_inverse=True)
    new = np.array([translate(int(value)) for value in values], np.int64)
    return new[places]


def _outermost(threads: Table, ends: Table) -> npt.NDArray[np.bool_]:
    """Which calls are not inside an earlier one of their thread; rows are by thread, start and -end."""
    outer = np.ones(len(threads), bool)
    edges = [0, *(np.flatnonzero(np.diff(threads)) + 1).tolist(), len(threads)]
    for first, last in itertools.pairwise(edges):
        if last - first > 1:
            latest = np.maximum.accumulate(ends[first:last])
            outer[first + 1 : last] = ends[first + 1 : last] > latest[:-1]
    return outer


def _match_calls(part: Columns, stacks: tuple[Table, Table]) -> None:
    """The call that caused each dispatch or copy: by its stack id, or by that of the call around it."""
    known, owners = stacks
    part["call"] = np.full(len(part["start"]), NONE)
    if not len(known):
        return
    for key in ("parent", "stack"):  # the nearer one last
        places = np.minimum(np.searchsorted(known, part[key]), len(known) - 1)
        found = (known[places] == part[key]) & (part[key] > 0)
        part["call"][found] = owners[places[found]]


def _some_calls(works: list[Columns]) -> dict[int, int]:
    """For every stream the first and the last call that brought it work: call -> number of the stream."""
    found: dict[int, int] = {}
    for part in works:
        known = np.flatnonzero((part["call"] != NONE) & (part["stream"] != NONE))
        for rows in (known, known[::-1]):
            numbers, first = np.unique(part["stream"][rows], return_index=True)
            found.update(zip(part["call"][rows[first]].tolist(), numbers.tolist(), strict=True))
    return found
