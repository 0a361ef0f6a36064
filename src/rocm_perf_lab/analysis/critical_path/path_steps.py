"""The critical path as steps that can be read, put together where there are many."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeType
from rocm_perf_lab.analysis.critical_path.graph import Graph
from rocm_perf_lab.contracts.profiling.dag import Path, Share, Step, StepKind

SHOWN = 2000  # steps in a document

Ints = npt.NDArray[np.int64]


def path_steps(graph: Graph, shown: int = SHOWN) -> Path:
    """Steps that took time. With more than ``shown``, runs of them are put together, equally many in each."""
    edges, times, path = graph.edges, graph.times, graph.path
    length = times[edges.target[path]] - times[edges.source[path]]
    taken = path[length > 0]
    each = -(-len(taken) // shown) if len(taken) else 1
    if each == 1:
        steps = [_step(graph, edge) for edge in taken.tolist()]
    else:
        steps = [_together(graph, taken[at : at + each]) for at in range(0, len(taken), each)]
    return Path(steps=len(taken), aggregated=each > 1, shown=tuple(steps))


def breakdown(graph: Graph) -> tuple[Share, ...]:
    """The time of the path by what it was spent in, the most first. The sum is the span."""
    edges, times, works, path = graph.edges, graph.times, graph.timeline.works, graph.path
    length = times[edges.target[path]] - times[edges.source[path]]
    spent: Counter[str] = Counter()
    for type_ in np.unique(edges.type[path]).tolist():
        of_type = edges.type[path] == type_
        if type_ == EdgeType.WORK:
            copy = works.copy[edges.source[path[of_type]] // 2]
            spent["kernels"] += int(length[of_type][~copy].sum())
            spent["copies"] += int(length[of_type][copy].sum())
        elif type_ == EdgeType.CALL:
            spent["host calls"] += int(length[of_type].sum())
        elif type_ in (EdgeType.HOST, EdgeType.THREAD, EdgeType.PROCESS):
            spent["host, between calls"] += int(length[of_type].sum())
        else:
            spent[f"{EdgeType(type_).label} delay"] += int(length[of_type].sum())
    span = max(1, graph.span_ns)
    return tuple(
        Share(what=what, ns=ns, share=ns / span)
        for what, ns in spent.most_common()
        if ns or what == "kernels"
    )


def _described(graph: Graph, edge: int) -> tuple[StepKind, str]:
    edges, timeline = graph.edges, graph.timeline
    type_, source = int(edges.type[edge]), int(edges.source[edge])
    if type_ == EdgeType.WORK:
        work = source // 2
        return ("copy" if timeline.works.copy[work] else "kernel"), timeline.names[timeline.works.name[work]]
    if type_ == EdgeType.CALL:
        return "call", timeline.names[timeline.calls.name[source // 2 - len(timeline.works)]]
    if type_ == EdgeType.HOST:
        return "host", "between calls"
    return "delay", EdgeType(type_).label


def _step(graph: Graph, edge: int) -> Step:
    edges, times = graph.edges, graph.times
    kind, name = _described(graph, edge)
    return Step(
        kind=kind,
        name=name,
        start_ns=int(times[edges.source[edge]]) - graph.begin_ns,
        end_ns=int(times[edges.target[edge]]) - graph.begin_ns,
        inferred=int(edges.confidence[edge]) != EdgeConfidence.CERTAIN,
    )


def _together(graph: Graph, run: Ints) -> Step:
    """Several steps in a row, named after what took most of their time."""
    edges, times = graph.edges, graph.times
    length = times[edges.target[run]] - times[edges.source[run]]
    kind, name = _described(graph, int(run[int(np.argmax(length))]))
    return Step(
        kind="several" if len(run) > 1 else kind,
        name=name,
        start_ns=int(times[edges.source[run[0]]]) - graph.begin_ns,
        end_ns=int(times[edges.target[run[-1]]]) - graph.begin_ns,
        steps=len(run),
        inferred=bool(np.any(edges.confidence[run] != EdgeConfidence.CERTAIN)),
    )
