"""How long each dependency takes: chosen so that replaying the graph gives the observed times again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, Edges, EdgeType
from rocm_perf_lab.analysis.critical_path.points import PointLayout, Times
from rocm_perf_lab.rocpd.timeline.rows import Timeline

Ints = npt.NDArray[np.int64]

# Dependencies that have no usual delay: theirs is given, or is what is left.
_NO_USUAL_DELAY = (EdgeType.WORK, EdgeType.CALL, EdgeType.BEGIN, EdgeType.END)
# Types whose delays are made by the same things: packets that wait for packets, a host that is woken.
_FAMILIES = (
    (
        *(EdgeType.STREAM, EdgeType.QUEUE, EdgeType.EVENT, EdgeType.DEFAULT_STREAM, EdgeType.GRAPH),
        EdgeType.TIME,
    ),
    (EdgeType.SYNC, EdgeType.COPY, EdgeType.QUEUE_FULL),
)
_LEVELS = len(EdgeConfidence)
_INTO_CALLS = (EdgeType.SYNC, EdgeType.COPY, EdgeType.QUEUE_FULL)


def find_delays(timeline: Timeline, layout: PointLayout, edges: Edges, times: Times) -> tuple[Ints, Ints]:
    """The delay of every edge, and for every point the edge that determined it (-1 for the begin).

    Of the edges into a point the one whose source plus usual delay is latest determined it; its delay is what
    was observed. The others have their usual delay, or less where less time was left. Edges with the same
    target are next to each other.
    """
    observed = times[edges.target] - times[edges.source]
    first = _first_of_each(edges.target)
    before = times[edges.source] - times[layout.begin]
    is_latest = before == _spread(np.maximum.reduceat(before, first), first, len(edges))
    delay = np.minimum(_usual(edges, observed, is_latest, layout), observed)
    fixed = (edges.type == EdgeType.WORK) | (edges.type == EdgeType.BEGIN)
    delay[fixed] = observed[fixed]
    _set_calls(timeline, layout, edges, observed, delay, times)
    # Of edges that arrive together the surer one counts.
    arrival = (before + delay) * _LEVELS - edges.confidence
    determining = np.flatnonzero(arrival == _spread(np.maximum.reduceat(arrival, first), first, len(edges)))
    determining = determining[_first_of_each(edges.target[determining])]
    delay[determining] = observed[determining]
    determined_by = np.full(layout.count, -1, np.int64)
    determined_by[edges.target[determining]] = determining
    return delay, determined_by


def _first_of_each(groups: npt.NDArray[np.int32]) -> Ints:
    """Where each run of equal values begins."""
    return np.flatnonzero(np.concatenate(([True], groups[1:] != groups[:-1])))


def _spread(values: Ints, first: Ints, count: int) -> Ints:
    """One value for each run, given to all of the run."""
    return np.repeat(values, np.diff(np.append(first, count)))


def _usual(edges: Edges, observed: Ints, is_latest: npt.NDArray[np.bool_], layout: PointLayout) -> Ints:
    """The usual delay of each type: the median where its source was the last to come.

    A type whose source never came last shows no more than an upper bound, its least; types that are alike in
    what the hardware does for them then tell more.
    """
    into_marker = (edges.target >= layout.marker(0)) & (edges.target < layout.begin)
    binding: dict[int, Ints] = {}
    least: dict[int, int] = {}
    for type_ in np.unique(edges.type).tolist():
        if type_ not in _NO_USUAL_DELAY:
            mine = (edges.type == type_) & ~into_marker
            binding[type_] = observed[mine & is_latest]
            least[type_] = int(observed[mine].min()) if mine.any() else 0
    usual = np.zeros(len(EdgeType), np.int64)
    for type_, delays in binding.items():
        if len(delays):
            usual[type_] = int(np.median(delays))
            continue
        alike = [binding[other] for other in _alike(type_) if len(binding.get(other, ()))]
        likely = int(np.median(np.concatenate(alike))) if alike else least[type_]
        usual[type_] = min(least[type_], likely)
    return np.where(into_marker, 0, usual[edges.type])


def _alike(type_: int) -> tuple[EdgeType, ...]:
    return next((family for family in _FAMILIES if type_ in family), ())


def _set_calls(
    timeline: Timeline, layout: PointLayout, edges: Edges, observed: Ints, delay: Ints, times: Times
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
