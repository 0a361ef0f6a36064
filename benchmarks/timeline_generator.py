"""Makes rocpd databases with the host's calls, of any length, the same ones every time.

    python benchmarks/timeline_generator.py OUT.db 1000000 [--streams 4]

One host thread launches kernels on several streams in turn, as a simple model of a GPU would run them. Now
and then a stream waits for an event of another, a result is copied back, and the host waits for the device.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from trace_generator import AGENT, NODE, Shape, guid_of, write_trace

from vrocm.rocprofv3.formats import rocpd_schema

_CALL = {"hipLaunchKernel": 2000, "hipEventRecord": 1000, "hipStreamWaitEvent": 1000, "hipMemcpyAsync": 1500}
_LAUNCH_DELAY = 3000  # from the end of a call to the start of its work on an idle stream
_ORDER_DELAY = 2000  # between two works of a stream
_WAKE_UP = 2000
_HANDLE = 0x7F0000001000
_NAMES = (
    *("", "KERNEL_DISPATCH", "HIP_RUNTIME_API_EXT", "hipLaunchKernel", "hipEventRecord"),
    *("hipStreamWaitEvent", "hipMemcpyAsync", "hipDeviceSynchronize", "MEMORY_COPY_DEVICE_TO_HOST"),
)
_LAUNCH_ARGUMENTS = (
    ("const void*", "function_address", "0x7f0000000100"),
    ("dim3", "numBlocks", "{z=1, y=1, x=256}"),
    ("dim3", "dimBlocks", "{z=1, y=1, x=256}"),
    ("void**", "args", "0x7f0000000200"),
    ("long unsigned int", "sharedMemBytes", "0"),
)


@dataclass(frozen=True)
class TimelineShape:
    dispatches: int
    streams: int = 4
    kernels: int = 12
    event_every: int = 100  # launches
    copy_every: int = 500
    sync_every: int = 1000


@dataclass
class _Rows:
    events: list[tuple[object, ...]] = field(default_factory=list)
    regions: list[tuple[object, ...]] = field(default_factory=list)
    arguments: list[tuple[object, ...]] = field(default_factory=list)
    dispatches: list[tuple[object, ...]] = field(default_factory=list)
    copies: list[tuple[object, ...]] = field(default_factory=list)


_COLUMNS = {
    "events": ("rocpd_event", "id, category_id, stack_id, parent_stack_id, correlation_id"),
    "regions": ("rocpd_region", "nid, pid, tid, start, end, name_id, event_id"),
    "arguments": ("rocpd_arg", "event_id, position, type, name, value"),
    "dispatches": (
        "rocpd_kernel_dispatch",
        "nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, end, "
        "private_segment_size, group_segment_size, workgroup_size_x, workgroup_size_y, workgroup_size_z, "
        "grid_size_x, grid_size_y, grid_size_z, region_name_id, event_id",
    ),
    "copies": (
        "rocpd_memory_copy",
        "nid, pid, tid, start, end, name_id, dst_agent_id, src_agent_id, size, stream_id, region_name_id, "
        "event_id",
    ),
}


def write_timeline(path: Path, shape: TimelineShape) -> None:
    write_trace(path, Shape(0, kernels=shape.kernels, queues=shape.streams, streams=shape.streams))
    database = sqlite3.connect(path)
    try:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        with database:
            strings = rocpd_schema.table_name("rocpd_string", guid_of(0))
            database.execute(f'DELETE FROM "{strings}"')
            rows = enumerate(_NAMES, start=1)
            database.executemany(f'INSERT INTO "{strings}" (id, string) VALUES (?, ?)', rows)
            for part in _Program(shape).run():
                for name, (table, columns) in _COLUMNS.items():
                    marks = ", ".join("?" for _ in columns.split(","))
                    place = rocpd_schema.table_name(table, guid_of(0))
                    database.executemany(
                        f'INSERT INTO "{place}" ({columns}) VALUES ({marks})', getattr(part, name)
                    )
    finally:
        database.close()


class _Program:
    def __init__(self, shape: TimelineShape) -> None:
        self._shape = shape
        self._clock = 1_000_000_000
        self._event = 0
        self._free = [0] * shape.streams  # when each stream has ended what it was given
        self._rows = _Rows()

    def run(self) -> Iterator[_Rows]:
        shape, state = self._shape, 12345
        for number in range(1, shape.dispatches + 1):
            state = (1664525 * state + 1013904223) & 0xFFFFFFFF
            kernel, stream = (state >> 8) % shape.kernels + 1, (state >> 20) % shape.streams
            event = self._call("hipLaunchKernel", stream)
            start, end = self._work(stream, 700 * kernel + (state >> 4) % 997)
            self._rows.dispatches.append(
                (
                    *(NODE, 100, 100, AGENT, kernel, number, stream + 1, stream + 1, start, end),
                    *(0, 0, 256, 1, 1, 65536, 1, 1, 1, event),
                )
            )
            if number % shape.event_every == 0:
                self._hand_over(stream)
            if number % shape.copy_every == 0:
                self._copy(stream)
            if number % shape.sync_every == 0:
                self._synchronize()
                yield self._taken()
        yield self._taken()

    def _taken(self) -> _Rows:
        rows, self._rows = self._rows, _Rows()
        return rows

    def _work(self, stream: int, duration: int) -> tuple[int, int]:
        start = max(self._clock + _LAUNCH_DELAY, self._free[stream] + _ORDER_DELAY)
        self._free[stream] = start + duration
        return start, start + duration

    def _call(self, name: str, stream: int | None, event_handle: int | None = None, until: int = 0) -> int:
        self._event += 1
        start = self._clock
        self._clock = max(start + _CALL.get(name, 500), until)
        self._rows.events.append((self._event, 3, self._event, self._event, 0))
        place = (NODE, 100, 100, start, self._clock, _NAMES.index(name) + 1, self._event)
        self._rows.regions.append(place)
        given = list(_LAUNCH_ARGUMENTS) if name == "hipLaunchKernel" else []
        if event_handle is not None:
            given.append(("ihipEvent_t*", "event", hex(event_handle)))
        if stream is not None:
            given.append(("ihipStream_t*", "stream", hex(_HANDLE + 16 * stream)))
        self._rows.arguments += [(self._event, at, *one) for at, one in enumerate(given)]
        return self._event

    def _hand_over(self, stream: int) -> None:
        """The next stream waits for what this one has done so far."""
        other = (stream + 1) % self._shape.streams
        handle = 2 * _HANDLE + 16 * stream
        self._call("hipEventRecord", stream, handle)
        self._call("hipStreamWaitEvent", other, handle)
        self._free[other] = max(self._free[other], self._free[stream])

    def _copy(self, stream: int) -> None:
        event = self._call("hipMemcpyAsync", stream)
        start, end = self._work(stream, 20_000)
        name = _NAMES.index("MEMORY_COPY_DEVICE_TO_HOST") + 1
        self._rows.copies.append(
            (NODE, 100, 100, start, end, name, AGENT, AGENT, 1 << 20, stream + 1, 1, event)
        )

    def _synchronize(self) -> None:
        self._call("hipDeviceSynchronize", None, until=max(self._free) + _WAKE_UP)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("dispatches", type=int)
    parser.add_argument("--streams", type=int, default=4)
    arguments = parser.parse_args()
    write_timeline(arguments.path, TimelineShape(arguments.dispatches, streams=arguments.streams))


if __name__ == "__main__":
    main()
