"""How long each work ran beside other work of its GPU."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.rocpd.timeline.rows import Works

Ints = npt.NDArray[np.int64]


def overlapped_ns(works: Works) -> Ints:
    """For every kernel and copy the part of its time in which another of the same GPU went on too."""
    found = np.zeros(len(works), np.int64)
    for agent in np.unique(works.agent):
        mine = np.flatnonzero(works.agent == agent)
        start, end = works.start[mine], works.end[mine]
        moments = np.concatenate((start, end))
        change = np.concatenate((np.ones(len(mine), np.int64), np.full(len(mine), -1, np.int64)))
        order = np.argsort(moments, kind="stable")
        moments, running = moments[order], np.cumsum(change[order])
        # shared[i]: the time up to moments[i] in which two or more were running.
        shared = np.concatenate(([0], np.cumsum(np.where(running[:-1] > 1, np.diff(moments), 0))))
        found[mine] = shared[np.searchsorted(moments, end)] - shared[np.searchsorted(moments, start)]
    return found
