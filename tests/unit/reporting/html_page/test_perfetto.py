"""The Perfetto trace, read back with the definitions of the Perfetto project."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as definitions

from rocm_perf_lab.contracts.profiling.dag import Step
from rocm_perf_lab.reporting.formats.perfetto import perfetto_trace
from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.rocpd.timeline.rows import Timeline

from .documents import kernel, run, timeline
from .test_timeline_view import dag

BEGIN, END, COUNTER = 1, 2, 4


class Read:
    """A trace as the trace processor understands it: tracks, slices that nest, flows, counters."""

    def __init__(self, made: RunDocuments, events: Timeline) -> None:
        trace = definitions.Trace()
        trace.ParseFromString(b"".join(perfetto_trace(made, events)))
        self.tracks: dict[int, Any] = {}
        self.slices: list[dict[str, Any]] = []
        self.counters: dict[str, list[tuple[int, float]]] = {}
        names: dict[int, str] = {}
        categories: dict[int, str] = {}
        open_slices: dict[int, list[dict[str, Any]]] = {}
        before = 0
        for packet in trace.packet:
            if packet.HasField("track_descriptor"):
                self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
            names |= {entry.iid: _text(entry.name) for entry in packet.interned_data.event_names}
            categories |= {entry.iid: entry.name for entry in packet.interned_data.event_categories}
            if not packet.HasField("track_event"):
                continue
            assert packet.timestamp >= before, "packets are in the order of time"
            before = packet.timestamp
            event = packet.track_event
            track = self.tracks[event.track_uuid]
            if event.type == BEGIN:
                found = {
                    "track": track.name,
                    "uuid": event.track_uuid,
                    "name": names[event.name_iid],
                    "category": categories[event.category_iids[0]],
                    "start": packet.timestamp,
                    "flows": list(event.flow_ids),
                    "arrived": list(event.terminating_flow_ids),
                    "details": {one.name: one for one in event.debug_annotations},
                    "depth": len(open_slices.setdefault(event.track_uuid, [])),
                }
                open_slices[event.track_uuid].append(found)
                self.slices.append(found)
            elif event.type == END:
                open_slices[event.track_uuid].pop()["end"] = packet.timestamp
            elif event.type == COUNTER:
                value = (packet.timestamp, event.double_counter_value)
                self.counters.setdefault(track.name, []).append(value)
        assert not any(open_slices.values()), "every slice ends"

    def on(self, category: str) -> list[tuple[Any, ...]]:
        return [
            (one["track"], one["name"], one["start"], one["end"])
            for one in self.slices
            if one["category"] == category
        ]


def _text(name: Any) -> str:
    return name.decode() if isinstance(name, bytes) else str(name)


def test_streams_calls_and_flows() -> None:
    events = timeline(
        [(10, 20, 0, 0), (30, 45, 1, 1)],
        calls=[(0, 5, 2, 0), (6, 8, 2, 0)],
        names=["a", "b", "hipLaunchKernel"],
        launched_by=[0, 1],
    )
    read = Read(run([kernel("a"), kernel("b", 0.5)]), events)
    assert read.on("kernel") == [("stream 1", "a", 10, 20), ("stream 2", "b", 30, 45)]
    assert read.on("hip_api") == [
        ("host thread 1", "hipLaunchKernel", 0, 5),
        ("host thread 1", "hipLaunchKernel", 6, 8),
    ]
    first_call, second_call, first, second = sorted(read.slices, key=lambda one: one["start"])
    assert first_call["flows"] == first["arrived"] != second_call["flows"] == second["arrived"]
    assert first["details"]["SQ_WAVES (mean of a launch)"].double_value == 2.0
    process = next(track for track in read.tracks.values() if track.HasField("process"))
    assert process.process.pid == 77
    assert all(track is process or track.parent_uuid == process.uuid for track in read.tracks.values())


def test_critical_path() -> None:
    steps = (
        Step(kind="kernel", name="a", start_ns=0, end_ns=10),
        Step(kind="delay", name="stream", start_ns=10, end_ns=20),
    )
    made = replace(run([kernel("a")]), dag=dag(steps))
    read = Read(made, timeline([(100, 110, 0, 0), (101, 104, 0, 1)], names=["a"]))
    assert read.on("critical_path") == [
        ("critical path", "a", 100, 110),
        ("critical path", "delay: stream", 110, 120),
    ]
    marked = [one["start"] for one in read.slices if "on critical path" in one["details"]]
    assert marked == [100]


def test_counters() -> None:
    read = Read(run([kernel("a")]), timeline([(0, 10, 0, 0), (5, 20, 0, 1), (30, 40, 0, 0)], names=["a"]))
    assert read.counters["kernels running"] == [(0, 1), (5, 2), (10, 1), (20, 0), (30, 1), (40, 0)]
    rates = read.counters["GFLOP/s (mean of the kernel)"]
    assert rates == [(0, 2), (5, 4), (10, 2), (20, 0), (30, 2), (40, 0)]


works = st.tuples(st.integers(0, 40), st.integers(0, 15), st.integers(0, 1), st.integers(0, 2)).map(
    lambda one: (one[0], one[0] + one[1], one[2], one[3])
)


@given(st.lists(works, min_size=1, max_size=15), st.text(max_size=20))
@settings(max_examples=60)
def test_slices_never_nest_and_none_is_lost(found: list[tuple[int, int, int, int]], name: str) -> None:
    read = Read(run([kernel("a")]), timeline(found, names=["a", name]))
    assert all(one["depth"] == 0 or one["start"] == one["end"] for one in read.slices)
    expected = sorted((f"stream {work[3] + 1}", ("a", name)[work[2]], work[0], work[1]) for work in found)
    assert sorted(read.on("kernel")) == expected
