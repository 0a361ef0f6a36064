"""Random programs: the graph replays what was observed, and path and slack are what their definitions say."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.analysis.critical_path.edges import EdgeType
from rocm_perf_lab.analysis.critical_path.graph import Graph, build_graph
from rocm_perf_lab.analysis.critical_path.solve import (
    free_slack,
    longest_chain_ns,
    replay,
    total_slack,
)

sys.path.insert(0, str(Path(__file__).parent))
from scenario import Program, Work, timeline

STREAM = st.integers(0, 2)
EVENT = st.integers(0, 1)
DURATION = st.integers(0, 9000)
OPERATION = st.one_of(
    st.tuples(st.just("launch"), st.sampled_from(["a", "b", "c"]), STREAM, DURATION),
    st.tuples(st.just("copy"), STREAM, DURATION),
    st.tuples(st.just("record"), EVENT, STREAM),
    st.tuples(st.just("wait"), STREAM, EVENT),
    st.tuples(st.just("sync_stream"), STREAM),
    st.tuples(st.just("sync_event"), EVENT),
    st.tuples(st.just("sync_device")),
    st.tuples(st.just("compute"), DURATION),
)
PROGRAM = st.lists(OPERATION, min_size=1, max_size=14)
# Kernels alone, at any times: overlapping, out of order, together, without length.
KERNELS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 12), st.integers(0, 2), st.integers(0, 1)),
    min_size=1,
    max_size=9,
)


def run(operations: list[tuple], scale: dict[str, float] | None = None) -> Program:
    program = Program(scale=scale or {})
    for name, *arguments in operations:
        getattr(program, name)(*arguments)
    return program


def graph_of(operations: list[tuple]) -> Graph | None:
    program = run(operations)
    return build_graph(program.timeline()) if program.calls else None


def kernels_only(kernels: list[tuple[int, int, int, int]]) -> Graph:
    return build_graph(
        timeline(
            [Work(f"k{at}", start, start + length, s, q) for at, (start, length, s, q) in enumerate(kernels)]
        )
    )


def check(graph: Graph) -> None:
    times = replay(graph, graph.edges.source, graph.edges.target, graph.delay)
    assert (times == graph.times).all()
    _check_path(graph)
    _check_slack(graph)
    assert longest_chain_ns(graph) == _longest(graph, only_work=True)


def _check_path(graph: Graph) -> None:
    edges, path = graph.edges, graph.path
    assert edges.source[path[0]] == graph.layout.begin
    assert edges.target[path[-1]] == graph.layout.end
    assert (edges.target[path[:-1]] == edges.source[path[1:]]).all()
    assert int(graph.delay[path].sum()) == graph.span_ns == _longest(graph, only_work=False)


def _longest(graph: Graph, only_work: bool) -> int:
    """By following every path from the begin."""
    edges = graph.edges
    following: dict[int, list[tuple[int, int]]] = {}
    for source, target, type_, delay in zip(
        edges.source.tolist(), edges.target.tolist(), edges.type.tolist(), graph.delay.tolist(), strict=True
    ):
        weight = 0 if only_work and type_ != EdgeType.WORK else delay
        following.setdefault(source, []).append((target, weight))
    known: dict[int, int] = {}

    def furthest(point: int) -> int:
        if point not in known:
            known[point] = max(
                (weight + furthest(target) for target, weight in following.get(point, [])), default=0
            )
        return known[point]

    return furthest(graph.layout.begin)


def _check_slack(graph: Graph) -> None:
    """A point that comes later by its slack moves nothing (free) or not the end (total); one more does."""
    total, free = total_slack(graph), free_slack(graph)
    assert (free <= total).all()
    for work in range(len(graph.timeline.works)):
        point = graph.layout.work_end(work)
        for slack, moved in ((int(total[point]), _end_moved), (int(free[point]), _others_moved)):
            assert not moved(graph, point, slack)
            assert moved(graph, point, slack + 1)


def _delayed(graph: Graph, point: int, by: int) -> np.ndarray:
    delay = graph.delay.copy()
    into = np.flatnonzero(graph.edges.target == point)
    delay[into] = graph.times[point] - graph.times[graph.edges.source[into]] + by
    return replay(graph, graph.edges.source, graph.edges.target, delay)


def _end_moved(graph: Graph, point: int, by: int) -> bool:
    return bool(_delayed(graph, point, by)[graph.layout.end] > graph.end_ns)


def _others_moved(graph: Graph, point: int, by: int) -> bool:
    moved = _delayed(graph, point, by) != graph.times
    moved[point] = False
    return bool(moved.any())


@given(PROGRAM)
@settings(max_examples=150)
def test_programs(operations: list[tuple]) -> None:
    graph = graph_of(operations)
    if graph is not None:
        assert graph.contradicted == {}
        check(graph)


@given(KERNELS)
@settings(max_examples=150)
def test_kernels_without_calls(kernels: list[tuple[int, int, int, int]]) -> None:
    check(kernels_only(kernels))
