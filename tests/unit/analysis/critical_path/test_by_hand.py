"""Small timelines whose path, slack and gaps are worked out by hand."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeType
from rocm_perf_lab.analysis.critical_path.graph import Graph, build_graph
from rocm_perf_lab.analysis.critical_path.solve import free_slack, longest_chain_ns, total_slack
from rocm_perf_lab.analysis.critical_path.summary import dag_document, unknown
from rocm_perf_lab.analysis.critical_path.whatif import Change, predict, rank_kernels, time_on_path
from rocm_perf_lab.rocpd.timeline.rows import TracedProcess

sys.path.insert(0, str(Path(__file__).parent))
from scenario import Call, Work, timeline


def named(graph: Graph, values: np.ndarray) -> dict[str, int]:
    """By the name of the work (all different)."""
    works = graph.timeline.works
    return {graph.timeline.names[works.name[at]]: int(values[at]) for at in range(len(works))}


def slack(graph: Graph, which=total_slack) -> dict[str, int]:
    return named(graph, which(graph)[graph.layout.work_end(np.arange(len(graph.timeline.works)))])


def edges(graph: Graph, type_: EdgeType) -> set[tuple[str, str]]:
    """Pairs of works that depend on each other in this way, by name."""
    works, count = graph.timeline.works, 2 * len(graph.timeline.works)
    name = [graph.timeline.names[number] for number in works.name]
    mine = graph.edges.type == type_
    return {
        (name[source // 2], name[target // 2])
        for source, target in zip(graph.edges.source[mine], graph.edges.target[mine], strict=True)
        if source < count and target < count
    }


def predicted(graph: Graph, kernel: str, speedup: float) -> int:
    return predict(graph, Change(re.compile(rf"\A{kernel}\Z"), speedup)).predicted_ns


def test_one_stream() -> None:
    """launch a, launch b, wait: the host is ahead, so the GPU's work is the path."""
    graph = build_graph(
        timeline(
            [Work("a", 30, 130, call=0), Work("b", 140, 340, call=1)],
            [
                Call("hipLaunchKernel", 0, 10),
                Call("hipLaunchKernel", 10, 20),
                Call("hipDeviceSynchronize", 20, 350),
            ],
        )
    )
    assert graph.span_ns == 350
    assert named(graph, time_on_path(graph)) == {"a": 100, "b": 200}
    assert longest_chain_ns(graph) == 300
    assert slack(graph) == {"a": 0, "b": 0}
    # a in half its time: b follows it by the 10 ns of before.
    assert predicted(graph, "a", 2) == 300
    # a in no time: b follows at once, at 30 + 10; the launch of b was over at 20, plus the 20 of a launch.
    assert predicted(graph, "a", math.inf) == 250
    document = dag_document(graph.timeline)
    assert document.critical_path_ns == 300
    assert {share.what: share.ns for share in document.breakdown} == {
        "kernels": 300,
        "host calls": 10,
        "launch delay": 20,
        "stream delay": 10,
        "sync delay": 10,
    }


