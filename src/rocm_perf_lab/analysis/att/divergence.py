"""Lanes that have nothing to do, as far as a trace tells."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rocm_perf_lab.arch.counters.lanes import ACTIVE_LANE_COUNTERS
from rocm_perf_lab.contracts.profiling.att import AttDivergence
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.thread_trace.rows import Category, Wave

NO_LANES = (
    "a thread trace does not record which lanes are active; it does with --att-perfcounters "
    + " ".join(ACTIVE_LANE_COUNTERS)
)


class Branches:
    """Branches that were executed, and how many of them were taken."""

    def __init__(self, is_exec_branch: NDArray[np.bool_]) -> None:
        """``is_exec_branch``: by place in the listing."""
        self._is_exec_branch = is_exec_branch
        self.executed = self.taken = self.on_exec = self.on_exec_taken = 0

    def add(self, wave: Wave, places: NDArray[np.int64], known: NDArray[np.bool_]) -> None:
        taken, passed = wave.category == Category.JUMP, wave.category == Category.NEXT
        self.taken += int(taken.sum())
        self.executed += int((taken | passed).sum())
        if len(self._is_exec_branch):
            on_exec = known & self._is_exec_branch[places]
            self.on_exec_taken += int((taken & on_exec).sum())
            self.on_exec += int(((taken | passed) & on_exec).sum())


def divergence(origin: Origin, branches: Branches, counters: Mapping[str, float]) -> AttDivergence:
    lanes, instructions = (counters.get(name) for name in ACTIVE_LANE_COUNTERS)
    mean = lanes / instructions if lanes is not None and instructions else None
    return AttDivergence(
        origin=origin,
        missing={} if mean is not None else {"active_lanes_mean": NO_LANES},
        active_lanes_mean=mean,
        branches=branches.executed,
        branches_taken=branches.taken,
        exec_branches=branches.on_exec,
        exec_branches_taken=branches.on_exec_taken,
    )
