"""Reads a rocpd database of schema version 3: times are columns of the dispatches."""

from __future__ import annotations

import json
import sqlite3
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocm_perf_lab.rocpd.agents import agent
from rocm_perf_lab.rocpd.counter_sums import add_counters
from rocm_perf_lab.rocpd.kernel_names import kernel_name
from rocm_perf_lab.rocpd.queries import query
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey, Process
from rocm_perf_lab.rocpd.trace_builder import Group, TraceBuilder

_KEY_COLUMNS = 11  # of dispatches.sql: guid to private_segment_size

RowKey = tuple[Any, ...]


@dataclass
class Dispatched:
    """For the counters: the events of one process's dispatches, and the group each belongs to."""

    events: array[int] = field(default_factory=lambda: array("q"))
    groups: array[int] = field(default_factory=lambda: array("i"))


def read_schema3(database: sqlite3.Connection, path: Path, builder: TraceBuilder) -> None:
    Schema3(database, path, builder).read()


class Schema3:
    def __init__(self, database: sqlite3.Connection, path: Path, builder: TraceBuilder) -> None:
        self._db, self._path, self._builder = database, path, builder
        self._agents: dict[tuple[str, int], int] = {}
        self._kernels: dict[tuple[str, int], tuple[str, KernelResources]] = {}
        self._durations: dict[RowKey, tuple[array[int], int] | None] = {}
        self._groups: list[Group] = []

    def read(self) -> None:
        self._db.text_factory = _lenient  # names come from programs and may be any bytes
        self._read_processes()
        self._read_agents()
        self._read_kernels()
        self._builder.add_code_objects(uri for (uri,) in self._rows("code_objects"))
        counters = bool(self._db.execute(query("has_counters")).fetchone()[0])
        dispatched: dict[str, Dispatched] | None = {} if counters else None
        self._read_dispatches(dispatched)
        if dispatched:
            names = {(guid, number): name for guid, number, name in self._rows("counters")}
            self._db.text_factory = str
            add_counters(self._db.execute(query("counter_values")), names, dispatched, self._groups)

    def _rows(self, name: str) -> list[tuple[Any, ...]]:
        return self._db.execute(query(name)).fetchall()

    def _read_processes(self) -> None:
        for _, pid, command, hostname in self._rows("processes"):
            self._builder.add_process(Process(pid, command, hostname))

    def _read_agents(self) -> None:
        for guid, number, index, name, product, extdata in self._rows("agents"):
            properties = self._json(extdata, f"agent {number}")
            found = agent(number if index is None else index, name, product, properties)
            self._agents[guid, number] = found.index
            self._builder.add_agent(found)

    def _read_kernels(self) -> None:
        for guid, number, symbol, display_name, extdata, *sizes in self._rows("kernels"):
            names = self._json(extdata, f"kernel {number}")
            name = kernel_name(symbol, display_name, names)
            self._kernels[guid, number] = (name or _unnamed(number), KernelResources(*sizes))

    def _json(self, text: Any, owner: str) -> dict[str, Any]:
        """extdata of a row. What cannot be read is missing, not fatal."""
        try:
            found = json.loads(text or "{}")
        except (TypeError, ValueError):
            found = None
        if isinstance(found, dict):
            return found
        self._builder.warn(f"{self._path}: the properties of {owner} are not JSON and are left out")
        return {}

    def _read_dispatches(self, dispatched: dict[str, Dispatched] | None) -> None:
        """The one loop over all dispatches: about a microsecond each, and 8 bytes."""
        self._db.text_factory = str  # faster; guids are ASCII
        durations, new_key = self._durations, self._new_key
        begin, end, unusable = 2**63, -(2**63), 0
        for row in self._db.execute(query("dispatches")):
            key = row[:_KEY_COLUMNS]
            try:
                found = durations[key]
            except KeyError:
                found = durations[key] = new_key(key)
            if found is None:
                continue
            started, ended = row[11], row[12]
            try:
                duration = ended - started
                if duration < 0:
                    unusable += 1
                    continue
                found[0].append(duration)
            except (TypeError, OverflowError):  # not an integer, or no time at all
                unusable += 1
                continue
            if started < begin:
                begin = started
            if ended > end:
                end = ended
            if dispatched is not None and row[13] is not None:
                events = dispatched.get(row[0])
                if events is None:
                    events = dispatched[row[0]] = Dispatched()
                events.events.append(row[13])
                events.groups.append(found[1])
        if unusable:
            self._builder.warn(
                f"{self._path}: {unusable} dispatches end before they start or have no time: not used"
            )
        if begin <= end:
            self._builder.add_span(begin, end)
        self._hand_over()

    def _new_key(self, key: RowKey) -> tuple[array[int], int] | None:
        """A place for the durations of launches like this one; None if the kernel was not asked for."""
        guid, kernel_id, agent_id, gx, gy, gz, wx, wy, wz, lds, scratch = key
        name, resources = self._kernel(guid, kernel_id)
        if not self._builder.wants(name):
            return None
        launch = LaunchKey(
            kernel=name,
            agent=self._agent(guid, agent_id),
            grid=(gx, gy, gz),
            workgroup=(wx, wy, wz),
            lds_bytes=(resources.lds_static_bytes or 0) if lds is None else lds,
            scratch_bytes=(resources.scratch_bytes or 0) if scratch is None else scratch,
        )
        self._groups.append(self._builder.group(launch))
        return array("q"), len(self._groups) - 1

    def _kernel(self, guid: str, kernel_id: int) -> tuple[str, KernelResources]:
        found = self._kernels.get((guid, kernel_id))
        if found is None:
            self._builder.warn(f"{self._path}: kernel {kernel_id} was dispatched and is not described")
            found = (_unnamed(kernel_id), KernelResources(None, None, None, None, None))
        return found

    def _agent(self, guid: str, agent_id: int) -> int:
        index = self._agents.get((guid, agent_id))
        if index is None:
            self._builder.warn(f"{self._path}: agent {agent_id} was used and is not described")
            return agent_id
        return index

    def _hand_over(self) -> None:
        for key in list(self._durations):
            found = self._durations.pop(key)
            if found is None or not found[0]:
                continue
            durations, number = found
            group = self._groups[number]
            resources = self._kernel(key[0], key[1])[1]
            group.resources[resources] = group.resources.get(resources, 0) + len(durations)
            group.durations.extend(durations)


def _unnamed(kernel_id: int) -> str:
    return f"(kernel {kernel_id} without a name)"


def _lenient(text: bytes) -> str:
    return text.decode("utf-8", "replace")