def test_two_streams_that_meet_in_an_event() -> None:
    """a (stream 0) beside b (stream 1); c on stream 0 waits for both."""
    calls = [
        Call("hipLaunchKernel", 0, 10),
        Call("hipLaunchKernel", 10, 20),
        Call("hipEventRecord", 20, 25, stream=1, event=7),
        Call("hipStreamWaitEvent", 25, 30, stream=0, event=7),
        Call("hipLaunchKernel", 30, 40),
        Call("hipStreamSynchronize", 40, 420, stream=0),
    ]
    works = [
        Work("a", 20, 120, stream=0, queue=0, call=0),
        Work("b", 30, 200, stream=1, queue=1, call=1),
        Work("c", 210, 410, stream=0, queue=0, call=4),
    ]
    graph = build_graph(timeline(works, calls))
    # c began 10 after the event, which was when b ended; a was over at 120, 10 more are usual: 80 to spare.
    assert named(graph, time_on_path(graph)) == {"a": 0, "b": 170, "c": 200}
    assert slack(graph) == {"a": 80, "b": 0, "c": 0}
    assert slack(graph, free_slack) == {"a": 80, "b": 0, "c": 0}
    assert edges(graph, EdgeType.STREAM) == {("a", "c")}
    assert longest_chain_ns(graph) == 370
    # b twice as fast ends at 115: then a, at 120, is what c waits for.
    assert predicted(graph, "b", 2) == 420 - 80
    assert predicted(graph, "b", 1.25) == 420 - 34
    assert predicted(graph, "a", 2) == 420
    ranking = rank_kernels(graph, speedup=2)
    assert [(kernel.name, kernel.gain_ns) for kernel in ranking] == [("c", 100), ("b", 80), ("a", 0)]


def test_blocking_copy_and_what_overlaps_it() -> None:
    calls = [
        Call("hipMemcpy", 0, 100),
        Call("hipLaunchKernel", 100, 110),
        Call("hipMemcpy", 110, 330),
    ]
    works = [
        Work("in", 20, 90, call=0, copy=True),
        Work("k", 120, 220, call=1),
        Work("out", 230, 320, call=2, copy=True),
    ]
    graph = build_graph(timeline(works, calls))
    assert slack(graph) == {"in": 0, "k": 0, "out": 0}
    prediction = predict(graph, Change(overlap_copies=True))
    assert prediction.affected == 2
    assert prediction.on_path_ns == 160
    # The host waits for neither copy: k is launched at 0 to 10 and runs from 20 to 120. The second copy is
    # called at 10, begins after the usual delay of a launch (of 20 and 10: 15) and is over at 115.
    assert prediction.predicted_ns == 120


def test_kernels_keep_their_order_without_the_copies_between_them() -> None:
    calls = [
        Call("hipLaunchKernel", 0, 10),
        Call("hipMemcpyAsync", 10, 20),
        Call("hipLaunchKernel", 20, 30),
        Call("hipDeviceSynchronize", 30, 330),
    ]
    works = [
        Work("a", 20, 100, call=0),
        Work("copy", 110, 210, call=1, copy=True),
        Work("b", 220, 320, call=2),
    ]
    graph = build_graph(timeline(works, calls))
    # b follows a by one delay of 10; the copy is over at 30 + 100; the wait takes 10 as before.
    assert predict(graph, Change(overlap_copies=True)).predicted_ns == 100 + 10 + 100 + 10


def test_overlapped_copies_of_one_direction_still_share_their_engine() -> None:
    calls = [Call("hipMemcpy", 100 * at, 100 * at + 100) for at in range(3)]
    works = [Work("in", 100 * at + 10, 100 * at + 90, stream=at, call=at, copy=True) for at in range(3)]
    graph = build_graph(timeline(works, calls))
    # No call waits any more; the copies, of 80 each, follow each other from 10 on.
    assert predict(graph, Change(overlap_copies=True)).predicted_ns == 10 + 3 * 80


