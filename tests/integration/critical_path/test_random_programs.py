"""Programs that use streams, events, copies and queries at random: every rule holds in what was observed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.commands import HipProgram, succeed

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence
from rocm_perf_lab.analysis.critical_path.graph import build_graph
from rocm_perf_lab.analysis.critical_path.solve import replay, total_slack
from rocm_perf_lab.profiling.documents.critical_path import TRACE_OPTIONS
from rocm_perf_lab.rocpd.timeline.rows import read_timeline

SOURCE = Path(__file__).parents[1] / "rocprofv3" / "programs" / "random_streams.hip"


@pytest.fixture(scope="module")
def program(hip_program: HipProgram) -> Path:
    return hip_program(SOURCE, "-O2")


@pytest.mark.parametrize("seed", range(1, 7))
def test_no_rule_is_denied(program: Path, environment: dict[str, str], tmp_path: Path, seed: int) -> None:
    command = ("rocprofv3", *TRACE_OPTIONS, "-f", "rocpd", "-d", tmp_path, "--", program, seed)
    succeed(*command, environment=environment)
    graph = build_graph(read_timeline([tmp_path]))
    assert graph.contradicted == {}
    times = replay(graph, graph.edges.source, graph.edges.target, graph.delay)
    assert (times == graph.times).all()
    assert (total_slack(graph) >= 0).all()
    assert np.count_nonzero(graph.edges.confidence == EdgeConfidence.POSSIBLE) == 0
    assert len(graph.timeline.works) > 20
