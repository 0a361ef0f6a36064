"""Order of work on the GPU: within a stream and within a hardware queue."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeList, EdgeType
from rocm_perf_lab.analysis.critical_path.points import PointLayout
from rocm_perf_lab.rocpd.timeline.rows import NONE, Timeline, Works

Ints = npt.NDArray[np.int64]


def add_order_edges(timeline: Timeline, layout: PointLayout, edges: EdgeList) -> None:
    works = timeline.works
    everything = np.arange(len(works))
    edges.add(
        layout.work_start(everything), layout.work_end(everything), EdgeType.WORK, EdgeConfidence.CERTAIN
    )
    in_streams = _add_streams(timeline, layout, edges)
    for queue, members in _groups(works.queue):
        if queue != NONE:
            _add_queue(works, members, in_streams, layout, edges)


def streams_are_known(timeline: Timeline) -> bool:
    """Whether stream numbers mean something: tracers that do not follow streams give every work the same."""
    if len(timeline.calls):
        return True
    works = timeline.works
    kernels = np.flatnonzero(~works.copy & (works.stream != NONE))
    streams, queues = works.stream[kernels], works.queue[kernels]
    if any(not timeline.streams[stream].is_null for stream in np.unique(streams).tolist()):
        return len(np.unique(streams)) > 1 or len(np.unique(queues)) <= 1
    return len(np.unique(streams)) == len(np.unique(streams * np.int64(1 << 31) + queues))


def _add_streams(timeline: Timeline, layout: PointLayout, edges: EdgeList) -> npt.NDArray[np.bool_]:
    """Whether each work has a stream whose order is known."""
    works = timeline.works
    ordered: npt.NDArray[np.bool_] = works.stream != NONE
    if not streams_are_known(timeline):
        ordered[:] = False
        return ordered
    traced = len(timeline.calls) > 0
    for stream, members in _groups(works.stream):
        if stream == NONE:
            continue
        before, after = _one_after_another(works, members)
        together = (works.call[before] == works.call[after]) & (works.call[after] != NONE)
        confidence = EdgeConfidence.CERTAIN if traced else EdgeConfidence.LIKELY
        for mask, type_, sure in (
            (~together, EdgeType.STREAM, confidence),
            (together, EdgeType.GRAPH, EdgeConfidence.LIKELY),
        ):
            edges.add(layout.work_end(before[mask]), layout.work_start(after[mask]), type_, sure)
    return ordered


def _add_queue(
    works: Works, members: Ints, in_streams: npt.NDArray[np.bool_], layout: PointLayout, edges: EdgeList
) -> None:
    """A queue takes its packets in order. Where none was seen to begin before all earlier ones had ended, it
    also waits for their ends (ROCm sets the barrier bit of a packet unless it knows better)."""
    latest = np.maximum.accumulate(works.end[members])
    overlaps = bool(np.any(works.start[members][1:] < latest[:-1]))
    if not overlaps:
        before, after = members[:-1], members[1:]
        # What stream order says already is not said again.
        other = (works.stream[before] != works.stream[after]) | ~in_streams[after]
        edges.add(
            layout.work_end(before[other]),
            layout.work_start(after[other]),
            EdgeType.QUEUE,
            EdgeConfidence.LIKELY,
        )
        return
    if not in_streams[members].all():
        before, after = _one_after_another(works, members)
        edges.add(layout.work_end(before), layout.work_start(after), EdgeType.QUEUE, EdgeConfidence.POSSIBLE)
    submitted = members[np.argsort(works.order[members], kind="stable")]
    before, after = submitted[:-1], submitted[1:]
    overlapping = (works.start[before] <= works.start[after]) & (works.end[before] > works.start[after])
    overlapping &= before < after  # of two that start together the first is the first
    edges.add(
        layout.work_start(before[overlapping]),
        layout.work_start(after[overlapping]),
        EdgeType.QUEUE,
        EdgeConfidence.LIKELY,
    )


def _one_after_another(works: Works, members: Ints) -> tuple[Ints, Ints]:
    """Pairs of work of which the second began after the first had ended: for every work the last that ended
    before it, and the next that began after it. Works that overlap are no pair."""
    start, end = works.start[members], works.end[members]
    if np.all(start[1:] >= end[:-1]):
        return members[:-1], members[1:]
    by_end = np.lexsort((np.arange(len(members)), end))
    place = np.searchsorted(end[by_end], start, side="right") - 1
    has = place >= 0
    before = np.concatenate([by_end[place[has]], np.arange(len(members))])
    after = np.flatnonzero(has)
    place = np.searchsorted(start, end, side="left")
    after = np.concatenate([after, np.minimum(place, len(members) - 1)])
    valid = (start[after] >= end[before]) & (before < after)
    pairs = np.unique(before[valid] * len(members) + after[valid])
    return members[pairs // len(members)], members[pairs % len(members)]


def _groups(column: npt.NDArray[np.int32]) -> Iterator[tuple[int, Ints]]:
    """Every value with the rows that have it, in order."""
    if not len(column):
        return
    ordered = np.argsort(column, kind="stable")
    values = column[ordered]
    bounds = np.flatnonzero(np.diff(values)) + 1
    for rows in np.split(ordered, bounds):
        yield int(column[rows[0]]), rows
