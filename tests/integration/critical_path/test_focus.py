"""``rocm-perf profile --focus-critical``: a pass of its own for the graph, times from the timing passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import RocmPerf

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.dag import DagDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument


@pytest.fixture(scope="module")
def run(rocm_perf: RocmPerf, shapes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "focused"
    options = ("--focus-critical", "--runs", "2", "--out", folder)
    done = rocm_perf("profile", *options, "--", shapes, "two_streams", "4000")
    assert done.returncode == 0, done.stderr
    return folder


def test_dag_of_a_run(run: Path) -> None:
    dag = from_json(DagDocument, (run / "dag.json").read_bytes(), "dag.json")
    profile = from_json(ProfileDocument, (run / "profile.json").read_bytes(), "profile.json")
    assert dag.host_calls
    (database,) = dag.databases
    assert database.startswith("critical-path/")
    assert (run / database).is_file()
    assert dag.origin == profile.origin == "simulated"
    # The pass is none of the timing passes, and does not count as one.
    assert [one.purpose for one in profile.passes] == ["timing", "timing"]
    assert {kernel.name for kernel in dag.kernels} == {kernel.name for kernel in profile.kernels}
    assert profile.warnings == ()


def test_whatif_uses_that_pass(run: Path, rocm_perf: RocmPerf) -> None:
    done = rocm_perf("whatif", "--json", "--kernel", "heavy", run)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    dag = json.loads((run / "dag.json").read_text())
    assert told["span_ns"] == dag["span_ns"]
    (heavy,) = [kernel for kernel in dag["kernels"] if kernel["name"].startswith("heavy")]
    assert told["gain_ns"] == heavy["gain_at_2x_ns"]


def test_a_run_without_it_has_kernels_only(rocm_perf: RocmPerf, shapes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    done = rocm_perf("profile", "--runs", "1", "--out", folder, "--", shapes, "one_stream", "500")
    assert done.returncode == 0, done.stderr
    assert not (folder / "dag.json").exists()
    told = rocm_perf("whatif", "--json", folder)
    assert told.returncode == 0, told.stderr
    assert any("no calls of the host" in text for text in json.loads(told.stdout)["assumptions"])


def test_it_needs_the_tracer(rocm_perf: RocmPerf) -> None:
    done = rocm_perf("profile", "--no-rocprof", "--focus-critical", "true")
    assert done.returncode == 2
    assert "--focus-critical" in done.stderr
