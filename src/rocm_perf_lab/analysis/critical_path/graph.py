"""The graph of an execution: points in time, what must come before what, and after which delay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.delays import find_delays
from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeList, Edges, EdgeType
from rocm_perf_lab.analysis.critical_path.host import add_host_edges
from rocm_perf_lab.analysis.critical_path.inferred import add_time_edges
from rocm_perf_lab.analysis.critical_path.order import add_order_edges
from rocm_perf_lab.analysis.critical_path.points import PointLayout, Times, observed_times
from rocm_perf_lab.analysis.critical_path.polling import merge_polling
from rocm_perf_lab.analysis.critical_path.roles import roles_of
from rocm_perf_lab.analysis.critical_path.topology import topological_ranks
from rocm_perf_lab.analysis.critical_path.waits import WaitEdges
from rocm_perf_lab.rocpd.timeline.rows import Timeline


@dataclass(frozen=True, eq=False)
class Graph:
    """Edges are in topological order of their targets: one pass from front to back replays the execution."""

    timeline: Timeline  # loops of queries merged into one call each
    layout: PointLayout
    times: Times  # observed, of every point
    edges: Edges
    delay: npt.NDArray[np.int64]  # of every edge
    determined_by: npt.NDArray[np.int64]  # for every point the edge that made it as late as it was
    contradicted: dict[str, int]  # edges that should be there by their type's rule and that the times deny

    @property
    def begin_ns(self) -> int:
        return int(self.times[self.layout.begin])

    @property
    def end_ns(self) -> int:
        return int(self.times[self.layout.end])

    @property
    def span_ns(self) -> int:
        return self.end_ns - self.begin_ns

    @cached_property
    def path(self) -> npt.NDArray[np.int64]:
        """The critical path: the edges from begin to end of which each determined the next point."""
        determined_by, source = self.determined_by.data, self.edges.source.data
        path, point, begin = [], self.layout.end, self.layout.begin
        while point != begin:
            edge = determined_by[point]
            path.append(edge)
            point = source[edge]
        return np.array(path[::-1], np.int64)


def build_graph(timeline: Timeline) -> Graph:
    """The timeline must hold at least one dispatch, copy or call."""
    roles = roles_of(timeline.names)
    timeline, polled = merge_polling(timeline, roles)
    times = observed_times(timeline)
    layout = PointLayout(len(timeline.works), len(timeline.calls))
    waits = WaitEdges(timeline, roles, polled, layout, times)
    waits.find()
    layout = PointLayout(len(timeline.works), len(timeline.calls), len(waits.marker_times))
    ends = np.array([times.min(), times.max()], np.int64)
    times = np.concatenate((times, np.array(waits.marker_times, np.int64), ends))
    found = EdgeList(times)
    add_order_edges(timeline, layout, found)
    add_host_edges(timeline, roles, layout, found)
    waits.add_to(found)
    if not len(timeline.calls):
        add_time_edges(timeline, layout, found)
    _add_ends(layout, found)
    edges = found.build()
    rank, kept = topological_ranks(times, edges)
    for type_, count in zip(*np.unique(edges.type[~kept], return_counts=True), strict=True):
        found.contradicted[EdgeType(type_)] = found.contradicted.get(EdgeType(type_), 0) + int(count)
    order = np.flatnonzero(kept)
    order = order[np.argsort(rank[edges.target[order]], kind="stable")]
    edges = Edges(edges.source[order], edges.target[order], edges.type[order], edges.confidence[order])
    delay, determined_by = find_delays(timeline, layout, edges, times)
    contradicted = {type_.label: count for type_, count in found.contradicted.items()}
    return Graph(timeline, layout, times, edges, delay, determined_by, contradicted)


def _add_ends(layout: PointLayout, found: EdgeList) -> None:
    """What follows nothing follows the begin; what nothing follows is before the end."""
    edges = found.build()
    points = np.arange(layout.begin)
    first = np.ones(layout.count, bool)
    first[edges.target] = False
    last = np.ones(layout.count, bool)
    last[edges.source] = False
    starts, ends = points[first[: layout.begin]], points[last[: layout.begin]]
    found.add(np.full(len(starts), layout.begin), starts, EdgeType.BEGIN, EdgeConfidence.CERTAIN)
    found.add(ends, np.full(len(ends), layout.end), EdgeType.END, EdgeConfidence.CERTAIN)
