"""Writes a trace for Perfetto: host threads, streams (or queues) of each GPU, copies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ... import perfetto_packets as protobuf
from ...perfetto_packets import Track
from ..logs.trace import ProcessTrace, TracedAgent
from .statistics import domain_of, kernel_name

_CATEGORIES = {"HIP_API": "hip_api", "HSA_API": "hsa_api", "MARKER_API": "marker_api"}


@dataclass(frozen=True)
class _Slice:
    track: int
    start: int
    end: int
    category: str
    name: str
    details: dict[str, int | str]
    flow: int


class PerfettoWriter:
    def __init__(self, trace: ProcessTrace, group_by_queue: bool) -> None:
        self._trace, self._by_queue = trace, group_by_queue
        self._tracks: dict[tuple[object, ...], Track] = {}
        self._agents = {agent.index: agent for agent in trace.agents}
        launching = {dispatch.stack_id for dispatch in trace.dispatches} | {
            copy.stack_id for copy in trace.copies
        }
        self._flows = launching - {0}
        self._busy_until: dict[tuple[str, int, int, int], int] = {}

    def packets(self) -> Iterator[bytes]:
        slices = [*self._host_slices(), *self._dispatch_slices(), *self._copy_slices()]
        instants = [region for region in self._trace.regions if region.start == region.end]
        marks = [
            (region, self._thread(region.tid))
            for region in instants
            if domain_of(region.kind) == "MARKER_API"
        ]
        yield protobuf.first_packet()
        for track in self._tracks.values():
            yield protobuf.track_packet(track)
        events = [
            (region.start, 2, 0, protobuf.instant_packet(region.start, track, "marker_api", region.message))
            for region, track in marks
        ]
        for s in slices:
            # At one moment: what ends first, then what begins, the longest first, so that slices nest.
            length = s.end - s.start
            begin = protobuf.begin_packet(s.start, s.track, s.category, s.name, s.details, s.flow)
            events.append((s.start, 1, -length, begin))
            events.append((s.end, 0 if length else 3, length, protobuf.end_packet(s.end, s.track)))
        for _, _, _, packet in sorted(events, key=lambda event: event[:3]):
            yield packet

    # ---- tracks ------------------------------------------------------------------------------------------

    def _track(self, key: tuple[object, ...], name: str, **details: object) -> int:
        if key not in self._tracks:
            self._tracks[key] = Track(len(self._tracks) + 1, name, **details)  # type: ignore[arg-type]
        return self._tracks[key].uuid

    def _process(self) -> int:
        name = " ".join(self._trace.command)
        return self._track(("process",), name, pid=self._trace.pid)

    def _thread(self, tid: int) -> int:
        process = self._process()
        name = self._trace.threads.get(tid) or f"THREAD {tid}"
        return self._track(("thread", tid), name, parent=process, tid=(self._trace.pid, tid))

    def _agent(self, agent: TracedAgent) -> int:
        kind = "GPU" if agent.is_gpu else "CPU"
        return self._track(
            ("agent", agent.index), f"{kind} {agent.type_index}: {agent.product}", parent=self._process()
        )

    def _lane(self, agent: int, what: str, number: int, start: int, end: int) -> int:
        """A track of a GPU. Operations that overlap get tracks of their own: on one they would nest."""
        parent = self._agent(self._agents[agent])
        copy = 0
        while self._busy_until.get((what, agent, number, copy), 0) > start:
            copy += 1
        self._busy_until[what, agent, number, copy] = end
        return self._track((what, agent, number, copy), f"{what} {number}", parent=parent)

    # ---- slices ------------------------------------------------------------------------------------------

    def _host_slices(self) -> Iterator[_Slice]:
        for region in self._trace.regions:
            domain = domain_of(region.kind)
            if region.start == region.end and domain == "MARKER_API":
                continue
            details: dict[str, int | str] = {"corr_id": region.id, "tid": region.tid}
            details |= {argument.name: argument.value for argument in region.arguments}
            yield _Slice(
                self._thread(region.tid),
                region.start,
                region.end,
                _CATEGORIES[domain],
                region.message or region.name,
                details,
                region.id if region.id in self._flows else 0,
            )

    def _dispatch_slices(self) -> Iterator[_Slice]:
        for d in sorted(self._trace.dispatches, key=lambda dispatch: (dispatch.start, dispatch.id)):
            what, number = ("QUEUE", d.queue) if self._by_queue else ("STREAM", d.stream)
            lane = self._lane(d.agent, what, number, d.start, d.end)
            details: dict[str, int | str] = {
                "dispatch_id": d.id,
                "kernel_id": d.kernel,
                "corr_id": d.stack_id,
                "queue": d.queue,
                "stream": d.stream,
                "workgroup_size": "x".join(map(str, d.workgroup)),
                "grid_size": "x".join(map(str, d.grid)),
                "lds_size": d.group_segment,
                "scratch_size": d.private_segment,
            }
            name = kernel_name(self._trace, d.kernel, d.region)
            yield _Slice(lane, d.start, d.end, "kernel_dispatch", name, details, d.stack_id)

    def _copy_slices(self) -> Iterator[_Slice]:
        for copy in self._trace.copies:
            agent = copy.to_agent if self._agents[copy.to_agent].is_gpu else copy.from_agent
            details: dict[str, int | str] = {
                "size": copy.size,
                "src_agent": copy.from_agent,
                "dst_agent": copy.to_agent,
                "corr_id": copy.stack_id,
            }
            lane = self._lane(agent, "COPY STREAM", copy.stream, copy.start, copy.end)
            yield _Slice(lane, copy.start, copy.end, "memory_copy", copy.operation, details, copy.stack_id)


def write_perfetto(trace: ProcessTrace, group_by_queue: bool, path: Path) -> None:
    path.write_bytes(b"".join(PerfettoWriter(trace, group_by_queue).packets()))
