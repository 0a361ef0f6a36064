"""Dependencies between streams where a trace holds kernels only: from times alone, and called so."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeList, EdgeType
from rocm_perf_lab.analysis.critical_path.points import PointLayout
from rocm_perf_lab.rocpd.timeline.rows import Timeline

# A work that begins within so many usual delays after another stream's end may have waited for it. Chosen,
# not measured: a wait between streams takes a barrier packet more than the next packet of a queue.
_SOON = 3

Ints = npt.NDArray[np.int64]


def add_time_edges(timeline: Timeline, layout: PointLayout, edges: EdgeList) -> None:
    """Per GPU and process: a work follows the last work of another stream if it began soon after its end and
    its own stream had left it waiting for longer."""
    works = timeline.works
    place = works.stream if len(np.unique(works.stream)) > 1 else works.queue
    for process in np.unique(works.process):
        mine = np.flatnonzero(works.process == process)
        if len(mine) < 3 or len(np.unique(place[mine])) < 2:
            continue
        own_gap = _gap_in_place(works.start[mine], works.end[mine], place[mine])
        usual = own_gap[own_gap >= 0]
        if not len(usual):
            continue
        soon = _SOON * max(1, int(np.median(usual)))
        by_end = mine[np.argsort(works.end[mine], kind="stable")]
        found = np.searchsorted(works.end[by_end], works.start[mine], side="right") - 1
        has = found >= 0
        before, after, gap = by_end[found[has]], mine[has], own_gap[has]
        wait = works.start[after] - works.end[before]
        fits = (
            (place[before] != place[after]) & (wait <= soon) & ((gap < 0) | (gap > soon)) & (before < after)
        )
        edges.add(
            layout.work_end(before[fits]),
            layout.work_start(after[fits]),
            EdgeType.TIME,
            EdgeConfidence.POSSIBLE,
        )


def _gap_in_place(start: Ints, end: Ints, place: npt.NDArray[np.int32]) -> Ints:
    """For every work the time since its stream's (or queue's) work before it ended; -1 for the first."""
    gaps = np.full(len(start), -1, np.int64)
    ordered = np.argsort(place, kind="stable")
    for rows in np.split(ordered, np.flatnonzero(np.diff(place[ordered])) + 1):
        latest = np.maximum.accumulate(end[rows])
        gaps[rows[1:]] = np.maximum(start[rows[1:]] - latest[:-1], 0)
    return gaps
