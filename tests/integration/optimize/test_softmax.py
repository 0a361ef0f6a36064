"""rocm-perf optimize on examples: the softmax becomes faster, alike in every run; others stay as they are."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import rocm_perf

EXAMPLES = Path(__file__).parents[3] / "examples"


def optimize(folder: Path, example: str, *words: str) -> dict[str, Any]:
    build = f"hipcc -O3 -I{EXAMPLES} {{source}} -o {{output}}"
    few = ("--dry-run", "--max-iters", "1", "--max-trials", "1", "--json", "--compare-output")
    program = (EXAMPLES / example, sys.executable)
    done = rocm_perf(folder, "optimize", *program, "--build", build, *few, *words)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return optimize(tmp_path_factory.mktemp("first"), "softmax_rows.hip")


def test_the_softmax_becomes_faster(first: dict[str, Any]) -> None:
    (change,) = first["accepted"]
    taken = first["tried"][change["trial"]]
    assert taken["proposal"]["transform"] in ("unroll", "unroll_rewrite")
    for time in (taken["kernel_time"], taken["whole_time"]):
        assert (time["verdict"], time["exact"]) == ("win", True)
        assert time["ratio"] < 0.95
    assert "byte for byte" in taken["results"]
    assert "as the original with other floating-point values" in taken["results"]
    assert "the program's output is the same: standard output and exit status" in taken["results"]
    assert "nothing new" in taken["checkers"]


@pytest.mark.survey
def test_it_does_so_the_same_way_in_every_run(first: dict[str, Any], tmp_path: Path) -> None:
    """Timed by replays first, and then as before: the same change with the same figures."""
    taken = first["tried"][first["accepted"][0]["trial"]]
    second = optimize(tmp_path, "softmax_rows.hip", "--via", "replay")
    assert [one["diff"] for one in second["accepted"]] == [one["diff"] for one in first["accepted"]]
    again = second["tried"][second["accepted"][0]["trial"]]
    assert again["replays"].startswith("dispatch 0 for 3 launches, ")
    assert again["replay_time"]["verdict"] == "win"
    assert {**again, "replays": None, "replay_time": None} == taken


@pytest.mark.survey
def test_nothing_is_accepted_where_unrolling_gains_nothing(tmp_path: Path) -> None:
    """A barrier is in the outer loop, and the inner one is unrolled by the compiler already."""
    document = optimize(tmp_path, "matmul_tiled.hip")
    assert document["accepted"] == []
    assert document["end"] == "trials"  # there are more proposals, and they expect less
    assert document["present_sha256"] == document["before_sha256"]
    assert all(one["refusals"] for one in document["tried"])
    assert "barrier-in-loop" in {one["code"] for tried in document["tried"] for one in tried["refusals"]}