def test_gap_causes() -> None:
    """Four gaps: the host computes; a copy; a round trip over a wait; launches that come too slowly."""
    calls = [
        Call("hipLaunchKernel", 0, 10),  # a
        Call("hipStreamSynchronize", 10, 130, stream=0),
        Call("hipLaunchKernel", 1000, 1010),  # b, long after
        Call("hipMemcpyAsync", 1010, 1020),
        Call("hipLaunchKernel", 1020, 1030),  # c, behind the copy
        Call("hipStreamSynchronize", 1030, 1860, stream=0),
        Call("hipLaunchKernel", 1860, 1900),  # d, right after the wait
        Call("hipLaunchKernel", 1900, 2100),  # e, a slow call
        Call("hipStreamSynchronize", 2100, 2300, stream=0),
    ]
    works = [
        Work("a", 20, 120, call=0),
        Work("b", 1020, 1120, call=2),
        Work("copy", 1130, 1730, call=3, copy=True),
        Work("c", 1740, 1840, call=4),
        Work("d", 1910, 1930, call=6),
        Work("e", 2110, 2200, call=7),
    ]
    (gpu,) = dag_document(timeline(works, calls)).gpus
    causes = {gap.before: (gap.cause, gap.end_ns - gap.start_ns) for gap in gpu.longest}
    assert causes == {
        "b": ("nothing to do", 900),
        "c": ("copy", 620),
        "d": ("sync", 70),
        "e": ("launch-bound", 180),
    }
    assert gpu.busy_ns == 100 + 100 + 100 + 20 + 90
    assert gpu.busy_ns + gpu.idle_ns == 2200 - 20


def test_null_stream() -> None:
    """Stream 0 is the null stream, 1 is blocking, 2 is not."""
    calls = [Call("hipLaunchKernel", 10 * at, 10 * at + 10) for at in range(4)]
    works = [
        Work("null", 20, 120, stream=0, queue=0, call=0),
        Work("blocked", 130, 230, stream=1, queue=1, call=1),
        Work("free", 40, 90, stream=2, queue=2, call=2),
        Work("again", 240, 300, stream=0, queue=0, call=3),
    ]
    graph = build_graph(timeline(works, calls, null_streams=[0], blocking=[1]))
    assert edges(graph, EdgeType.DEFAULT_STREAM) == {("null", "blocked"), ("blocked", "again")}
    assert slack(graph) == {"null": 0, "blocked": 0, "free": 210, "again": 0}


def test_a_loop_of_queries_is_a_wait() -> None:
    calls = [
        Call("hipLaunchKernel", 0, 10),
        Call("hipEventRecord", 10, 20, stream=0, event=1),
        *(Call("hipEventQuery", at, at + 10, event=1) for at in range(20, 130, 10)),
        Call("hipFree", 130, 140),
    ]
    graph = build_graph(timeline([Work("k", 20, 120, call=0)], calls))
    assert len(graph.timeline.calls) == 4
    assert predicted(graph, "k", 2) == 140 - 50


def test_a_stream_without_work_hands_events_on() -> None:
    """Stream 2 has no work of its own: it gathers the events of 40 kernels of stream 0 for stream 1."""
    calls, works = [], []
    for at in range(40):
        now = 30 * at
        calls += [
            Call("hipLaunchKernel", now, now + 10),
            Call("hipEventRecord", now + 10, now + 20, stream=0, event=at),
            Call("hipStreamWaitEvent", now + 20, now + 30, stream=2, event=at),
        ]
        works.append(Work(f"k{at}", 2000 + 100 * at, 2090 + 100 * at, stream=0, queue=0, call=3 * at))
    calls += [
        Call("hipEventRecord", 1200, 1210, stream=2, event=99),
        Call("hipStreamWaitEvent", 1210, 1220, stream=1, event=99),
        Call("hipLaunchKernel", 1220, 1230),
    ]
    works.append(Work("last", 6010, 6100, stream=1, queue=1, call=122))
    graph = build_graph(timeline(works, calls))
    assert set(slack(graph).values()) == {0}
    into = graph.determined_by[graph.layout.work_start(40)]
    assert graph.edges.type[into] == EdgeType.EVENT
    assert graph.delay[into] == 20  # after k39, which ended at 5990
    # Two streams that hand their events on take as many points as calls, not their square.
    assert np.count_nonzero(graph.edges.type == EdgeType.EVENT) < 3 * 40


