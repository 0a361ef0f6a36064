"""Slack and replay of a graph: single passes over its edges, which are in topological order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeType, Mask, Points
from rocm_perf_lab.analysis.critical_path.graph import Graph

Ints = npt.NDArray[np.int64]

_AT_ONCE = 250_000  # edges that are Python objects at a time


def total_slack(graph: Graph) -> Ints:
    """For every point: how much later it could be without the end being later, all delays kept.

    slack(end) = 0; slack(u) = min over edges u→v of slack(v) + (time(v) - time(u) - delay).
    """
    edges, times = graph.edges, graph.times
    spare = times[edges.target] - times[edges.source] - graph.delay
    plain = _plain_ends(graph, edges.target)
    rest = ~plain[edges.target]
    source, target, spare = edges.source[rest], edges.target[rest], spare[rest]
    slack = [graph.span_ns + 1] * graph.layout.count
    slack[graph.layout.end] = 0
    for us, vs, more in _backward(source - plain[source], target, spare):
        for u, v, extra in zip(us, vs, more, strict=True):
            candidate = slack[v] + extra
            if candidate < slack[u]:
                slack[u] = candidate
    found = np.array(slack, np.int64)
    of_ends = plain[source]
    np.minimum.at(found, source[of_ends], found[target[of_ends]] + spare[of_ends])
    return found


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
    times, plain, length = _swept(graph, source, target, delay)
    found = np.array(times, np.int64)
    ends = np.flatnonzero(plain)
    found[ends] = found[ends - 1] + length[ends]
    return found


def replayed_span_ns(graph: Graph, delay: Ints) -> int:
    """From begin to end with all edges and other delays."""
    times, _, _ = _swept(graph, graph.edges.source, graph.edges.target, delay)
    return times[graph.layout.end] - graph.begin_ns


def longest_chain_ns(graph: Graph) -> int:
    """The longest chain of dependent kernels and copies if nothing else took time."""
    return replayed_span_ns(graph, np.where(graph.edges.type == EdgeType.WORK, graph.delay, 0))


def _swept(graph: Graph, source: Points, target: Points, delay: Ints) -> tuple[list[int], Mask, Ints]:
    """The times of all points but plain ends; which points those are; how long each comes after its start."""
    plain = _plain_ends(graph, target)
    inside = plain[target]
    length = np.zeros(graph.layout.count, np.int64)
    length[target[inside]] = delay[inside]
    source, target, delay = source[~inside], target[~inside], delay[~inside]
    delay = delay + length[source]
    time = [graph.begin_ns] * graph.layout.count
    for us, vs, delays in _forward(source - plain[source], target, delay):
        for u, v, later in zip(us, vs, delays, strict=True):
            candidate = time[u] + later
            if candidate > time[v]:
                time[v] = candidate
    return time, plain, length


def _plain_ends(graph: Graph, target: Points) -> Mask:
    """Ends of works and calls that depend on nothing but their own start, which is the point before them.

    Passes go over the other edges only; these points follow from their starts.
    """
    ends: Mask = np.bincount(target, minlength=graph.layout.count) == 1
    ends[: graph.layout.marker(0) : 2] = False  # starts
    ends[graph.layout.marker(0) :] = False
    return ends


def _forward(*columns: npt.NDArray[np.integer]) -> Iterator[tuple[list[int], ...]]:
    for first in range(0, len(columns[0]), _AT_ONCE):
        yield tuple(column[first : first + _AT_ONCE].tolist() for column in columns)


def _backward(*columns: npt.NDArray[np.integer]) -> Iterator[tuple[list[int], ...]]:
    for last in range(len(columns[0]), 0, -_AT_ONCE):
        yield tuple(column[max(0, last - _AT_ONCE) : last][::-1].tolist() for column in columns)
