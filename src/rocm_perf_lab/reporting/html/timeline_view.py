"""The timeline as plain data: a lane for each stream, with every event while they are few, else in bins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.dag import DagDocument
    from rocm_perf_lab.rocpd.timeline.rows import Timeline

MOST_EVENTS = 12_000  # drawn one by one: about 20 bytes each in the page
MOST_BINS = 2_000  # of a lane
MOST_BINS_IN_ALL = 30_000
MOST_LANES = 32
MOST_GAPS = 12

KERNELS_ALONE = "not known: the trace has no host calls"
NO_CAUSE = "not known: the critical path was not looked for"

Times = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Lane:
    name: str
    kind: str
    """path, gpu or host."""
    count: int
    busy_ns: int
    """Of the time in which at least one of its events ran."""
    events: list[int]
    """start, duration, name, flags; four for each event. Empty where the lane is in bins. Flags: 1 on the
    critical path; the rest, halved, is the row, for events that overlap in one lane."""
    bins: list[int]
    """number, flags, name that takes most, events that begin; four for each bin that is not empty. Flags: 1
    on the critical path; the rest, halved, is how busy the lane is, per mille."""


@dataclass(frozen=True)
class TimelineGap:
    """A time in which no GPU did anything."""

    start_ns: int
    length_ns: int
    before: str
    """What ran last."""
    after: str
    """What came next."""
    cause: str


@dataclass(frozen=True)
class TimelineView:
    span_ns: int
    bin_ns: float | None
    """Width of a bin; None where events are drawn one by one."""
    names: tuple[str, ...]
    lanes: tuple[Lane, ...]
    events: int
    busy_ns: int
    """In which at least one kernel or copy ran."""
    left_out: str | None
    gaps: tuple[TimelineGap, ...]
    critical: bool
    """Whether it is known what is on the critical path."""
    missing: str | None


def no_timeline(why: str) -> TimelineView:
    return TimelineView(
        span_ns=0,
        bin_ns=None,
        names=(),
        lanes=(),
        events=0,
        busy_ns=0,
        left_out=None,
        gaps=(),
        critical=False,
        missing=why,
    )


def timeline_view(timeline: Timeline, dag: DagDocument | None = None) -> TimelineView:
    """``dag``: of the same execution, where the critical path is known."""
    works, calls = timeline.works, timeline.calls
    if not len(works) and not len(calls):
        return no_timeline("the trace holds no kernel, copy or call")
    if dag is not None and dag.databases and len(dag.databases) != len(timeline.sources):
        dag = None  # of another execution
    critical = on_path(timeline, dag)
    begin = int(min(column.min() for column in (works.start, calls.start) if len(column)))
    end = int(max(column.max() for column in (works.end, calls.end) if len(column)))
    gpu = _groups(
        np.stack((works.process, works.agent, works.stream, np.where(works.stream < 0, works.queue, 0)))
    )
    host = _groups(np.stack((calls.process, calls.thread)))
    parts = [
        *(
            _Part(
                _stream_name(timeline, key),
                "gpu",
                works.start[at],
                works.end[at],
                works.name[at],
                critical[at],
            )
            for key, at in gpu
        ),
        *(
            _Part(
                _thread_name(timeline, key),
                "host",
                calls.start[at],
                calls.end[at],
                calls.name[at],
                np.zeros(len(at), np.bool_),
            )
            for key, at in host
        ),
    ]
    parts.sort(key=lambda part: (part.kind, _natural(part.name)))  # gpu before host
    kept, left_out = _busiest(parts)
    events = len(works) + len(calls)
    bins = 0
    if sum(len(part.start) for part in kept) > MOST_EVENTS:
        bins = min(MOST_BINS, MOST_BINS_IN_ALL // len(kept))
    span = max(1, end - begin)
    names = _Names(timeline.names)
    union_start, union_end = _union(works.start, works.end)
    return TimelineView(
        span_ns=span,
        bin_ns=span / bins if bins else None,
        lanes=(*_path_lane(dag, begin, names), *(_lane(part, begin, span, bins, names) for part in kept)),
        names=tuple(names.used),
        events=events,
        busy_ns=int((union_end - union_start).sum()),
        left_out=left_out,
        gaps=_told_gaps(timeline, dag, begin) if dag else _gaps(timeline, union_start, union_end, begin),
        critical=dag is not None,
        missing=None,
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """The events of one lane, by start."""

    name: str
    kind: str
    start: Times
    end: Times
    names: npt.NDArray[np.int32]
    critical: npt.NDArray[np.bool_]


class _Names:
    """Only the names that are shown go into the page."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._numbers: dict[int, int] = {}
        self._added: dict[str, int] = {}
        self.used: list[str] = []

    def add(self, name: str) -> int:
        """A name that the timeline does not have."""
        if name not in self._added:
            self._added[name] = len(self.used)
            self.used.append(name)
        return self._added[name]

    def number(self, index: int) -> int:
        if index not in self._numbers:
            self._numbers[index] = len(self.used)
            self.used.append(self._names[index] if index >= 0 else "")
        return self._numbers[index]


