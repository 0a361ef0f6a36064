"""Reads a rocpd database: one loop over its dispatches, everything else by id."""

from __future__ import annotations

import json
import sqlite3
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rocm_perf_lab.rocpd.agents import agent
from rocm_perf_lab.rocpd.counter_sums import add_counters
from rocm_perf_lab.rocpd.database import open_database, query
from rocm_perf_lab.rocpd.kernel_names import kernel_name
from rocm_perf_lab.rocpd.layout import DatabaseLayout, find_layout
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey, Process
from rocm_perf_lab.rocpd.trace_builder import GroupSums, TraceBuilder

_KEY_COLUMNS = 11  # of dispatches*.sql: guid to private_segment_size

RowKey = tuple[Any, ...]


class _Alike(NamedTuple):
    """The launches of one row key while they are read."""

    starts: array[int]
    durations: array[int]
    group: int


@dataclass
class Dispatched:
    """For the counters: the events of one process's dispatches, and the group each belongs to."""

    events: array[int] = field(default_factory=lambda: array("q"))
    groups: array[int] = field(default_factory=lambda: array("i"))


def read_database(path: Path, builder: TraceBuilder) -> None:
    with open_database(path) as database:
        layout = find_layout(database, path)
        if builder.is_new(path, layout.guids):
            _Reader(database, layout, path, builder).read()


