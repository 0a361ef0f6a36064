"""Path, slack and replay of a graph: single passes over its edges, which are in topological order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeType, Points
from rocm_perf_lab.analysis.critical_path.graph import Graph

Ints = npt.NDArray[np.int64]

_AT_ONCE = 250_000  # edges that are Python objects at a time


def critical_path(graph: Graph) -> Ints:
    """The edges from begin to end that were each the one that determined the next point."""
    determined_by = graph.determined_by.data
    source = graph.edges.source.data
    path, point, begin = [], graph.layout.end, graph.layout.begin
    while point != begin:
        edge = determined_by[point]
        path.append(edge)
        point = source[edge]
    return np.array(path[::-1], np.int64)


def total_slack(graph: Graph) -> Ints:
    """For every point: how much later it could be without the end being later, all delays kept.

    slack(end) = 0; slack(u) = min over edges u→v of slack(v) + (time(v) - time(u) - delay).
    """
    edges, times = graph.edges, graph.times
    spare = times[edges.target] - times[edges.source] - graph.delay
    far = int(graph.span_ns) + 1
    slack = [far] * graph.layout.count
    slack[graph.layout.end] = 0
    for source, target, more in _backward(edges.source, edges.target, spare):
        for u, v, extra in zip(source, target, more, strict=True):
            candidate = slack[v] + extra
            if candidate < slack[u]:
                slack[u] = candidate
    return np.array(slack, np.int64)


def free_slack(graph: Graph) -> Ints:
    """For every point: how much later it could be without any other point being later."""
    edges, times = graph.edges, graph.times
    free = np.full(graph.layout.count, np.iinfo(np.int64).max)
    np.minimum.at(free, edges.source, times[edges.target] - times[edges.source] - graph.delay)
    free[graph.layout.end] = 0
    return free


def replay(graph: Graph, source: Points, target: Points, delay: Ints) -> Ints:
    """The times of all points when the edges are these, with these delays; in topological order of targets.

    time(v) = max over edges u→v of time(u) + delay. Nothing is before the begin.
    """
    time = [graph.begin_ns] * graph.layout.count
    for us, vs, delays in _forward(source, target, delay):
        for u, v, later in zip(us, vs, delays, strict=True):
            candidate = time[u] + later
            if candidate > time[v]:
                time[v] = candidate
    return np.array(time, np.int64)


def longest_chain_ns(graph: Graph) -> int:
    """The longest chain of dependent kernels and copies if nothing else took time."""
    delay = np.where(graph.edges.type == EdgeType.WORK, graph.delay, 0)
    return (
        int(replay(graph, graph.edges.source, graph.edges.target, delay)[graph.layout.end]) - graph.begin_ns
    )


def _forward(*columns: npt.NDArray[np.integer]) -> Iterator[tuple[list[int], ...]]:
    for first in range(0, len(columns[0]), _AT_ONCE):
        yield tuple(column[first : first + _AT_ONCE].tolist() for column in columns)


def _backward(*columns: npt.NDArray[np.integer]) -> Iterator[tuple[list[int], ...]]:
    for last in range(len(columns[0]), 0, -_AT_ONCE):
        yield tuple(column[max(0, last - _AT_ONCE) : last][::-1].tolist() for column in columns)