def on_path(timeline: Timeline, dag: DagDocument | None) -> npt.NDArray[np.bool_]:
    """Which works are on the critical path, as far as its steps are told one by one."""
    works = timeline.works
    found = np.zeros(len(works), np.bool_)
    numbers = {name: number for number, name in enumerate(timeline.names)}
    for step in dag.path.shown if dag else ():
        if step.kind in ("kernel", "copy") and step.steps == 1 and dag is not None:
            start, end = dag.begin_ns + step.start_ns, dag.begin_ns + step.end_ns
            first, last = np.searchsorted(works.start, (start, start + 1))
            there = (works.end[first:last] == end) & (works.name[first:last] == numbers.get(step.name, -1))
            found[first:last] |= there
    return found


def _path_lane(dag: DagDocument | None, begin: int, names: _Names) -> Iterator[Lane]:
    """The critical path as a lane of its own: it goes from stream to stream and through the host."""
    if dag is None or not dag.path.shown:
        return
    events: list[int] = []
    shift = dag.begin_ns - begin
    for step in dag.path.shown:
        name = (
            step.name if step.kind in ("kernel", "copy", "call", "several") else f"{step.kind}: {step.name}"
        )
        events += (step.start_ns + shift, step.end_ns - step.start_ns, names.add(name), 1)
    yield Lane(
        name="critical path",
        kind="path",
        count=dag.path.steps,
        busy_ns=sum(step.end_ns - step.start_ns for step in dag.path.shown),
        events=events,
        bins=[],
    )


def _told_gaps(timeline: Timeline, dag: DagDocument, begin: int) -> tuple[TimelineGap, ...]:
    """The gaps of the critical path's analysis, which knows their causes."""
    works = timeline.works
    shift = dag.begin_ns - begin
    gaps = []
    for gpu in dag.gpus:
        kernels = np.flatnonzero(~works.copy & (works.agent == gpu.agent))
        for gap in gpu.longest[:MOST_GAPS]:
            before = kernels[works.end[kernels] <= dag.begin_ns + gap.start_ns]
            last = before[np.argmax(works.end[before])] if len(before) else None
            gaps.append(
                TimelineGap(
                    start_ns=gap.start_ns + shift,
                    length_ns=gap.end_ns - gap.start_ns,
                    before="" if last is None else timeline.names[works.name[last]],
                    after=gap.before,
                    cause=gap.cause,
                )
            )
    return tuple(sorted(gaps, key=lambda gap: -gap.length_ns)[:MOST_GAPS])


def _groups(keys: npt.NDArray[np.int32]) -> list[tuple[tuple[int, ...], npt.NDArray[np.int64]]]:
    """Which rows have which key; rows stay in their order."""
    if not keys.shape[1]:
        return []
    # One number for each key: many times faster to sort than columns.
    whole = np.zeros(keys.shape[1], np.int64)
    for column in keys.astype(np.int64):
        whole = whole * (int(column.max()) - int(column.min()) + 1) + (column - column.min())
    order = np.argsort(whole, kind="stable")
    first = np.flatnonzero(np.diff(whole[order], prepend=-1))
    parts = np.split(order, first[1:])
    return [(tuple(int(one) for one in keys[:, part[0]]), part) for part in parts]


def _stream_name(timeline: Timeline, key: tuple[int, ...]) -> str:
    process, agent, stream, queue = key
    if stream < 0:
        lane = f"queue {queue}" if queue >= 0 else "no stream"
    else:
        told = timeline.streams[stream]
        lane = (
            "default stream" if told.is_null else f"stream {stream if told.number is None else told.number}"
        )
    gpus = sorted({int(one) for one in np.unique(timeline.works.agent)})
    device = f"GPU {gpus.index(agent)} · " if len(gpus) > 1 else ""
    return f"{_process_name(timeline, process)}{device}{lane}"


def _thread_name(timeline: Timeline, key: tuple[int, ...]) -> str:
    process, thread = key
    threads = sorted({int(one) for one in np.unique(timeline.calls.thread)})
    return f"{_process_name(timeline, process)}host thread {threads.index(thread) + 1}"


