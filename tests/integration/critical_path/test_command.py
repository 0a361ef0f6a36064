"""``rocm-perf whatif`` and dag.json from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.commands import Done, rocm_perf_words, run, without_rocm

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.dag import DagDocument, WhatIfDocument
from rocm_perf_lab.profiling.documents.critical_path import write_dag


def whatif(*arguments: object) -> Done:
    return run(*rocm_perf_words("whatif", *arguments), environment=without_rocm())


def document(*arguments: object) -> dict[str, Any]:
    done = whatif("--json", *arguments)
    assert done.returncode == 0, done.stderr
    from_json(WhatIfDocument, done.stdout, "whatif")
    return json.loads(done.stdout)


def test_a_prediction(traced) -> None:
    folder = traced("one_stream", 4000)
    told = document("--kernel", "heavy", "--speedup", "2", folder)
    assert told["affected"] == 6
    assert told["gain_ns"] == told["span_ns"] - told["predicted_ns"] > 0
    assert told["origin"] == "derived"
    text = whatif("--kernel", "heavy", "--speedup", "2", folder).stdout
    assert "what if: kernels that match 'heavy' 2 times as fast" in text
    assert "end to end" in text


def test_a_database_tells_what_its_folder_tells(traced) -> None:
    folder = traced("two_processes", 4000)
    databases = sorted(folder.rglob("*.db"))
    assert len(databases) == 2
    together, apart = document(folder), document(*databases)
    assert together["ranking"] == apart["ranking"]
    assert [kernel["name"].split("(")[0] for kernel in together["ranking"]] == ["heavy", "light"]


def test_ranking_without_a_change(traced) -> None:
    told = document(traced("two_streams", 4000))
    assert told["ranking_speedup"] == 2.0
    assert told["gain_ns"] == 0
    gains = [kernel["gain_ns"] for kernel in told["ranking"]]
    assert gains == sorted(gains, reverse=True)
    assert "heavy" in whatif(traced("two_streams", 4000)).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--kernel", "nothing"], 5, "no kernel's name matches"),
        (["--kernel", "("], 2, "not a regular expression"),
        (["--kernel", "heavy", "--speedup", "0"], 2, "more than 0"),
        (["--speedup", "2", "--remove-sync"], 2, "none is named"),
    ],
)
def test_what_makes_no_sense(traced, arguments: list[str], code: int, words: str) -> None:
    done = whatif(*arguments, traced("one_stream", 4000))
    assert done.returncode == code
    assert words in done.stderr


def test_no_trace(tmp_path: Path) -> None:
    done = whatif(tmp_path)
    assert done.returncode == 6
    assert "no rocpd database" in done.stderr
    (tmp_path / "a.db").write_text("nothing")
    assert whatif(tmp_path / "a.db").returncode == 6


def test_dag_of_a_program(traced, tmp_path: Path) -> None:
    written = write_dag(tmp_path, [traced("two_streams", 4000)])
    told = from_json(DagDocument, (tmp_path / "dag.json").read_bytes(), "dag.json")
    assert told == written
    assert told.origin == "simulated"
    assert told.host_calls
    assert sum(share.ns for share in told.breakdown) == told.span_ns
    assert told.critical_path_ns <= told.longest_chain_ns <= told.span_ns
    kernels = {kernel.name.split("(")[0]: kernel for kernel in told.kernels}
    assert kernels["heavy"].critical_launches == kernels["heavy"].launches == 6
    # light's first in every step is needed by all; the two beside heavy have time to spare.
    assert kernels["light"].launches == 18
    assert 6 <= kernels["light"].critical_launches < 18
    assert kernels["light"].overlapped_ns > 0
    assert {edge.type for edge in told.edges} >= {"launch", "stream", "event", "sync", "host"}


def test_dag_of_kernels_alone(traced, tmp_path: Path) -> None:
    """Without calls there is less to know; what is inferred is said to be."""
    told = write_dag(tmp_path, [traced("two_streams", 4000, ("--kernel-trace",))])
    assert not told.host_calls
    assert told.inferred_share == 1.0
    full = write_dag(tmp_path, [traced("two_streams", 4000)])
    assert full.inferred_share < 0.1
    # Here the times alone tell enough: the streams meet right after each other's ends.
    assert told.critical_path_ns == full.critical_path_ns


def test_every_gpu_has_its_gaps(traced, tmp_path: Path) -> None:
    told = write_dag(tmp_path, [traced("two_gpus", 4000)])
    assert len(told.gpus) == 2
    assert all(gpu.gaps > 0 and gpu.idle_ns > 0 for gpu in told.gpus)
    assert {share.what for gpu in told.gpus for share in gpu.causes} <= {"sync", "launch-bound", "order"}
