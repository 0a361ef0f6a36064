"""Times in which a GPU ran no kernel, and what it waited for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeType
from rocm_perf_lab.analysis.critical_path.graph import Graph
from rocm_perf_lab.analysis.critical_path.roles import Role, roles_of
from rocm_perf_lab.contracts.profiling.dag import GapCause

# Gaps whose cause is looked for, the longest first; and steps back along what determined the next kernel.
_EXAMINED = 20_000
_STEPS = 1000

Ints = npt.NDArray[np.int64]

# What the time of a step back is counted as.
_COPY, _KERNEL, _HOST, _LAUNCH, _SYNC, _ORDER = range(6)
_CLASS_OF_TYPE = {
    EdgeType.HOST: _HOST,
    EdgeType.THREAD: _HOST,
    EdgeType.PROCESS: _HOST,
    EdgeType.LAUNCH: _LAUNCH,
    EdgeType.QUEUE_FULL: _LAUNCH,
    EdgeType.SYNC: _SYNC,
    EdgeType.COPY: _SYNC,
}
_LAUNCHING = (Role.LAUNCH, Role.RECORD, Role.WAIT_EVENT)


@dataclass(frozen=True, eq=False)
class Gaps:
    """Of one GPU, in the order of time."""

    agent: int
    busy_ns: int
    start: Ints
    end: Ints
    next_work: Ints  # the kernel that ended each gap
    cause: list[GapCause]


def find_gaps(graph: Graph) -> Iterator[Gaps]:
    works = graph.timeline.works
    kernels = np.flatnonzero(~works.copy)
    walk = _Walk(graph)
    for agent in np.unique(works.agent[kernels]).tolist():
        mine = kernels[works.agent[kernels] == agent]
        start = works.start[mine]
        latest = np.maximum.accumulate(works.end[mine])
        gap = np.flatnonzero(start[1:] > latest[:-1]) + 1
        begin, end = latest[gap - 1], start[gap]
        causes: list[GapCause] = ["not examined"] * len(gap)
        for number in np.argsort(begin - end, kind="stable")[:_EXAMINED].tolist():
            causes[number] = walk.cause(int(mine[gap[number]]), int(begin[number]))
        busy = int(latest[-1] - start[0]) - int((end - begin).sum())
        yield Gaps(agent, busy, begin, end, mine[gap], causes)


class _Walk:
    """From a kernel back along what determined its start, until the time at which the gap began."""

    def __init__(self, graph: Graph) -> None:
        edges, works, calls = graph.edges, graph.timeline.works, graph.timeline.calls
        self._traced = len(calls) > 0
        self._start = graph.layout.work_start
        self._determined_by = graph.determined_by.data
        self._source = edges.source.data
        self._times = graph.times.data
        class_of_type = np.array([_CLASS_OF_TYPE.get(type_, _ORDER) for type_ in EdgeType], np.int8)
        of_edge = class_of_type[edges.type]
        is_work = np.flatnonzero(edges.type == EdgeType.WORK)
        of_edge[is_work] = np.where(works.copy[edges.source[is_work] // 2], _COPY, _KERNEL)
        is_call = np.flatnonzero(edges.type == EdgeType.CALL)
        if len(is_call):
            role = roles_of(graph.timeline.names)[calls.name[edges.source[is_call] // 2 - len(works)]]
            of_edge[is_call] = np.where(np.isin(role, _LAUNCHING), _LAUNCH, _HOST)
        self._class = of_edge.data

    def cause(self, work: int, gap_start: int) -> GapCause:
        spent = [0] * 6
        point = self._start(work)
        for _ in range(_STEPS):
            edge = self._determined_by[point]
            if edge < 0:
                break
            source = self._source[edge]
            here, there = self._times[point], self._times[source]
            kind = self._class[edge]
            spent[kind] += here - max(there, gap_start)
            if kind == _SYNC:
                spent[_SYNC] += 1  # a round trip over the host, however short the waking was
            if there <= gap_start:
                break
            point = source
        return self._judged(spent)

    def _judged(self, spent: list[int]) -> GapCause:
        total = max(1, sum(spent))
        if 2 * spent[_COPY] >= total:
            return "copy"
        if 2 * spent[_KERNEL] >= total:
            return "other gpu"
        if 2 * spent[_HOST] >= total:
            return "nothing to do"
        if spent[_SYNC]:
            return "sync"
        if spent[_LAUNCH] >= spent[_ORDER] and spent[_LAUNCH]:
            return "launch-bound"
        return "order" if self._traced else "not traced"
