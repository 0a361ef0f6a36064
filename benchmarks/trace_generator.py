"""Makes rocpd databases (schema 3) of any length, the same ones every time.

    python benchmarks/trace_generator.py OUT.db 1000000 [--counters 4] [--processes 2]

Dispatches come from several kernels, geometries, queues, streams and processes; kernels overlap, and starts
are not in the order of dispatch ids, as in traces of real programs.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from vrocm.rocprofv3.formats import rocpd_schema, rocpd_views

NODE = 1
AGENT = 1
_AGENT_PROPERTIES = {
    "size": 312,  # of rocprofiler_agent_t: stands for a GPU that is not virtual
    "cu_count": 304,
    "num_xcc": 8,
    "simd_per_cu": 4,
    "wave_front_size": 64,
    "max_waves_per_simd": 8,
    "max_waves_per_cu": 32,
    "lds_size_in_kb": 64,
    "max_engine_clk_fcompute": 2100,
    "name": "gfx942",
    "product_name": "AMD Instinct MI300X",
}


@dataclass(frozen=True)
class Shape:
    """What a trace looks like."""

    dispatches: int  # in all processes together
    kernels: int = 12
    geometries: int = 4  # per kernel
    queues: int = 4
    streams: int = 8
    processes: int = 1
    counters: int = 0
    instances: int = 2  # values per counter and dispatch
    unusable_every: int = 0  # every so many dispatches one ends before it starts


class Dispatch(NamedTuple):
    number: int  # from 1, in its process
    kernel: int
    stream: int
    queue: int
    start: int
    end: int
    lds: int
    workgroup: int
    grid: int


def dispatches(shape: Shape, process: int) -> Iterator[Dispatch]:
    """The dispatches of one process, by a linear congruential generator (Numerical Recipes' constants)."""
    state = 12345 + process
    clock = 1_000_000_000
    count = shape.dispatches // shape.processes + (process < shape.dispatches % shape.processes)
    for number in range(1, count + 1):
        state = (1664525 * state + 1013904223) & 0xFFFFFFFF
        kernel = (state >> 8) % shape.kernels + 1
        geometry = (state >> 16) % shape.geometries
        duration = 1000 * kernel + (state >> 4) % 997
        start = clock - (state >> 12) % 400  # now and then before the previous one
        clock += duration // 2  # kernels overlap
        unusable = shape.unusable_every and number % shape.unusable_every == 0
        yield Dispatch(
            number,
            kernel,
            (state >> 20) % shape.streams + 1,
            (state >> 24) % shape.queues + 1,
            start,
            start - 1 if unusable else start + duration,
            512 * (geometry % 2),
            64 << geometry % 3,
            (64 << geometry % 3) * (kernel + 1) * (geometry + 1),
        )


def counter_value(dispatch: Dispatch, counter: int, instance: int) -> int:
    return dispatch.grid // 64 * counter + dispatch.number % 7 + instance


def guid_of(process: int) -> str:
    return str(uuid.UUID(int=0x0192_0000_0000_7000_8000_0000_0000_0000 + process))


def write_trace(path: Path, shape: Shape) -> None:
    """All processes in one file, merged as the rocpd tools merge: tables per process, views over all."""
    _write(path, shape, range(shape.processes))


def write_traces(folder: Path, shape: Shape) -> list[Path]:
    """A file per process, named as rocprofv3 names them."""
    paths = [folder / "host" / f"{100 + process}_results.db" for process in range(shape.processes)]
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    for process, path in enumerate(paths):
        _write(path, shape, range(process, process + 1))
    return paths


def _write(path: Path, shape: Shape, processes: range) -> None:
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    try:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        with database:
            for process in processes:
                for table in rocpd_schema.TABLES:
                    database.execute(rocpd_schema.create_table(table, guid_of(process)))
            for table in rocpd_schema.TABLES:
                names = (rocpd_schema.table_name(table, guid_of(process)) for process in processes)
                rows = " UNION ALL ".join(f'SELECT * FROM "{name}"' for name in names)
                database.execute(f'CREATE VIEW "{table}" AS {rows}')
            for view in rocpd_views.VIEWS:
                database.execute(rocpd_views.create_view(view))
            for process in processes:
                _Process(database, shape, process).write()
    finally:
        database.close()


class _Process:
    def __init__(self, database: sqlite3.Connection, shape: Shape, process: int) -> None:
        self._db, self._shape, self._process = database, shape, process
        self._guid = guid_of(process)
        self._pid = 100 + process

    def _insert(self, table: str, columns: str, rows: Iterator[tuple[object, ...]]) -> None:
        marks = ", ".join("?" for _ in columns.split(","))
        name = rocpd_schema.table_name(table, self._guid)
        self._db.executemany(f'INSERT INTO "{name}" ({columns}) VALUES ({marks})', rows)

    def write(self) -> None:
        self._write_what_there_is()
        shape, process = self._shape, self._process
        self._insert(
            "rocpd_event",
            "id, category_id, stack_id, parent_stack_id, correlation_id",
            ((d.number, 2, d.number, d.number, 0) for d in dispatches(shape, process)),
        )
        self._insert(
            "rocpd_kernel_dispatch",
            "id, nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, end, "
            "private_segment_size, group_segment_size, workgroup_size_x, workgroup_size_y, workgroup_size_z, "
            "grid_size_x, grid_size_y, grid_size_z, region_name_id, event_id",
            (
                (
                    *(d.number, NODE, self._pid, self._pid, AGENT, d.kernel, d.number, d.queue, d.stream),
                    *(d.start, d.end, 0, d.lds, d.workgroup, 1, 1, d.grid, 1, 1, 1, d.number),
                )
                for d in dispatches(shape, process)
            ),
        )
        if shape.counters:
            self._write_counters()

    def _write_what_there_is(self) -> None:
        shape, where = self._shape, (NODE, self._pid)
        metadata = {"schema_version": "3", "uuid": "_" + self._guid.replace("-", "_"), "guid": self._guid}
        self._insert("rocpd_metadata", "tag, value", iter(metadata.items()))
        self._insert("rocpd_string", "id, string", iter([(1, ""), (2, "KERNEL_DISPATCH")]))
        self._insert(
            "rocpd_info_node", "id, hash, machine_id, hostname", iter([(NODE, 1, "machine", "host")])
        )
        command = f"./generated --process {self._process}"
        self._insert("rocpd_info_process", "id, nid, pid, command", iter([(self._pid, *where, command)]))
        self._insert("rocpd_info_thread", "id, nid, pid, tid", iter([(self._pid, *where, self._pid)]))
        self._insert(
            "rocpd_info_agent",
            "id, nid, pid, type, absolute_index, logical_index, type_index, name, product_name, extdata",
            iter(
                [
                    (
                        AGENT,
                        *where,
                        "GPU",
                        1,
                        1,
                        0,
                        "gfx942",
                        "AMD Instinct MI300X",
                        json.dumps(_AGENT_PROPERTIES),
                    )
                ]
            ),
        )
        for table, count in (("rocpd_info_queue", shape.queues), ("rocpd_info_stream", shape.streams)):
            rows = ((number, *where, f"{table[11:]} {number}") for number in range(1, count + 1))
            self._insert(table, "id, nid, pid, name", rows)
        code_object = (1, *where, AGENT, "file:///app#offset=4096&size=8192")
        self._insert("rocpd_info_code_object", "id, nid, pid, agent_id, uri", iter([code_object]))
        self._insert(
            "rocpd_info_kernel_symbol",
            "id, nid, pid, code_object_id, kernel_name, display_name, group_segment_size, "
            "private_segment_size, sgpr_count, arch_vgpr_count, accum_vgpr_count",
            (
                (
                    *(kernel, *where, 1, f"_Z8kernel{kernel:02}Pf.kd", f"kernel{kernel:02}(float*)"),
                    *(0, 0, 32, 8 * kernel, 4 * (kernel % 3)),
                )
                for kernel in range(1, shape.kernels + 1)
            ),
        )

    def _write_counters(self) -> None:
        shape = self._shape
        self._insert(
            "rocpd_info_pmc",
            "id, nid, pid, agent_id, target_arch, name, symbol, value_type",
            (
                (number, NODE, self._pid, AGENT, "GPU", f"COUNTER_{number}", f"COUNTER_{number}", "ABS")
                for number in range(1, shape.counters + 1)
            ),
        )
        self._insert(
            "rocpd_pmc_event",
            "event_id, pmc_id, value",
            (
                (d.number, counter, float(counter_value(d, counter, instance)))
                for d in dispatches(shape, self._process)
                for counter in range(1, shape.counters + 1)
                for instance in range(shape.instances)
            ),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("dispatches", type=int)
    parser.add_argument("--counters", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    shape = Shape(arguments.dispatches, counters=arguments.counters, processes=arguments.processes)
    write_trace(arguments.path, shape)


if __name__ == "__main__":
    main()
