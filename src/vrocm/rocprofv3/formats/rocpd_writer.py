"""Writes a trace as a rocpd database (SQLite), byte for byte the same for the same trace."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..counters import Catalogue
from ..errors import NoRoom
from ..logs.agent_properties import agent_properties
from ..logs.trace import Allocation, ProcessTrace, Region, Scratch
from . import rocpd_schema as schema
from .rocpd_views import VIEWS, create_view

_LEVELS = {
    "MEMORY_ALLOCATION_ALLOCATE": ("ALLOC", "REAL"),
    "MEMORY_ALLOCATION_FREE": ("FREE", "REAL"),
    "MEMORY_ALLOCATION_VMEM_ALLOCATE": ("ALLOC", "VIRTUAL"),
    "MEMORY_ALLOCATION_VMEM_FREE": ("FREE", "VIRTUAL"),
    "SCRATCH_MEMORY_ALLOC": ("ALLOC", "SCRATCH"),
    "SCRATCH_MEMORY_FREE": ("FREE", "SCRATCH"),
}
# Where SQLite writes its own version (file format, section 1.3): the one thing in the file that is not ours.
_VERSION_OFFSET = 96
_VERSION = 3_040_000


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _guid(trace: ProcessTrace) -> str:
    """A UUID (version 8, RFC 9562) of the contents: the same trace has the same, another one has another."""
    digest = bytearray(hashlib.sha256(repr(_contents(trace)).encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _contents(trace: ProcessTrace) -> tuple[Any, ...]:
    """Everything that is written."""
    return tuple(value for name, value in sorted(vars(trace).items()) if name != "_kernel_index")


def _source(uri: str) -> dict[str, int]:
    """Where the code object lies in memory, from its name."""
    match = re.search(r"^memory:.*#offset=0x([0-9a-f]+)&size=(\d+)", uri)
    return {"memory_base": int(match[1], 16), "memory_size": int(match[2])} if match else {}


class RocpdWriter:
    def __init__(self, database: sqlite3.Connection, trace: ProcessTrace, catalogue: Catalogue) -> None:
        self._db, self._trace, self._catalogue = database, trace, catalogue
        self._guid = _guid(trace)
        node_hash = int.from_bytes(hashlib.sha256(trace.node.machine_id.encode()).digest()[:8], "little") >> 1
        self._node_hash, self._nid = node_hash, node_hash % 0xFFFFFFFF
        self._where = {"nid": self._nid, "pid": trace.pid}
        self._strings: dict[str, int] = {}
        self._inserts: dict[tuple[str, ...], str] = {}
        self._events = 0
        self._tracks: dict[tuple[int, int], int] = {}

    def write(self) -> None:
        for table in schema.TABLES:
            self._db.execute(schema.create_table(table, self._guid))
        for table in schema.TABLES:
            self._db.execute(schema.create_plain_view(table, self._guid))
        for view in VIEWS:
            self._db.execute(create_view(view))
        self._write_metadata()
        self._write_strings()
        self._write_machine()
        self._write_code()
        self._write_counter_info()
        for region in self._trace.regions:
            self._write_region(region)
        self._write_dispatches()
        self._write_copies()
        for allocation in self._trace.allocations:
            self._write_allocation(allocation)
        for scratch in self._trace.scratch:
            self._write_allocation(scratch)

    # ---- rows --------------------------------------------------------------------------------------------

    def _insert(self, table: str, **values: Any) -> None:
        key = (table, *values)
        sql = self._inserts.get(key)
        if sql is None:
            columns = ", ".join(f'"{name}"' for name in values)
            marks = ", ".join("?" for _ in values)
            sql = f'INSERT INTO "{schema.table_name(table, self._guid)}" ({columns}) VALUES ({marks})'
            self._inserts[key] = sql
        self._db.execute(sql, tuple(values.values()))

    def _event(self, kind: str, stack: int, parent: int, extdata: str = "{}") -> int:
        """An event. The correlation id is the one a tool would set from outside, and none does."""
        self._events += 1
        self._insert(
            "rocpd_event",
            id=self._events,
            category_id=self._strings[kind],
            stack_id=stack,
            parent_stack_id=parent,
            correlation_id=0,
            extdata=extdata,
        )
        return self._events

    # ---- what there is -----------------------------------------------------------------------------------

    def _write_metadata(self) -> None:
        uuid = "_" + self._guid.replace("-", "_")
        for tag, value in (("schema_version", schema.VERSION), ("uuid", uuid), ("guid", self._guid)):
            self._insert("rocpd_metadata", tag=tag, value=value)

    def _texts(self) -> Iterable[str]:
        trace = self._trace
        for agent in trace.agents:
            yield from (agent.name, agent.vendor, agent.product, agent.model)
        yield from ("KERNEL_DISPATCH", "MEMORY_COPY", "MEMORY_ALLOCATION", "SCRATCH_MEMORY")
        for region in trace.regions:
            yield from (region.kind, region.name, region.message)
        for kernel in trace.kernels:
            yield from (kernel.symbol, kernel.display_name)
        for dispatch in trace.dispatches:
            yield dispatch.region
        for copy in trace.copies:
            yield copy.operation

    def _write_strings(self) -> None:
        for number, text in enumerate(["", *sorted(set(self._texts()) - {""})], 1):
            self._strings[text] = number
            self._insert("rocpd_string", id=number, string=text)

    def _write_machine(self) -> None:
        trace, node = self._trace, self._trace.node
        self._insert("rocpd_info_node", id=self._nid, hash=self._node_hash, **vars(node))
        self._insert(
            "rocpd_info_process",
            id=trace.pid,
            nid=self._nid,
            ppid=trace.parent_pid,
            pid=trace.pid,
            init=trace.start,
            fini=trace.end,
            start=trace.start,
            end=trace.end,
            command=" ".join(trace.command),
            extdata=_json({"ended_in_order": trace.ended_in_order}),
        )
        for tid, name in trace.threads.items():
            self._insert(
                "rocpd_info_thread", id=tid, **self._where, ppid=trace.parent_pid, tid=tid, name=name or None
            )
        for agent in trace.agents:
            properties = agent_properties(agent)
            self._insert(
                "rocpd_info_agent",
                id=agent.index,
                **self._where,
                type="GPU" if agent.is_gpu else "CPU",
                absolute_index=agent.index,
                logical_index=agent.index,
                type_index=agent.type_index,
                uuid=properties.get("device_id", 0),
                name=agent.name,
                model_name=agent.model,
                vendor_name=agent.vendor,
                product_name=agent.product,
                user_name=agent.product,
                extdata=_json(properties),
            )
        for number, name in trace.queues:
            self._insert("rocpd_info_queue", id=number, **self._where, name=name)
        for number, name in trace.streams:
            self._insert("rocpd_info_stream", id=number, **self._where, name=name)

    def _write_code(self) -> None:
        for item in self._trace.code_objects:
            place = {"load_base": item.load_base, "load_size": item.load_size, "load_delta": item.load_delta}
            self._insert(
                "rocpd_info_code_object",
                id=item.id,
                **self._where,
                agent_id=item.agent,
                uri=item.uri,
                **place,
                storage_type="MEMORY" if item.in_memory else "FILE",
                extdata=_json(
                    {
                        "code_object_id": item.id,
                        "uri": item.uri,
                        **place,
                        "storage_type": 2 if item.in_memory else 1,
                        **_source(item.uri),
                    }
                ),
            )
        for kernel in self._trace.kernels:
            columns = kernel.columns()
            names = {
                "kernel_code_entry_byte_offset": kernel.entry_offset,
                "kernel_address": {"handle": kernel.kernel_object + kernel.entry_offset},
                **kernel.names(),
            }
            self._insert(
                "rocpd_info_kernel_symbol",
                id=kernel.id,
                **self._where,
                **columns,
                display_name=kernel.display_name,
                extdata=_json({"kernel_id": kernel.id, **columns, **names}),
            )

    def _write_counter_info(self) -> None:
        """A row for every collected counter on every GPU that counted it."""
        agents = {dispatch.id: dispatch.agent for dispatch in self._trace.dispatches}
        collected = sorted({(agents[value.dispatch], value.name) for value in self._trace.counters})
        self._pmc = {key: number for number, key in enumerate(collected, 1)}
        for (agent, name), number in self._pmc.items():
            counter = self._catalogue.counter(name)
            self._insert(
                "rocpd_info_pmc",
                id=number,
                **self._where,
                agent_id=agent,
                target_arch="GPU",
                name=name,
                symbol=name,
                description=counter.description,
                component="rocm",
                units=counter.unit,
                value_type="ABS",
                block=counter.block,
                expression=counter.expression,
                is_constant=0,
                is_derived=int(bool(counter.expression)),
            )

    # ---- what happened -----------------------------------------------------------------------------------

    def _write_region(self, region: Region) -> None:
        extdata = _json({"message": region.message}) if region.message else "{}"
        event = self._event(region.kind, region.id, region.parent, extdata)
        for argument in region.arguments:
            self._insert(
                "rocpd_arg",
                event_id=event,
                position=argument.position,
                type=argument.type,
                name=argument.name,
                value=argument.value,
            )
        if region.start == region.end and region.kind.startswith("MARKER"):  # a mark: a moment, not a span
            self._insert(
                "rocpd_sample",
                id=region.id,
                track_id=self._track(region.tid, region.kind),
                timestamp=region.start,
                event_id=event,
            )
            return
        self._insert(
            "rocpd_region",
            id=region.id,
            **self._where,
            tid=region.tid,
            start=region.start,
            end=region.end,
            name_id=self._strings[region.name],
            event_id=event,
        )

    def _track(self, tid: int, kind: str) -> int:
        key = (tid, self._strings[kind])
        if key not in self._tracks:
            self._tracks[key] = len(self._tracks) + 1
            self._insert("rocpd_track", id=self._tracks[key], **self._where, tid=tid, name_id=key[1])
        return self._tracks[key]

    def _write_dispatches(self) -> None:
        events: dict[int, int] = {}
        agents: dict[int, int] = {}
        for d in self._trace.dispatches:
            events[d.id] = self._event("KERNEL_DISPATCH", d.stack_id, d.stack_id)
            agents[d.id] = d.agent
            self._insert(
                "rocpd_kernel_dispatch",
                id=d.id,
                **self._where,
                tid=d.tid,
                agent_id=d.agent,
                kernel_id=d.kernel,
                dispatch_id=d.id,
                queue_id=d.queue,
                stream_id=d.stream,
                start=d.start,
                end=d.end,
                private_segment_size=d.private_segment,
                group_segment_size=d.group_segment,
                **{f"workgroup_size_{axis}": size for axis, size in zip("xyz", d.workgroup, strict=True)},
                **{f"grid_size_{axis}": size for axis, size in zip("xyz", d.grid, strict=True)},
                region_name_id=self._strings[d.region],
                event_id=events[d.id],
            )
        for number, value in enumerate(self._trace.counters, 1):
            self._insert(
                "rocpd_pmc_event",
                id=number,
                event_id=events[value.dispatch],
                pmc_id=self._pmc[agents[value.dispatch], value.name],
                value=value.value,
                extdata=_json({"extrapolated": True}) if value.extrapolated else "{}",
            )

    def _write_copies(self) -> None:
        for number, copy in enumerate(self._trace.copies, 1):
            self._insert(
                "rocpd_memory_copy",
                id=number,
                **self._where,
                tid=copy.tid,
                start=copy.start,
                end=copy.end,
                name_id=self._strings[copy.operation],
                dst_agent_id=copy.to_agent,
                dst_address=copy.target,
                src_agent_id=copy.from_agent,
                src_address=copy.source,
                size=copy.size,
                stream_id=copy.stream,
                event_id=self._event("MEMORY_COPY", copy.stack_id, copy.stack_id),
            )

    def _write_allocation(self, event: Allocation | Scratch) -> None:
        kind, level = _LEVELS[event.operation]
        scratch = isinstance(event, Scratch)
        stack = 0 if isinstance(event, Scratch) else event.stack_id
        self._insert(
            "rocpd_memory_allocate",
            **self._where,
            tid=event.tid,
            agent_id=event.agent,
            type=kind,
            level=level,
            start=event.start,
            end=event.end,
            address=0 if isinstance(event, Scratch) else event.address,
            size=event.size,
            queue_id=event.queue if isinstance(event, Scratch) else 0,
            stream_id=0,
            event_id=self._event("SCRATCH_MEMORY" if scratch else "MEMORY_ALLOCATION", stack, stack),
            extdata=_json({"flags": "0"}) if scratch else "{}",
        )


def write_rocpd(trace: ProcessTrace, catalogue: Catalogue, path: Path) -> None:
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    try:
        with database:
            database.execute("BEGIN")
            RocpdWriter(database, trace, catalogue).write()
    except sqlite3.OperationalError as problem:
        path.unlink(missing_ok=True)  # a part of it would pass for all
        raise NoRoom(f"{path} cannot be written: {problem}") from None
    finally:
        database.close()
    with path.open("r+b") as file:
        file.seek(_VERSION_OFFSET)
        file.write(struct.pack(">I", _VERSION))
