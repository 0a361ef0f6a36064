"""A kernel is really made faster, a wait really left out, a copy really moved: predictions are within 5 %."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rocm_perf_lab.analysis.critical_path.graph import Graph, build_graph
from rocm_perf_lab.analysis.critical_path.whatif import Change, predict
from rocm_perf_lab.rocpd.timeline.rows import read_timeline

WITHIN = 0.05
BASE = 4000
HEAVY = re.compile("heavy")


def graph_of(folder: Path) -> Graph:
    return build_graph(read_timeline([folder]))


def time_in_heavy(graph: Graph) -> int:
    works = graph.timeline.works
    mine = [graph.timeline.names[name].startswith("heavy") for name in works.name]
    return int((works.end - works.start)[mine].sum())


@pytest.mark.parametrize("rounds", [3600, 1500, 100])
@pytest.mark.parametrize(
    "shape",
    [
        *("one_stream", "two_streams", "copies", "default_stream", "polling", "graph", "two_gpus"),
        "two_processes",
    ],
)
def test_a_faster_kernel(traced, shape: str, rounds: int) -> None:
    base, changed = graph_of(traced(shape, BASE)), graph_of(traced(shape, rounds))
    speedup = time_in_heavy(base) / time_in_heavy(changed)
    prediction = predict(base, Change(HEAVY, speedup))
    assert prediction.predicted_ns == pytest.approx(changed.span_ns, rel=WITHIN)
    # What was gained is told too, not only a time that hardly changed.
    gained = base.span_ns - changed.span_ns
    assert gained > 0
    assert prediction.gain_ns == pytest.approx(gained, abs=0.01 * base.span_ns)
    assert base.contradicted == {}


def test_waits_left_out(traced) -> None:
    base, changed = graph_of(traced("one_stream", BASE)), graph_of(traced("no_waits", BASE))
    assert changed.span_ns < 0.97 * base.span_ns
    prediction = predict(base, Change(remove_sync=True))
    assert prediction.predicted_ns == pytest.approx(changed.span_ns, rel=WITHIN)


def test_copies_moved_out_of_the_way(traced) -> None:
    base, changed = graph_of(traced("copy_in_the_way", BASE)), graph_of(traced("copy_beside", BASE))
    assert changed.span_ns < 0.9 * base.span_ns
    prediction = predict(base, Change(overlap_copies=True))
    assert prediction.predicted_ns == pytest.approx(changed.span_ns, rel=WITHIN)