def test_a_full_queue_holds_the_host() -> None:
    """Launches take 10; the fifth found no place until the second kernel had ended."""
    calls = [Call("hipLaunchKernel", 10 * at, 10 * at + 10) for at in range(4)]
    calls += [Call("hipLaunchKernel", 40, 405), Call("hipLaunchKernel", 405, 415)]
    works = [Work(f"k{at}", 20 + 200 * at, 200 + 200 * at, call=at) for at in range(6)]
    graph = build_graph(timeline(works, calls))
    (full,) = np.flatnonzero(graph.edges.type == EdgeType.QUEUE_FULL).tolist()
    assert graph.edges.source[full] == graph.layout.work_end(1)
    assert graph.edges.confidence[full] == EdgeConfidence.LIKELY


def test_several_processes_and_gpus() -> None:
    """Each process has its own streams and order; the later end counts."""
    calls = [
        Call("hipLaunchKernel", 0, 10, thread=0, process=0),
        Call("hipDeviceSynchronize", 10, 130, thread=0, process=0),
        Call("hipLaunchKernel", 0, 10, thread=1, process=1),
        Call("hipDeviceSynchronize", 10, 330, thread=1, process=1),
    ]
    works = [
        Work("short", 20, 120, stream=0, queue=0, call=0, agent=1, process=0),
        Work("long", 20, 320, stream=1, queue=1, call=2, agent=2, process=1),
    ]
    graph = build_graph(
        timeline(works, calls, processes=[TracedProcess(1, None, "h"), TracedProcess(2, None, "h")])
    )
    assert slack(graph) == {"short": 200, "long": 0}
    assert predicted(graph, "long", 2) == 180
    assert predicted(graph, "long", 10) == 130
    document = dag_document(graph.timeline)
    assert [(gpu.agent, gpu.busy_ns) for gpu in document.gpus] == [(1, 100), (2, 300)]


def test_a_child_process_follows_its_parent() -> None:
    calls = [
        Call("hipInit", 0, 100, thread=0, process=0),
        Call("hipInit", 150, 250, thread=1, process=1),
    ]
    processes = [TracedProcess(1, None, "h"), TracedProcess(2, 1, "h")]
    graph = build_graph(timeline([], calls, processes=processes))
    (edge,) = np.flatnonzero(graph.edges.type == EdgeType.PROCESS).tolist()
    assert graph.edges.confidence[edge] == EdgeConfidence.POSSIBLE
    assert graph.delay[edge] == 50
    elsewhere = [TracedProcess(1, None, "h"), TracedProcess(2, 1, "another")]
    graph = build_graph(timeline([], calls, processes=elsewhere))
    assert not np.any(graph.edges.type == EdgeType.PROCESS)
    assert any("several hosts" in text for text in unknown(graph))


def test_threads() -> None:
    """The second thread begins after a call of the first, which is silent until the second is done."""
    calls = [
        Call("hipInit", 0, 100, thread=0),
        Call("hipSetDevice", 101, 102, thread=0),
        Call("hipFree", 450, 460, thread=0),
        Call("hipLaunchKernel", 150, 160, thread=1),
        Call("hipStreamSynchronize", 160, 400, stream=0, thread=1),
    ]
    graph = build_graph(timeline([Work("k", 190, 390, call=3)], calls))
    assert named(graph, time_on_path(graph)) == {"k": 200}
    assert predicted(graph, "k", 2) == 360
    guessed = graph.edges.confidence[graph.edges.type == EdgeType.THREAD]
    assert guessed.tolist() == [EdgeConfidence.POSSIBLE] * 2


def test_device_sync_waits_for_the_device_that_was_set() -> None:
    calls = [
        Call("hipSetDevice", 0, 1, device=0),
        Call("hipLaunchKernel", 1, 10),
        Call("hipSetDevice", 10, 11, device=1),
        Call("hipLaunchKernel", 11, 20),
        Call("hipDeviceSynchronize", 20, 130),
        Call("hipSetDevice", 130, 131, device=0),
        Call("hipDeviceSynchronize", 131, 330),
    ]
    works = [
        Work("first", 20, 320, stream=0, queue=0, call=1, agent=4),
        Work("second", 30, 120, stream=1, queue=1, call=3, agent=5),
    ]
    graph = build_graph(timeline(works, calls))
    # The first wait needs second alone and was over at 130; without waiting the second one would begin at 131
    # and could be over at once, but is over at 330.
    assert slack(graph) == {"first": 0, "second": 199}


