"""An order of points in which every edge goes forward."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import Edges, Mask, Points
from rocm_perf_lab.analysis.critical_path.points import Times

# Rounds over all edges between points at the same time before they are followed one by one.
_ROUNDS = 30


def topological_ranks(times: Times, edges: Edges) -> tuple[Points, Mask]:
    """The place of every point, and which edges can be kept.

    Observed times are such an order already, except among points at the same nanosecond: those are put in
    order by following the edges between them. Edges between them that go round in a circle cannot be kept.
    """
    level = np.zeros(len(times), np.int32)
    kept = np.ones(len(edges), bool)
    tied = np.flatnonzero(times[edges.source] == times[edges.target])
    source, target = edges.source[tied], edges.target[tied]
    for _ in range(_ROUNDS):
        behind = level[target] <= level[source]
        if not behind.any():
            break
        np.maximum.at(level, target[behind], level[source[behind]] + 1)
    else:
        level, usable = _levels(len(times), source.tolist(), target.tolist())
        kept[tied[~usable]] = False
    rank = np.empty(len(times), np.int32)
    rank[np.lexsort((level, times))] = np.arange(len(times), dtype=np.int32)
    return rank, kept


def _levels(points: int, source: list[int], target: list[int]) -> tuple[npt.NDArray[np.int32], Mask]:
    """The longest way to every point by these edges, and which of them are in no circle (nor behind one)."""
    following: dict[int, list[int]] = defaultdict(list)
    waiting: dict[int, int] = defaultdict(int)
    for edge, (u, v) in enumerate(zip(source, target, strict=True)):
        following[u].append(edge)
        waiting[v] += 1
    level = np.zeros(points, np.int32)
    usable = np.zeros(len(source), bool)
    ready = [u for u in following if u not in waiting]
    while ready:
        u = ready.pop()
        for edge in following.get(u, ()):
            v = target[edge]
            usable[edge] = True
            level[v] = max(level[v], level[u] + 1)
            waiting[v] -= 1
            if waiting[v] == 0:
                ready.append(v)
    return level, usable