class _Reader:
    def __init__(
        self, database: sqlite3.Connection, layout: DatabaseLayout, path: Path, builder: TraceBuilder
    ) -> None:
        self._db, self._layout, self._path, self._builder = database, layout, path, builder
        self._agents: dict[tuple[str, int], int] = {}  # index, by guid and id of the agent or its track
        self._kernels: dict[tuple[str, int], tuple[str, KernelResources]] = {}
        self._launches: dict[RowKey, _Alike] = {}
        self._groups: list[GroupSums] = []

    def read(self) -> None:
        self._db.text_factory = _lenient  # names come from programs and may be any bytes
        self._read_processes()
        self._read_agents()
        uris = self._rows("code_objects", "rocpd_info_code_object")
        self._builder.add_code_objects(uri for (uri,) in uris)
        counters = self._rows("has_counters", "rocpd_pmc_event", "rocpd_info_pmc") == [(1,)]
        dispatched: dict[str, Dispatched] | None = {} if counters else None
        self._read_dispatches(dispatched)
        if dispatched:
            names = {(guid, number): name for guid, number, name in self._rows("counters")}
            self._db.text_factory = str
            values = self._db.execute(query(self._layout.counter_values))
            add_counters(values, names, dispatched, self._groups)

    def _rows(self, name: str, *tables: str) -> list[tuple[Any, ...]]:
        """All rows of a query; none where a table is missing that not every version writes."""
        if not self._layout.has(*tables):
            missing = ", ".join(sorted(set(tables) - self._layout.tables))
            self._builder.warn(f"{self._path}: there is no {missing}; what it would say is missing")
            return []
        return self._db.execute(query(name)).fetchall()

    def _read_processes(self) -> None:
        for _, pid, command, hostname in self._rows("processes", "rocpd_info_process", "rocpd_info_node"):
            self._builder.add_process(Process(pid, command, hostname))

    def _read_agents(self) -> None:
        agents: dict[tuple[str, int], int] = {}
        for guid, number, index, name, product, extdata in self._rows("agents", "rocpd_info_agent"):
            properties = self._json(extdata, f"agent {number}")
            found = agent(
                number if index is None else index,
                properties.get("name") or name,
                properties.get("product_name") or product,
                properties,
            )
            agents[guid, number] = found.index
            self._builder.add_agent(found)
        if not self._layout.tracks:
            self._agents = agents
            return
        for guid, track, number in self._rows("tracks", "rocpd_track"):
            if (guid, number) in agents:
                self._agents[guid, track] = agents[guid, number]

    def _json(self, text: Any, owner: str) -> dict[str, Any]:
        """extdata of a row. What cannot be read is missing, not fatal."""
        try:
            found = json.loads(text or "{}")
        except (TypeError, ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
        self._builder.warn(f"{self._path}: the properties of {owner} are not JSON and are left out")
        return {}

    def _read_dispatches(self, dispatched: dict[str, Dispatched] | None) -> None:
        """The one loop over all dispatches: about a microsecond each, and 16 bytes."""
        self._db.text_factory = str  # faster; guids are ASCII
        launches, new_key = self._launches, self._new_key
        unusable = 0
        for row in self._db.execute(query(self._layout.dispatches)):
            key = row[:_KEY_COLUMNS]
            try:
                found = launches[key]
            except KeyError:
                found = launches[key] = new_key(key)
            started, ended = row[11], row[12]
            try:
                duration = ended - started
                if duration < 0 or ended <= 0:
                    unusable += 1
                    continue
                found.durations.append(duration)
            except (TypeError, OverflowError):  # not an integer, or no time at all
                unusable += 1
                continue
            found.starts.append(started)
            if dispatched is not None and row[13] is not None:
                events = dispatched.get(row[0])
                if events is None:
                    events = dispatched[row[0]] = Dispatched()
                events.events.append(row[13])
                events.groups.append(found.group)
        if unusable:
            self._builder.warn_unusable(self._path, unusable)
        self._hand_over()

    def _new_key(self, key: RowKey) -> _Alike:
        """A place for launches like this one."""
        guid, kernel_id, place, gx, gy, gz, wx, wy, wz, lds, scratch = key
        name, resources = self._kernel(guid, kernel_id)
        launch = LaunchKey(
            kernel=name,
            agent=self._agent(guid, place),
            grid=(gx, gy, gz),
            workgroup=(wx, wy, wz),
            lds_bytes=(resources.lds_static_bytes or 0) if lds is None else lds,
            scratch_bytes=(resources.scratch_bytes or 0) if scratch is None else scratch,
        )
        self._groups.append(self._builder.group(launch))
        return _Alike(array("q"), array("q"), len(self._groups) - 1)

    def _kernel(self, guid: str, kernel_id: int) -> tuple[str, KernelResources]:
        found = self._kernels.get((guid, kernel_id))
        if found is None:
            found = self._kernels[guid, kernel_id] = self._read_kernel(guid, kernel_id)
        return found

    def _read_kernel(self, guid: str, kernel_id: int) -> tuple[str, KernelResources]:
        self._db.text_factory = _lenient
        row = self._db.execute(query("kernel"), (guid, kernel_id)).fetchone()
        self._db.text_factory = str
        if row is None:
            self._builder.warn(f"{self._path}: kernel {kernel_id} was dispatched and is not described")
            return _unnamed(kernel_id), KernelResources(None, None, None, None, None)
        symbol, display_name, extdata, *sizes = row
        name = kernel_name(symbol, display_name, self._json(extdata, f"kernel {kernel_id}"))
        return name or _unnamed(kernel_id), KernelResources(*sizes)

    def _agent(self, guid: str, place: int) -> int:
        """The index of the agent that the dispatch, or its track, names."""
        index = self._agents.get((guid, place))
        if index is None:
            what = "track" if self._layout.tracks else "agent"
            self._builder.warn(f"{self._path}: {what} {place} was used and its agent is not described")
            return -1 if self._layout.tracks else place
        return index

    def _hand_over(self) -> None:
        for key in list(self._launches):
            starts, durations, group = self._launches.pop(key)
            if durations:
                self._groups[group].add(starts, durations, self._kernel(key[0], key[1])[1])


def _unnamed(kernel_id: int) -> str:
    return f"(kernel {kernel_id} without a name)"


def _lenient(text: bytes) -> str:
    return text.decode("utf-8", "replace")
