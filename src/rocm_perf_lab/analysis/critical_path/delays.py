"""How long each dependency takes: chosen so that replaying the graph gives the observed times again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import Edges, EdgeType
from rocm_perf_lab.analysis.critical_path.points import Layout, Times
from rocm_perf_lab.rocpd.timeline import Timeline

Ints = npt.NDArray[np.int64]

# Dependencies that have no usual delay: theirs is given, or is what is left.
_NO_USUAL_DELAY = (EdgeType.WORK, EdgeType.CALL, EdgeType.BEGIN, EdgeType.END)
_INTO_CALLS = (EdgeType.SYNC, EdgeType.COPY, EdgeType.QUEUE_FULL)


def find_delays(timeline: Timeline, layout: Layout, edges: Edges, times: Times) -> tuple[Ints, Ints]:
    """The delay of every edge, and for every point the edge that determined it (-1 for the begin).

    Of the edges into a point the one whose source plus usual delay is latest determined it; its delay is what
    was observed. The others have their usual delay, or less where less time was left.
    """
    observed = times[edges.target] - times[edges.source]
    by_target = np.lexsort((times[edges.source], edges.target))
    latest = _last_of_each(edges.target[by_target])
    is_latest = np.zeros(len(edges), bool)
    is_latest[by_target[latest]] = True
    delay = np.minimum(_usual(edges, observed, is_latest, layout), observed)
    fixed = (edges.type == EdgeType.WORK) | (edges.type == EdgeType.BEGIN)
    delay[fixed] = observed[fixed]
    _set_calls(timeline, layout, edges, observed, delay, times)
    arrival = times[edges.source] + delay
    by_arrival = np.lexsort((-edges.confidence, arrival, edges.target))
    determining = by_arrival[_last_of_each(edges.target[by_arrival])]
    delay[determining] = observed[determining]
    determined_by = np.full(layout.count, -1, np.int64)
    determined_by[edges.target[determining]] = determining
    return delay, determined_by


def _usual(edges: Edges, observed: Ints, is_latest: npt.NDArray[np.bool_], layout: Layout) -> Ints:
    """The usual delay of each type: the median where its source was the last to come, else the least."""
    usual = np.zeros(len(edges), np.int64)
    into_marker = (edges.target >= layout.marker(0)) & (edges.target < layout.begin)
    for type_ in np.unique(edges.type).tolist():
        if type_ in _NO_USUAL_DELAY:
            continue
        mine = (edges.type == type_) & ~into_marker
        binding = observed[mine & is_latest]
        if len(binding):
            usual[mine] = int(np.median(binding))
        elif mine.any():
            usual[mine] = int(observed[mine].min())
    return usual


def _set_calls(
    timeline: Timeline, layout: Layout, edges: Edges, observed: Ints, delay: Ints, times: Times
) -> None:
    """A call that does not wait takes what it took. One that may wait takes, without waiting, the least that
    any call of its name took that had nothing to wait for; being woken takes time only if it did wait."""
    calls = timeline.calls
    own = np.flatnonzero(edges.type == EdgeType.CALL)
    delay[own] = observed[own]
    into = np.flatnonzero(np.isin(edges.type, _INTO_CALLS))
    if not len(into):
        return
    waiting = (edges.target[into] - layout.call_end(0)) // 2
    late = times[edges.source[into]] > calls.start[waiting]
    delay[into[~late]] = 0
    duration = calls.end - calls.start
    may_wait = np.zeros(len(calls), bool)
    may_wait[waiting[late]] = True
    never = np.iinfo(np.int64).max
    usual = np.full(len(timeline.names), never)
    np.minimum.at(usual, calls.name[~may_wait], duration[~may_wait])
    usual[usual == never] = 0  # all of that name waited
    # A launch that found its queue full takes otherwise what launches usually take.
    full = waiting[edges.type[into] == EdgeType.QUEUE_FULL]
    for name in np.unique(calls.name[full]):
        usual[name] = int(np.median(duration[calls.name == name]))
    concerned = own[may_wait[(edges.target[own] - layout.call_end(0)) // 2]]
    call = (edges.target[concerned] - layout.call_end(0)) // 2
    delay[concerned] = np.minimum(usual[calls.name[call]], duration[call])


def _last_of_each(groups: npt.NDArray[np.int32]) -> Ints:
    """Where each run of equal values ends."""
    if not len(groups):
        return np.empty(0, np.int64)
    return np.flatnonzero(np.concatenate((groups[1:] != groups[:-1], [True])))
