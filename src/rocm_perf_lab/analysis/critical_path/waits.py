"""Events, waits of the host and the null stream: one pass over the calls that say so, in order of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import Confidence, EdgeList, EdgeType
from rocm_perf_lab.analysis.critical_path.points import Layout, Times
from rocm_perf_lab.analysis.critical_path.roles import Role
from rocm_perf_lab.analysis.critical_path.submitted import StreamHistory, stream_histories, submission_times
from rocm_perf_lab.rocpd.timeline import NONE, Timeline

_WAITING_ROLES = (
    *(Role.RECORD, Role.WAIT_EVENT, Role.SYNC_STREAM, Role.SYNC_EVENT, Role.SYNC_DEVICE),
    *(Role.IMPLICIT_SYNC, Role.QUERY),
)


@dataclass
class _Collected:
    """Edges of one type and confidence while they are found one at a time."""

    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)


class Waits:
    def __init__(
        self, timeline: Timeline, roles: npt.NDArray[np.int8], polled: npt.NDArray[np.bool_], layout: Layout
    ) -> None:
        """``polled``: which calls stand for a loop of queries."""
        self._timeline, self._roles, self._polled, self._layout = timeline, roles, polled, layout
        self._history: dict[int, StreamHistory] = {}
        self._pending: dict[int, tuple[int, list[int]]] = {}  # stream -> position, markers it waits for
        self._event: dict[int, int] = {}  # event -> point of its last record
        self._covered: dict[int, int] = defaultdict(int)  # stream -> position that a device sync waited for
        self._found: dict[tuple[EdgeType, Confidence], _Collected] = defaultdict(_Collected)
        self._rivals: dict[int, list[int]] = {}  # null and blocking streams: each other
        self._agents = _agents_of_devices(timeline)
        self._null = {
            (stream.process, stream.agent): number
            for number, stream in enumerate(timeline.streams)
            if stream.is_null
        }
        self.marker_times: list[int] = []

    def find(self, times: Times) -> None:
        """``times``: of works and calls; those of markers are in ``marker_times`` afterwards."""
        calls = self._timeline.calls
        wanted = np.flatnonzero(np.isin(self._roles[calls.name], _WAITING_ROLES))
        if len(wanted):
            self._history = stream_histories(self._timeline)
            self._find_rivals()
            ordered = wanted[np.argsort(calls.start[wanted], kind="stable")]
            for call in ordered.tolist():
                self._take(call, times)
        self._add_null_stream()

    def add_to(self, edges: EdgeList) -> None:
        for (type_, confidence), found in self._found.items():
            edges.add(found.sources, found.targets, type_, confidence)

    def _edge(self, source: int, target: int, type_: EdgeType, confidence: Confidence) -> None:
        found = self._found[type_, confidence]
        found.sources.append(source)
        found.targets.append(target)

    def _take(self, call: int, times: Times) -> None:
        calls, layout = self._timeline.calls, self._layout
        role = self._roles[calls.name[call]]
        stream, event, now = int(calls.stream[call]), int(calls.event[call]), int(calls.start[call])
        if stream != NONE and self._timeline.streams[stream].is_null:
            stream = self._null.get((int(calls.process[call]), int(self._agents[call])), stream)
        done = layout.call_end(call)
        if role == Role.RECORD and stream != NONE:
            self._record(call, stream, event, now, times)
        elif role == Role.WAIT_EVENT and stream != NONE:
            self._wait_event(stream, event, now)
        elif role == Role.SYNC_STREAM and stream != NONE:
            for source, type_ in self._before(stream, now):
                confidence = Confidence.CERTAIN if type_ != EdgeType.DEFAULT_STREAM else Confidence.LIKELY
                self._edge(source, done, EdgeType.SYNC, confidence)
        elif role == Role.SYNC_EVENT or (role == Role.QUERY and self._polled[call] and event != NONE):
            if event in self._event:
                confidence = Confidence.LIKELY if role == Role.QUERY else Confidence.CERTAIN
                self._edge(self._event[event], done, EdgeType.SYNC, confidence)
        elif role == Role.QUERY and self._polled[call] and stream != NONE:
            for source, _ in self._before(stream, now):
                self._edge(source, done, EdgeType.SYNC, Confidence.LIKELY)
        elif role in (Role.SYNC_DEVICE, Role.IMPLICIT_SYNC):
            self._sync_device(
                call, now, Confidence.CERTAIN if role == Role.SYNC_DEVICE else Confidence.LIKELY
            )

    def _record(self, call: int, stream: int, event: int, now: int, times: Times) -> None:
        marker = self._layout.marker(len(self.marker_times))
        start = self._layout.call_start(call)
        moment = int(times[start])
        self._edge(start, marker, EdgeType.LAUNCH, Confidence.CERTAIN)
        for source, type_ in self._before(stream, now):
            self._edge(source, marker, type_, Confidence.CERTAIN)
            moment = max(moment, self._time(source, times))
        self.marker_times.append(moment)
        if event != NONE:
            self._event[event] = marker

    def _wait_event(self, stream: int, event: int, now: int) -> None:
        if event not in self._event:
            return
        history = self._history.get(stream)
        position = history.position(now) if history else 0
        at, markers = self._pending.get(stream, (position, []))
        if at != position:
            markers = []
        self._pending[stream] = (position, [*markers, self._event[event]])
        if history and position < len(history.works):
            work = history.works[position]
            self._edge(self._event[event], self._layout.work_start(work), EdgeType.EVENT, Confidence.CERTAIN)

    def _before(self, stream: int, now: int) -> Iterator[tuple[int, EdgeType]]:
        """The points that must have come before what a stream does next."""
        yield from self._last_of(stream, now, EdgeType.STREAM)
        history = self._history.get(stream)
        at, markers = self._pending.get(stream, (0, []))
        if markers and at == (history.position(now) if history else 0):
            for marker in markers:
                yield marker, EdgeType.EVENT
        for rival in self._rivals.get(stream, ()):
            yield from self._last_of(rival, now, EdgeType.DEFAULT_STREAM)

    def _last_of(self, stream: int, now: int, type_: EdgeType) -> Iterator[tuple[int, EdgeType]]:
        history = self._history.get(stream)
        position = history.position(now) if history else 0
        if history and position:
            yield self._layout.work_end(history.last_ended(position)), type_

    def _sync_device(self, call: int, now: int, confidence: Confidence) -> None:
        """All streams of the process that got work since the last time somebody waited for all."""
        timeline, works = self._timeline, self._timeline.works
        process, agent = int(timeline.calls.process[call]), self._agents[call]
        for stream, history in self._history.items():
            position = history.position(now)
            if timeline.streams[stream].process != process or position <= self._covered[stream]:
                continue
            last = history.last_ended(position)
            if agent != NONE and works.agent[last] not in (agent, NONE) and works.peer[last] != agent:
                continue
            self._edge(self._layout.work_end(last), self._layout.call_end(call), EdgeType.SYNC, confidence)
            if confidence == Confidence.CERTAIN:
                self._covered[stream] = position

    def _time(self, point: int, times: Times) -> int:
        if point < len(times):
            return int(times[point])
        return self.marker_times[point - len(times)]

    # The null stream

    def _find_rivals(self) -> None:
        """A null stream and the blocking streams of the same process and GPU."""
        streams, works = self._timeline.streams, self._timeline.works
        agents = {stream: int(works.agent[history.works[0]]) for stream, history in self._history.items()}
        for null, stream in enumerate(streams):
            if stream.is_null:
                for other, candidate in enumerate(streams):
                    same = candidate.process == stream.process and agents.get(null) == agents.get(other)
                    if same and candidate.blocking and not candidate.is_null:
                        self._rivals.setdefault(null, []).append(other)
                        self._rivals[other] = [null]

    def _add_null_stream(self) -> None:
        """Work of the null stream follows all work of the blocking streams before it, and they follow it."""
        timeline, works = self._timeline, self._timeline.works
        if not len(timeline.calls):
            return
        null = np.array([stream.is_null for stream in timeline.streams], bool)
        blocking = np.array([bool(stream.blocking) for stream in timeline.streams], bool)
        if not null.any() or not (blocking & ~null).any():
            return
        concerned = np.flatnonzero((works.stream != NONE) & blocking[works.stream])
        submitted = submission_times(timeline)[concerned]
        concerned = concerned[np.lexsort((works.order[concerned], submitted))]
        place = works.process[concerned].astype(np.int64) * (1 << 31) + works.agent[concerned]
        for one in np.unique(place):
            mine = concerned[place == one]
            self._interleave(mine.tolist(), null[works.stream[mine]].tolist(), works.stream[mine].tolist())

    def _interleave(self, ordered: list[int], is_null: list[bool], stream: list[int]) -> None:
        layout = self._layout
        last_null = NONE
        since: dict[int, int] = {}  # stream -> its last work since the last of the null stream
        follows: set[int] = set()  # streams whose order after the null stream has been said
        for work, null, its_stream in zip(ordered, is_null, stream, strict=True):
            if null:
                for other in since.values():
                    self._edge(
                        layout.work_end(other),
                        layout.work_start(work),
                        EdgeType.DEFAULT_STREAM,
                        Confidence.CERTAIN,
                    )
                last_null = work
                since.clear()
                follows.clear()
                continue
            since[its_stream] = work
            if last_null != NONE and its_stream not in follows:
                follows.add(its_stream)
                self._edge(
                    layout.work_end(last_null),
                    layout.work_start(work),
                    EdgeType.DEFAULT_STREAM,
                    Confidence.CERTAIN,
                )


def _agents_of_devices(timeline: Timeline) -> npt.NDArray[np.int32]:
    """For every call the GPU that its thread had set; NONE where hipSetDevice was never seen to choose.

    Devices are counted by HIP, agents by the trace: which is which is told by the kernels that were launched
    on a thread while a device was set.
    """
    calls, works = timeline.calls, timeline.works
    agents = np.full(len(calls), NONE, np.int32)
    if not np.any(calls.device != NONE):
        return agents
    set_at = np.where(calls.device != NONE, np.arange(len(calls)), 0)
    current = calls.device[np.maximum.accumulate(set_at)]
    first = np.concatenate(([True], calls.thread[1:] != calls.thread[:-1]))
    thread_start = np.maximum.accumulate(np.where(first, np.arange(len(calls)), 0))
    current = np.where(np.maximum.accumulate(set_at) >= thread_start, current, 0)  # device 0 until it is set
    launched = np.flatnonzero((works.call != NONE) & ~works.copy)
    for device in np.unique(current):
        there = launched[current[works.call[launched]] == device]
        if len(there):
            values, counts = np.unique(works.agent[there], return_counts=True)
            agents[current == device] = values[np.argmax(counts)]
    return agents