def _natural(name: str) -> list[tuple[int, str]]:
    """For sorting: numbers in names count as numbers."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]+)", name)]


def _process_name(timeline: Timeline, process: int) -> str:
    return f"pid {timeline.processes[process].pid} · " if len(timeline.processes) > 1 and process >= 0 else ""


def _busiest(parts: list[_Part]) -> tuple[list[_Part], str | None]:
    """As many lanes as can be read, in their order."""
    if len(parts) <= MOST_LANES:
        return parts, None
    by_work = sorted(parts, key=lambda part: (part.kind, -int((part.end - part.start).sum())))
    kept = {id(part) for part in by_work[:MOST_LANES]}
    others = by_work[MOST_LANES:]
    events = sum(len(part.start) for part in others)
    told = f"{len(others)} lanes with {events:,} events are left out: those that did least"
    return [part for part in parts if id(part) in kept], told


def _lane(part: _Part, begin: int, span: int, bins: int, names: _Names) -> Lane:
    start, end = _union(part.start, part.end)
    return Lane(
        name=part.name,
        kind=part.kind,
        count=len(part.start),
        busy_ns=int((end - start).sum()),
        events=[] if bins else _events(part, begin, names),
        bins=_bins(part, start, end, begin, span, bins, names) if bins else [],
    )


def _events(part: _Part, begin: int, names: _Names) -> list[int]:
    flat: list[int] = []
    ends: list[int] = []
    columns = (part.start.tolist(), part.end.tolist(), part.names.tolist(), part.critical.tolist())
    for start, end, name, critical in zip(*columns, strict=True):
        row = next((number for number, until in enumerate(ends) if until <= start), len(ends))
        ends[row : row + 1] = [end]
        flat += (start - begin, end - start, names.number(name), row << 1 | critical)
    return flat


def _bins(
    part: _Part, union_start: Times, union_end: Times, begin: int, span: int, bins: int, names: _Names
) -> list[int]:
    edges = begin + np.arange(bins + 1, dtype=np.float64) * (span / bins)
    busy = np.diff(_busy_until(edges, union_start, union_end))
    which = np.minimum(((part.start - begin) * (bins / span)).astype(np.int64), bins - 1)
    counts = np.bincount(which, minlength=bins)
    # The name that takes most time of what begins in the bin; where nothing begins, what began last.
    inside = np.minimum(part.end, edges[which + 1]) - part.start
    kinds = int(part.names.max()) + 2
    keys, where = np.unique(which * kinds + part.names + 1, return_inverse=True)
    taken = np.bincount(where.reshape(-1), weights=np.maximum(inside, 0))
    last = np.maximum(np.searchsorted(part.start, edges[:-1], side="right") - 1, 0)
    most = part.names[last].astype(np.int64)
    by_time = np.argsort(taken, kind="stable")
    most[keys[by_time] // kinds] = keys[by_time] % kinds - 1  # the last one written is the longest
    critical = np.zeros(bins, np.bool_)
    critical[which[part.critical]] = True
    per_mille = np.rint(busy / (span / bins) * 1000).astype(np.int64)
    flat: list[int] = []
    for number in np.flatnonzero((busy > 0) | (counts > 0)).tolist():
        share = max(1, min(1000, int(per_mille[number])))
        flat += (
            number,
            share << 1 | int(critical[number]),
            names.number(int(most[number])),
            int(counts[number]),
        )
    return flat


def _union(start: Times, end: Times) -> tuple[Times, Times]:
    """Where at least one of the intervals is; they come by start, not overlapping any more."""
    if not len(start):
        return start, end
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    until = np.maximum.accumulate(end)
    first = np.concatenate(([True], start[1:] > until[:-1]))
    last = np.concatenate((np.flatnonzero(first)[1:] - 1, [len(start) - 1]))
    return start[first], until[last]


def _busy_until(times: npt.NDArray[np.float64], start: Times, end: Times) -> npt.NDArray[np.float64]:
    """How much of the time up to each of ``times`` is covered by the intervals of a union."""
    before = np.concatenate(([0], np.cumsum(end - start)))
    at = np.searchsorted(start, times, side="right")
    inside = np.clip(times - end[np.maximum(at - 1, 0)], None, 0)
    return np.asarray(np.where(at > 0, before[at] + inside, 0.0))


def _gaps(timeline: Timeline, union_start: Times, union_end: Times, begin: int) -> tuple[TimelineGap, ...]:
    lengths = union_start[1:] - union_end[:-1]
    longest = np.sort(np.argsort(-lengths, kind="stable")[:MOST_GAPS])
    works = timeline.works
    gaps = []
    for number in longest.tolist():
        gap_start, gap_end = int(union_end[number]), int(union_start[number + 1])
        after = int(np.searchsorted(works.start, gap_end))
        before = int(np.argmax(np.where(works.start < gap_end, works.end, -1)))
        gaps.append(
            TimelineGap(
                start_ns=gap_start - begin,
                length_ns=gap_end - gap_start,
                before=timeline.names[works.name[before]],
                after=timeline.names[works.name[after]],
                cause=NO_CAUSE if len(timeline.calls) else KERNELS_ALONE,
            )
        )
    return tuple(sorted(gaps, key=lambda gap: -gap.length_ns))
