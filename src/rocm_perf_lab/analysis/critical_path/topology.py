"""An order of points in which every edge goes forward."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import Edges
from rocm_perf_lab.analysis.critical_path.points import Times


def topological_ranks(times: Times, edges: Edges) -> npt.NDArray[np.int32]:
    """Observed times are such an order already, except among points at the same nanosecond: those are put in
    order by following the edges between them."""
    level = np.zeros(len(times), np.int32)
    tied = np.flatnonzero(times[edges.source] == times[edges.target])
    source, target = edges.source[tied], edges.target[tied]
    while len(source):
        behind = level[target] <= level[source]
        if not behind.any():
            break
        np.maximum.at(level, target[behind], level[source[behind]] + 1)
        if level.max() > len(times):
            raise AssertionError("points at the same time depend on each other in a circle")
    rank = np.empty(len(times), np.int32)
    rank[np.lexsort((level, times))] = np.arange(len(times), dtype=np.int32)
    return rank
