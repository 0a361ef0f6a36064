"""The timeline: bins, rows and gaps against counting nanosecond by nanosecond."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.contracts.profiling.dag import DagDocument, Gap, GpuIdle, Path, Step
from rocm_perf_lab.reporting.html import timeline_view as module
from rocm_perf_lab.reporting.html.page import embedded_json
from rocm_perf_lab.reporting.html.timeline_view import Lane, timeline_view

from .documents import timeline

intervals = st.tuples(st.integers(0, 60), st.integers(0, 20), st.integers(0, 2), st.integers(0, 1)).map(
    lambda one: (one[0], one[0] + one[1], one[2], one[3])
)
NAMES = ("a", "b", "c")


def quads(flat: list[int]) -> list[tuple[int, ...]]:
    return [tuple(flat[at : at + 4]) for at in range(0, len(flat), 4)]


def busy(works: list[tuple[int, int, int, int]], stream: int | None = None) -> set[int]:
    """The nanoseconds in which something ran."""
    return {
        time
        for start, end, _, lane in works
        if stream is None or lane == stream
        for time in range(start, end)
    }


@given(st.lists(intervals, min_size=1, max_size=12))
def test_events(works: list[tuple[int, int, int, int]]) -> None:
    view = timeline_view(timeline(works, names=NAMES))
    begin = min(start for start, *_ in works)
    assert view.bin_ns is None
    assert view.events == len(works)
    assert view.busy_ns == len(busy(works))
    shown = []
    for lane in view.lanes:
        stream = int(lane.name.removeprefix("stream ")) - 1
        assert lane.busy_ns == len(busy(works, stream))
        rows: dict[int, list[tuple[int, int]]] = {}
        for start, length, name, flags in quads(lane.events):
            shown.append((start + begin, start + begin + length, NAMES.index(view.names[name]), stream))
            rows.setdefault(flags >> 1, []).append((start, start + length))
            assert not flags & 1
        for row in rows.values():
            assert all(first[1] <= second[0] for first, second in pairwise(row)), "events of a row overlap"
    assert sorted(shown) == sorted(works)


@given(st.lists(intervals, min_size=1, max_size=12), st.integers(1, 9))
@settings(max_examples=60)
def test_bins(works: list[tuple[int, int, int, int]], bins: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_EVENTS", 0)
        patch.setattr(module, "MOST_BINS", bins)
        view = timeline_view(timeline(works, names=NAMES))
    begin, end = min(work[0] for work in works), max(work[1] for work in works)
    width = max(1, end - begin) / bins
    assert view.bin_ns == pytest.approx(width)
    for lane in view.lanes:
        stream = int(lane.name.removeprefix("stream ")) - 1
        running = busy(works, stream)
        found = {number: (flags >> 1, name, count) for number, flags, name, count in quads(lane.bins)}
        assert sum(count for _, _, count in found.values()) == sum(work[3] == stream for work in works)
        for number in range(bins):
            low, high = begin + number * width, begin + (number + 1) * width
            # A nanosecond counts as far as it lies in the bin.
            expected = sum(max(0.0, min(high, time + 1) - max(low, time)) for time in running)
            share, _, count = found.get(number, (0, 0, 0))
            assert share == pytest.approx(1000 * expected / width, abs=1.01)
            if number in found and expected == 0:
                assert count


@given(st.lists(intervals, min_size=1, max_size=10))
def test_gaps(works: list[tuple[int, int, int, int]]) -> None:
    works = [work for work in works if work[1] > work[0]] or [(0, 1, 0, 0)]
    view = timeline_view(timeline(works, names=NAMES))
    begin, end = min(work[0] for work in works), max(work[1] for work in works)
    idle = set(range(begin, end)) - busy(works)
    assert {gap.start_ns + begin + at for gap in view.gaps for at in range(gap.length_ns)} == idle
    for gap in view.gaps:
        start, stop = gap.start_ns + begin, gap.start_ns + begin + gap.length_ns
        assert gap.after in {NAMES[work[2]] for work in works if work[0] == stop}
        assert gap.before in {NAMES[work[2]] for work in works if work[1] == start}


def test_what_takes_most_names_a_bin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EVENTS", 0)
    monkeypatch.setattr(module, "MOST_BINS", 2)
    view = timeline_view(timeline([(0, 10, 0, 0), (10, 40, 1, 0), (40, 100, 2, 0)], names=NAMES))
    assert [view.names[name] for _, _, name, _ in quads(view.lanes[0].bins)] == ["b", "c"]


def test_many_lanes_are_left_out_and_told() -> None:
    works = [(stream, stream + 1 + stream, 0, stream) for stream in range(module.MOST_LANES + 3)]
    view = timeline_view(timeline(works, names=NAMES))
    assert len(view.lanes) == module.MOST_LANES
    assert [lane.name for lane in view.lanes] == [f"stream {n + 1}" for n in range(3, module.MOST_LANES + 3)]
    assert view.left_out is not None
    assert "3 lanes with 3 events" in view.left_out


def test_host_calls_come_after_streams() -> None:
    view = timeline_view(timeline([(5, 9, 0, 0)], calls=[(0, 4, 1, 0), (1, 2, 1, 1)], names=NAMES))
    assert [(lane.name, lane.kind) for lane in view.lanes] == [
        ("stream 1", "gpu"),
        ("host thread 1", "host"),
        ("host thread 2", "host"),
    ]
    assert view.lanes[0].events[0] == 5, "times count from the first event"


def test_nothing() -> None:
    assert timeline_view(timeline([])).missing


def dag(steps: tuple[Step, ...], gaps: tuple[Gap, ...] = ()) -> DagDocument:
    idle = GpuIdle(agent=1, busy_ns=1, idle_ns=1, gaps=len(gaps), causes=(), longest=gaps)
    return DagDocument(
        origin="measured",
        databases=("a.db",),
        host_calls=True,
        begin_ns=100,
        span_ns=50,
        critical_path_ns=30,
        longest_chain_ns=30,
        breakdown=(),
        processes=1,
        works=3,
        calls=0,
        kernels=(),
        copies=(),
        path=Path(steps=len(steps), aggregated=False, shown=steps),
        gpus=(idle,),
        edges=(),
        inferred_share=0.0,
        unknown=(),
    )


def test_critical_path() -> None:
    steps = (
        Step(kind="kernel", name="a", start_ns=0, end_ns=10),
        Step(kind="delay", name="launch", start_ns=10, end_ns=30),
        Step(kind="kernel", name="b", start_ns=30, end_ns=50),
    )
    # The third starts and ends with the first, and is another kernel.
    works = [(100, 110, 0, 0), (130, 150, 1, 0), (100, 110, 2, 1)]
    gaps = (Gap(start_ns=10, end_ns=30, cause="launch-bound", before="b"),)
    view = timeline_view(timeline(works, names=NAMES), dag(steps, gaps))
    path, *streams = view.lanes
    assert (path.name, path.kind) == ("critical path", "path")
    assert [view.names[name] for _, _, name, _ in quads(path.events)] == ["a", "delay: launch", "b"]

    def critical(lane: Lane) -> list[int]:
        return [flags & 1 for *_, flags in quads(lane.events)]

    assert [critical(lane) for lane in streams] == [[1, 1], [0]]
    assert [(gap.start_ns, gap.length_ns, gap.after, gap.cause) for gap in view.gaps] == [
        (10, 20, "b", "launch-bound")
    ]


def test_a_long_timeline_stays_small() -> None:
    """200 thousand kernels and as many calls: the page gets bins, and little of them."""
    count = 200_000
    works = [(10 * at, 10 * at + 7, at % 3, at % 4) for at in range(count)]
    calls = [(10 * at, 10 * at + 3, 3, 0) for at in range(count)]
    view = timeline_view(timeline(works, calls, names=(*NAMES, "hipLaunchKernel")))
    assert view.events == 2 * count
    assert sum(lane.count for lane in view.lanes) == 2 * count
    assert sum(count for lane in view.lanes for *_, count in quads(lane.bins)) == 2 * count
    assert not any(lane.events for lane in view.lanes)
    assert len(embedded_json([lane.bins for lane in view.lanes])) < 500_000
