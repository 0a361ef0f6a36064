"""Dependencies on the host's side: program order, launches, copies and launches that make the host wait."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeList, EdgeType
from rocm_perf_lab.analysis.critical_path.points import PointLayout
from rocm_perf_lab.analysis.critical_path.roles import Role
from rocm_perf_lab.rocpd.timeline.rows import NONE, Calls, Timeline

# A launch that took this many times its usual time, while its queue's work went on, waited for a place.
_SLOW_LAUNCH = 8
# A gap between a thread's calls that is this many times the usual one may be a wait for another thread.
_LONG_GAP = 10

Ints = npt.NDArray[np.int64]


def add_host_edges(
    timeline: Timeline, roles: npt.NDArray[np.int8], layout: PointLayout, edges: EdgeList
) -> None:
    calls = timeline.calls
    everything = np.arange(len(calls))
    edges.add(
        layout.call_start(everything), layout.call_end(everything), EdgeType.CALL, EdgeConfidence.CERTAIN
    )
    same = np.flatnonzero(calls.thread[1:] == calls.thread[:-1])
    edges.add(layout.call_end(same), layout.call_start(same + 1), EdgeType.HOST, EdgeConfidence.CERTAIN)
    _add_threads(timeline, layout, edges)
    _add_processes(timeline, layout, edges)
    _add_launches(timeline, roles, layout, edges)


def _add_launches(
    timeline: Timeline, roles: npt.NDArray[np.int8], layout: PointLayout, edges: EdgeList
) -> None:
    works, calls = timeline.works, timeline.calls
    launched = np.flatnonzero(works.call != NONE)
    if not len(launched):
        return
    call = works.call[launched]
    # Work that began after its call had returned follows the return: a call that had to wait delays it.
    after = works.start[launched] >= calls.end[call]
    source = np.where(after, layout.call_end(call), layout.call_start(call))
    edges.add(source, layout.work_start(launched), EdgeType.LAUNCH, EdgeConfidence.CERTAIN)

    waited = works.end[launched] <= calls.end[call]
    role = roles[calls.name[call]]
    is_copy = works.copy[launched]
    for mask, type_, confidence in (
        (waited & (role == Role.BLOCKING_COPY), EdgeType.COPY, EdgeConfidence.CERTAIN),
        (waited & (role != Role.BLOCKING_COPY) & is_copy, EdgeType.COPY, EdgeConfidence.LIKELY),
        (waited & (role != Role.BLOCKING_COPY) & ~is_copy, EdgeType.SYNC, EdgeConfidence.LIKELY),
    ):
        edges.add(layout.work_end(launched[mask]), layout.call_end(call[mask]), type_, confidence)
    _add_full_queues(timeline, roles, layout, edges)


def _add_full_queues(
    timeline: Timeline, roles: npt.NDArray[np.int8], layout: PointLayout, edges: EdgeList
) -> None:
    """A launch that took far longer than usual ended when an earlier work of its queue did."""
    works, calls = timeline.works, timeline.calls
    launched = np.flatnonzero((works.call != NONE) & (works.queue != NONE))
    launched = launched[roles[calls.name[works.call[launched]]] == Role.LAUNCH]
    if not len(launched):
        return
    call = works.call[launched]
    duration = calls.end[call] - calls.start[call]
    slow = launched[duration > _SLOW_LAUNCH * max(1, int(np.median(duration)))]
    for queue in np.unique(works.queue[slow]):
        there = np.flatnonzero(works.queue == queue)
        by_end = there[np.argsort(works.end[there], kind="stable")]
        ends = works.end[by_end]
        waiting = slow[works.queue[slow] == queue]
        call = works.call[waiting]
        place = np.searchsorted(ends, calls.end[call], side="right") - 1
        inside = (place >= 0) & (ends[place] > calls.start[call])
        edges.add(
            layout.work_end(by_end[place[inside]]),
            layout.call_end(call[inside]),
            EdgeType.QUEUE_FULL,
            EdgeConfidence.LIKELY,
        )


def _add_threads(timeline: Timeline, layout: PointLayout, edges: EdgeList) -> None:
    """A thread begins after a call of another, and a thread that was silent may have waited for its end.

    Traces say neither who started a thread nor who joined it.
    """
    calls = timeline.calls
    firsts = thread_starts(calls)
    for process in np.unique(calls.process[firsts]) if len(firsts) else ():
        of_process = firsts[calls.process[firsts] == process]
        if len(of_process) < 2:
            continue
        inside = np.flatnonzero(calls.process == process)
        by_end = inside[np.argsort(calls.end[inside], kind="stable")]
        ends = calls.end[by_end]
        main = of_process[np.argmin(calls.start[of_process])]
        for first in of_process.tolist():
            if first == main:
                continue
            place = int(np.searchsorted(ends, calls.start[first], side="right")) - 1
            if place >= 0:
                edges.add(
                    [layout.call_end(by_end[place])],
                    [layout.call_start(first)],
                    EdgeType.THREAD,
                    EdgeConfidence.POSSIBLE,
                )
        _add_joins(calls, int(main), of_process, layout, edges)


def _add_joins(calls: Calls, main: int, firsts: Ints, layout: PointLayout, edges: EdgeList) -> None:
    own = np.flatnonzero(calls.thread == calls.thread[main])
    if len(own) < 2:
        return
    gaps = calls.start[own[1:]] - calls.end[own[:-1]]
    same = calls.thread[1:] == calls.thread[:-1]
    long_gap = _LONG_GAP * max(1, int(np.median((calls.start[1:] - calls.end[:-1])[same])))
    for first in firsts.tolist():
        if first == main:
            continue
        last = int(np.flatnonzero(calls.thread == calls.thread[first])[-1])
        place = int(np.searchsorted(calls.start[own], calls.end[last]))
        if (
            0 < place < len(own)
            and gaps[place - 1] > long_gap
            and calls.end[own[place - 1]] < calls.end[last]
        ):
            edges.add(
                [layout.call_end(last)],
                [layout.call_start(own[place])],
                EdgeType.THREAD,
                EdgeConfidence.POSSIBLE,
            )


def _add_processes(timeline: Timeline, layout: PointLayout, edges: EdgeList) -> None:
    """A process that a traced one started begins after a call of that one."""
    calls = timeline.calls
    by_pid = {(process.host, process.pid): number for number, process in enumerate(timeline.processes)}
    for number, process in enumerate(timeline.processes):
        parent = by_pid.get((process.host, process.parent)) if process.parent is not None else None
        own = np.flatnonzero(calls.process == number)
        if parent is None or parent == number or not len(own):
            continue
        first = own[np.argmin(calls.start[own])]
        theirs = np.flatnonzero((calls.process == parent) & (calls.end <= calls.start[first]))
        if len(theirs):
            last = theirs[np.argmax(calls.end[theirs])]
            edges.add(
                [layout.call_end(last)], [layout.call_start(first)], EdgeType.PROCESS, EdgeConfidence.POSSIBLE
            )


def thread_starts(calls: Calls) -> Ints:
    """The first call of every thread (calls are by thread and start)."""
    if not len(calls):
        return np.empty(0, np.int64)
    return np.flatnonzero(np.concatenate(([True], calls.thread[1:] != calls.thread[:-1])))
