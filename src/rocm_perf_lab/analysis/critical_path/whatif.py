"""Predictions: the graph replayed with shorter kernels, without syncs, or with copies out of the way."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeType
from rocm_perf_lab.analysis.critical_path.graph import Graph
from rocm_perf_lab.analysis.critical_path.solve import replay, replayed_span_ns

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Change:
    """What is imagined. ``speedup`` is of every launch of the kernels; infinity: they take no time."""

    kernel: re.Pattern[str] | None = None
    speedup: float = 1.0
    copies: bool = False  # ``kernel`` names copies, not kernels
    remove_sync: bool = False
    overlap_copies: bool = False


@dataclass(frozen=True)
class Prediction:
    span_ns: int
    predicted_ns: int
    affected: int  # launches, copies and calls that are concerned
    on_path_ns: int  # of what is concerned: time on the critical path as it was

    @property
    def gain_ns(self) -> int:
        return self.span_ns - self.predicted_ns


@dataclass(frozen=True)
class KernelGain:
    name: str
    launches: int
    total_ns: int
    on_path_ns: int
    gain_ns: int | None  # None: not replayed, because others gain more for certain
    at_most_ns: int  # the gain cannot be more


def predict(graph: Graph, change: Change) -> Prediction:
    """The end-to-end time with a change, all other durations and delays as they were."""
    edges = graph.edges
    delay = graph.delay.copy()
    kept = np.ones(len(edges), bool)
    concerned = np.zeros(len(edges), bool)  # edges whose own time is what changes
    if change.kernel is not None:
        mine = np.flatnonzero(edges.type == EdgeType.WORK)
        mine = mine[_launches(graph, change.kernel, change.copies)[edges.source[mine] // 2]]
        delay[mine] = np.round(delay[mine] / change.speedup).astype(np.int64)
        concerned[mine] = True
    if change.remove_sync:
        dropped = edges.type == EdgeType.SYNC
        kept &= ~dropped
        concerned |= dropped
    if change.overlap_copies:
        copying = edges.type == EdgeType.WORK
        copying[copying] = graph.timeline.works.copy[edges.source[copying] // 2]
        concerned |= copying
        end = _end_with_copies_beside(graph, delay, kept)
    elif kept.all():
        end = graph.begin_ns + replayed_span_ns(graph, delay)
    else:
        # What lost all that followed it must still be over before the end.
        end = int(replay(graph, edges.source[kept], edges.target[kept], delay[kept]).max())
    on_path = graph.path[concerned[graph.path]]
    spent = int((graph.times[edges.target[on_path]] - graph.times[edges.source[on_path]]).sum())
    return Prediction(graph.span_ns, end - graph.begin_ns, int(np.count_nonzero(concerned)), spent)


def rank_kernels(graph: Graph, *, speedup: float = 2.0, limit: int = 10) -> list[KernelGain]:
    """Kernels by what the whole gains if all launches of one become faster; the largest gain first.

    Replays as many as it needs to be sure of the first ``limit``: a kernel cannot gain more than its own time
    on the critical path shrinks, and one that is not on it gains nothing.
    """
    works, names = graph.timeline.works, graph.timeline.names
    on_path = time_on_path(graph)
    kernels = np.flatnonzero(~works.copy)
    total = np.bincount(works.name[kernels], (works.end - works.start)[kernels], minlength=len(names)).astype(
        np.int64
    )
    launches = np.bincount(works.name[kernels], minlength=len(names))
    path_ns = np.bincount(works.name[kernels], on_path[kernels], minlength=len(names)).astype(np.int64)
    shrink = 1.0 - 1.0 / speedup
    ranked: list[KernelGain] = []
    order = sorted(
        np.flatnonzero(launches).tolist(), key=lambda name: (-path_ns[name], -total[name], names[name])
    )
    for name in order:
        at_most = round(float(path_ns[name]) * shrink)
        surely = sorted((item.gain_ns or 0 for item in ranked), reverse=True)[:limit]
        gain: int | None = None
        if at_most == 0:
            gain = 0
        elif len(surely) < limit or surely[-1] < at_most:
            pattern = re.compile(rf"\A{re.escape(names[name])}\Z")
            gain = predict(graph, Change(kernel=pattern, speedup=speedup)).gain_ns
        ranked.append(
            KernelGain(names[name], int(launches[name]), int(total[name]), int(path_ns[name]), gain, at_most)
        )
    return sorted(
        ranked, key=lambda item: (-(item.gain_ns or 0), -item.at_most_ns, -item.total_ns, item.name)
    )


def time_on_path(graph: Graph) -> Ints:
    """For every work the time that the critical path spends in it."""
    mine = graph.path[graph.edges.type[graph.path] == EdgeType.WORK]
    spent = np.zeros(len(graph.timeline.works), np.int64)
    spent[graph.edges.source[mine] // 2] = graph.delay[mine]
    return spent


def _launches(graph: Graph, kernel: re.Pattern[str], copies: bool) -> Mask:
    """The launches of kernels, or the copies, whose name matches somewhere."""
    works = graph.timeline.works
    fits = np.array([kernel.search(name) is not None for name in graph.timeline.names], bool)
    chosen: Mask = fits[works.name] & (works.copy == copies)
    return chosen


def _end_with_copies_beside(graph: Graph, delay: Ints, kept: Mask) -> int:
    """When all is over if copies wait for nothing but their calls and the copy before them on their engine,
    and nothing waits for them.

    In its stream a copy leaves a place that takes no time, so that what came before it still comes before
    what came after it.
    """
    edges, works, layout = graph.edges, graph.timeline.works, graph.layout
    from_work = edges.source < 2 * len(works)
    from_copy = np.zeros(len(edges), bool)
    from_copy[from_work] = works.copy[edges.source[from_work] // 2]
    kept = kept & (edges.type != EdgeType.COPY)
    delay = np.where(from_copy, 0, delay)
    # Its own time is in its work edge.
    duration = (works.end - works.start).tolist()
    times = replay(graph, edges.source[kept], edges.target[kept], delay[kept])
    copies = np.flatnonzero(works.copy)
    submitted = times[layout.work_start(np.arange(len(works)))]
    launch = np.flatnonzero((edges.type == EdgeType.LAUNCH) & (edges.target < 2 * len(works)))
    submitted[edges.target[launch] // 2] = times[edges.source[launch]] + delay[launch]
    free: dict[tuple[int, int], int] = {}  # when each engine is: one for every direction and GPU
    for copy in copies.tolist():
        engine = (int(works.name[copy]), int(works.agent[copy]))
        free[engine] = max(free.get(engine, 0), int(submitted[copy])) + duration[copy]
    times[layout.end] = graph.begin_ns
    times[layout.work_start(copies)] = times[layout.work_end(copies)] = graph.begin_ns
    return max(int(times.max()), *free.values(), graph.begin_ns)