@pytest.mark.parametrize("streams", [1, 300])
def test_kernels_only(streams: int) -> None:
    """One queue with many streams: its packets follow each other, and that is called inferred."""
    works = [Work(f"k{at:03}", 10 * at, 10 * at + 8, stream=at % streams) for at in range(600)]
    document = dag_document(timeline(works))
    assert not document.host_calls
    assert document.critical_path_ns == 600 * 8
    assert document.inferred_share == 1.0
    assert any("no calls of the host" in text for text in document.unknown)
    assert {gap.cause for gap in document.gpus[0].longest} == {"not traced"}


def test_a_stream_over_two_queues_is_one_stream() -> None:
    works = [Work("a", 0, 100, 0, 0), Work("b", 110, 200, 0, 1), Work("x", 0, 20, 1, 2)]
    assert edges(build_graph(timeline(works)), EdgeType.STREAM) == {("a", "b")}


def test_overlap_in_a_stream_is_no_order() -> None:
    """a and b overlap in their stream; c follows both; starts are not in the order of submission."""
    works = [Work("b", 5, 60, 0), Work("a", 0, 50, 0), Work("c", 70, 100, 0)]
    graph = build_graph(timeline(works))
    assert edges(graph, EdgeType.STREAM) == {("a", "c"), ("b", "c")}
    assert slack(graph) == {"a": 10, "b": 0, "c": 0}


def test_streams_that_were_not_traced() -> None:
    """All on stream 0, over two queues: queues count, and the trace's stream does not."""
    works = [Work("a", 0, 100, 0, 0), Work("b", 300, 400, 0, 1), Work("c", 110, 200, 0, 0)]
    graph = build_graph(timeline(works))
    assert edges(graph, EdgeType.STREAM) == set()
    assert edges(graph, EdgeType.QUEUE) == {("a", "c")}


def test_order_between_streams_from_times_is_possible_only() -> None:
    works = [Work(f"s{at}", 110 * at, 110 * at + 100, stream=0, queue=0) for at in range(5)]
    works += [Work("early", 0, 20, stream=1, queue=1), Work("late", 555, 600, stream=1, queue=1)]
    graph = build_graph(timeline(works))
    assert edges(graph, EdgeType.TIME) == {("s4", "late")}
    inferred = graph.edges.confidence[graph.edges.type == EdgeType.TIME]
    assert set(inferred.tolist()) == {EdgeConfidence.POSSIBLE}


def test_times_that_deny_a_dependency_are_told() -> None:
    """A kernel that began before its launch was called: clocks that disagree."""
    document = dag_document(
        timeline([Work("k", 0, 50, call=0)], [Call("hipLaunchKernel", 10, 20), Call("hipFree", 60, 70)])
    )
    (launch,) = [item for item in document.edges if item.type == "launch"]
    assert (launch.count, launch.contradicted) == (0, 1)
    assert any("denied by the observed times" in text for text in document.unknown)


def test_a_long_path_is_put_together() -> None:
    works = [Work("k", 10 * at, 10 * at + 8) for at in range(5000)]
    path = dag_document(timeline(works)).path
    assert path.aggregated
    assert path.steps == 2 * 5000 - 1
    assert len(path.shown) <= 2000
    assert sum(step.steps for step in path.shown) == path.steps
    assert path.shown[0].start_ns == 0
    assert path.shown[-1].end_ns == 10 * 4999 + 8
    assert all(one.end_ns == two.start_ns for one, two in zip(path.shown, path.shown[1:], strict=False))
