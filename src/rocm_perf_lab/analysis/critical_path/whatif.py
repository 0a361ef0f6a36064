"""Predictions: the graph replayed with shorter kernels, without syncs, or with copies out of the way."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeType, Points
from rocm_perf_lab.analysis.critical_path.graph import Graph
from rocm_perf_lab.analysis.critical_path.solve import replay

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
    edges, works = graph.edges, graph.timeline.works
    delay = graph.delay.copy()
    kept = np.ones(len(edges), bool)
    concerned = np.zeros(len(edges), bool)  # edges whose own time is what changes
    is_work = edges.type == EdgeType.WORK
    copy_of = np.zeros(len(edges), bool)
    copy_of[is_work] = works.copy[edges.source[is_work] // 2]
    if change.kernel is not None:
        chosen = _launches(graph, change.kernel, change.copies)
        mine = np.flatnonzero(is_work)
        mine = mine[chosen[edges.source[mine] // 2]]
        delay[mine] = np.round(delay[mine] / change.speedup).astype(np.int64)
        concerned[mine] = True
    if change.remove_sync:
        dropped = edges.type == EdgeType.SYNC
        kept &= ~dropped
        concerned |= dropped
    if change.overlap_copies:
        dropped = _order_of_copies(graph)
        kept &= ~dropped
        concerned |= copy_of
        kept_edges = _with_engines(graph, kept, delay)
    else:
        kept_edges = (edges.source[kept], edges.target[kept], delay[kept])
    times = replay(graph, *kept_edges)
    # What lost all that followed it must still be over before the end.
    predicted = int(times.max()) - graph.begin_ns
    on_path = graph.path[concerned[graph.path]]
    spent = int((graph.times[edges.target[on_path]] - graph.times[edges.source[on_path]]).sum())
    return Prediction(graph.span_ns, predicted, int(np.count_nonzero(concerned)), spent)


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


def _order_of_copies(graph: Graph) -> Mask:
    """Edges that make other work or the host wait for a copy, or a copy for a kernel of its stream."""
    edges, works = graph.edges, graph.timeline.works
    into_work = edges.target < 2 * len(works)
    from_work = edges.source < 2 * len(works)
    from_copy = np.zeros(len(edges), bool)
    from_copy[from_work] = works.copy[edges.source[from_work] // 2]
    into_copy = np.zeros(len(edges), bool)
    into_copy[into_work] = works.copy[edges.target[into_work] // 2]
    order = np.isin(edges.type, (EdgeType.STREAM, EdgeType.DEFAULT_STREAM, EdgeType.GRAPH, EdgeType.TIME))
    order |= np.isin(edges.type, (EdgeType.COPY, EdgeType.SYNC))
    dropped: Mask = order & (from_copy != into_copy)
    return dropped


def _with_engines(graph: Graph, kept: Mask, delay: Ints) -> tuple[Points, Points, Ints]:
    """The edges that are kept, and one from every copy to the next of the same direction and GPU: those share
    an engine."""
    works, edges = graph.timeline.works, graph.edges
    copies = np.flatnonzero(works.copy)
    ordered = copies[np.lexsort((copies, works.agent[copies], works.name[copies]))]
    before, after = ordered[:-1], ordered[1:]
    same = (works.name[before] == works.name[after]) & (works.agent[before] == works.agent[after])
    same &= works.end[before] <= works.start[after]  # those that overlapped have engines of their own
    before, after = before[same], after[same]
    source, target, delay = edges.source[kept], edges.target[kept], delay[kept]
    # Edges stay in topological order: the new ones go where those into the same start are.
    first = np.zeros(graph.layout.count, np.int64)
    first[target[::-1]] = np.arange(len(target))[::-1]
    place = first[graph.layout.work_start(after)]
    return (
        np.insert(source, place, graph.layout.work_end(before)),
        np.insert(target, place, graph.layout.work_start(after)),
        np.insert(delay, place, 0),
    )
