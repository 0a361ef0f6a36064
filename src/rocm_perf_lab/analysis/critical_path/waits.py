"""Events, waits of the host and the null stream: one pass over the calls that say so, in order of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeList, EdgeType
from rocm_perf_lab.analysis.critical_path.points import PointLayout, Times
from rocm_perf_lab.analysis.critical_path.roles import Role
from rocm_perf_lab.analysis.critical_path.submitted import StreamHistory, stream_histories, submission_times
from rocm_perf_lab.rocpd.timeline.rows import NONE, Timeline

_WAITING_ROLES = (
    *(Role.RECORD, Role.WAIT_EVENT, Role.SYNC_STREAM, Role.SYNC_EVENT, Role.SYNC_DEVICE),
    *(Role.IMPLICIT_SYNC, Role.QUERY),
)


# Looking members of an enumeration up takes longer than what is done with them here.
_RECORD, _WAIT_EVENT, _SYNC_STREAM = int(Role.RECORD), int(Role.WAIT_EVENT), int(Role.SYNC_STREAM)
_SYNC_EVENT, _SYNC_DEVICE = int(Role.SYNC_EVENT), int(Role.SYNC_DEVICE)
_IMPLICIT_SYNC = int(Role.IMPLICIT_SYNC)
_LAUNCH, _STREAM, _EVENT, _SYNC = EdgeType.LAUNCH, EdgeType.STREAM, EdgeType.EVENT, EdgeType.SYNC
_DEFAULT_STREAM = EdgeType.DEFAULT_STREAM
_CERTAIN, _LIKELY = EdgeConfidence.CERTAIN, EdgeConfidence.LIKELY
_MANY = 16  # events that a stream without work waits for: from there on they become one point

Ints = npt.NDArray[np.int64]


class _Call(NamedTuple):
    """One call that waits or makes something wait."""

    role: int
    stream: int
    event: int
    start: int
    process: int
    agent: int  # that was set
    end_point: int


@dataclass
class _Collected:
    """Edges of one type and confidence while they are found one at a time."""

    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)


class WaitEdges:
    def __init__(
        self,
        timeline: Timeline,
        roles: npt.NDArray[np.int8],
        polled: npt.NDArray[np.bool_],
        layout: PointLayout,
        times: Times,
    ) -> None:
        """``polled``: which calls stand for a loop of queries; ``times``: of works and calls."""
        self._timeline, self._roles, self._polled, self._layout = timeline, roles, polled, layout
        self._times = times.data
        self._history: dict[int, StreamHistory] = {}  # by stream
        self._histories_of: dict[int, list[tuple[int, StreamHistory]]] = defaultdict(list)  # by process
        self._pending: dict[int, tuple[int, list[int]]] = {}  # stream -> position, markers it waits for
        self._event: dict[int, int] = {}  # event -> point of its last record
        # By how sure it is: stream -> position that a wait for the whole device has covered.
        self._covered: dict[EdgeConfidence, dict[int, int]] = {
            _CERTAIN: defaultdict(int),
            _LIKELY: defaultdict(int),
        }
        self._found: dict[tuple[EdgeType, EdgeConfidence], _Collected] = defaultdict(_Collected)
        self._rivals: dict[int, list[int]] = {}  # null and blocking streams: each other
        self._agents = _agents_of_devices(timeline)
        self._null = {
            (stream.process, stream.agent): number
            for number, stream in enumerate(timeline.streams)
            if stream.is_null
        }
        self.marker_times: list[int] = []

    def find(self) -> None:
        """The times of markers are in ``marker_times`` afterwards."""
        calls = self._timeline.calls
        wanted = np.flatnonzero(np.isin(self._roles[calls.name], _WAITING_ROLES))
        if len(wanted):
            self._history = stream_histories(self._timeline)
            for stream, history in self._history.items():
                self._histories_of[self._timeline.streams[stream].process].append((stream, history))
            self._find_rivals()
            ordered = wanted[np.argsort(calls.start[wanted], kind="stable")]
            for call, polled in zip(self._calls(ordered), self._polled[ordered].tolist(), strict=True):
                self._take(call, polled)
        self._add_null_stream()

    def _calls(self, numbers: Ints) -> Iterator[_Call]:
        calls = self._timeline.calls
        null = np.array([stream.is_null for stream in self._timeline.streams], bool)
        columns = (
            self._roles[calls.name],
            calls.stream,
            calls.event,
            calls.start,
            calls.process,
            self._agents,
        )
        ends = self._layout.call_end(numbers)
        for call in map(_Call, *(column[numbers].tolist() for column in columns), ends.tolist()):
            if call.stream != NONE and null[call.stream]:
                own = self._null.get((call.process, call.agent), call.stream)
                yield call._replace(stream=own)
            else:
                yield call

    def add_to(self, edges: EdgeList) -> None:
        for (type_, confidence), found in self._found.items():
            edges.add(found.sources, found.targets, type_, confidence)

    def _edge(self, source: int, target: int, type_: EdgeType, confidence: EdgeConfidence) -> None:
        found = self._found[type_, confidence]
        found.sources.append(source)
        found.targets.append(target)

    def _take(self, call: _Call, polled: bool) -> None:
        role, event = call.role, call.event
        if role == _RECORD and call.stream != NONE:
            self._record(call)
        elif role == _WAIT_EVENT and call.stream != NONE:
            self._wait_event(call)
        elif role == _SYNC_STREAM and call.stream != NONE:
            for source, type_ in self._before(call.stream, call.start):
                self._edge(source, call.end_point, _SYNC, _LIKELY if type_ == _DEFAULT_STREAM else _CERTAIN)
        elif role == _SYNC_EVENT or (polled and event != NONE):
            if event in self._event:
                self._edge(self._event[event], call.end_point, _SYNC, _LIKELY if polled else _CERTAIN)
        elif polled and call.stream != NONE:
            for source, _ in self._before(call.stream, call.start):
                self._edge(source, call.end_point, _SYNC, _LIKELY)
        elif role == _SYNC_DEVICE:
            self._sync_device(call, _CERTAIN)
        elif role == _IMPLICIT_SYNC:
            self._sync_device(call, _LIKELY)

    def _record(self, call: _Call) -> None:
        marker = self._marker([*self._before(call.stream, call.start), (call.end_point - 1, _LAUNCH)])
        if call.stream in self._pending:  # the marker comes after all that was waited for
            self._pending[call.stream] = (self._position(call.stream, call.start), [marker])
        if call.event != NONE:
            self._event[call.event] = marker

    def _marker(self, sources: list[tuple[int, EdgeType]]) -> int:
        """A point that comes when the last of its sources has."""
        marker: int = self._layout.marker(len(self.marker_times))
        for source, type_ in sources:
            self._edge(source, marker, type_, _CERTAIN)
        self.marker_times.append(max(self._time(source) for source, _ in sources))
        return marker

    def _wait_event(self, call: _Call) -> None:
        marker = self._event.get(call.event)
        if marker is None:
            return
        position = self._position(call.stream, call.start)
        at, markers = self._pending.get(call.stream, (position, []))
        if at != position:
            markers = []
        elif len(markers) >= _MANY:
            markers = [self._marker([(one, _EVENT) for one in markers])]
        self._pending[call.stream] = (position, [*markers, marker])
        history = self._history.get(call.stream)
        if history and position < len(history.works):
            self._edge(marker, self._layout.work_start(history.works[position]), _EVENT, _CERTAIN)

    def _position(self, stream: int, now: int) -> int:
        history = self._history.get(stream)
        return history.position(now) if history else 0

    def _before(self, stream: int, now: int) -> Iterator[tuple[int, EdgeType]]:
        """The points that must have come before what a stream does next."""
        yield from self._last_of(stream, now, _STREAM)
        if stream in self._pending:
            at, markers = self._pending[stream]
            if at == self._position(stream, now):
                for marker in markers:
                    yield marker, _EVENT
        for rival in self._rivals.get(stream, ()):
            yield from self._last_of(rival, now, _DEFAULT_STREAM)

    def _last_of(self, stream: int, now: int, type_: EdgeType) -> Iterator[tuple[int, EdgeType]]:
        history = self._history.get(stream)
        position = history.position(now) if history else 0
        if history and position:
            yield self._layout.work_end(history.last_ended(position)), type_

    def _sync_device(self, call: _Call, confidence: EdgeConfidence) -> None:
        """All streams of the process that got work since the last time somebody waited for all."""
        works, covered = self._timeline.works, self._covered[confidence]
        for stream, history in self._histories_of[call.process]:
            position = history.position(call.start)
            if position <= covered[stream]:
                continue
            last = history.last_ended(position)
            there = (works.agent[last], works.peer[last])
            if call.agent != NONE and there[0] != NONE and call.agent not in there:
                continue
            self._edge(self._layout.work_end(last), call.end_point, _SYNC, confidence)
            covered[stream] = position
            if confidence == _CERTAIN:
                self._covered[_LIKELY][stream] = position

    def _time(self, point: int) -> int:
        if point < len(self._times):
            return self._times[point]
        return self.marker_times[point - len(self._times)]

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
                        EdgeConfidence.CERTAIN,
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
                    EdgeConfidence.CERTAIN,
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
