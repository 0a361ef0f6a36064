"""The commands of the product on a ROCm prefix: profile, capture, replay, autotune, check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.rocm.find import Prefix

from .conftest import Run

pytestmark = pytest.mark.contract

SCALE = "scale(float const*, float*, float, int)"


@pytest.fixture(scope="module")
def origin(prefix: Prefix) -> str:
    return "measured" if prefix.kind == "real" else "simulated"


@pytest.fixture(scope="module")
def profiled(rocm_perf: Run, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a profile with everything that it can do."""
    folder = tmp_path_factory.mktemp("profiled")
    asked = ("--roofline", "--focus-critical", "--deep-analysis", "--kernel", "scale")
    done = rocm_perf("profile", "--runs", 2, *asked, "--out", folder / "run", "--", program, cwd=folder)
    assert done.code == 0, done.stderr
    return folder / "run"


def read(folder: Path, name: str) -> dict[str, Any]:
    found = json.loads((folder / name).read_text())
    assert isinstance(found, dict)
    return found


def test_times_and_resources(profiled: Path, origin: str) -> None:
    document = read(profiled, "profile.json")
    assert (document["origin"], document["kernel"]["name"]) == (origin, SCALE)
    assert document["stability"]["runs"] == 2
    (kernel,) = document["kernels"]
    assert kernel["launches"] == 3
    assert 0 < kernel["min_ms"] <= kernel["median_ms"] <= kernel["max_ms"]
    assert kernel["resources"]["arch_vgprs"] > 0
    assert kernel["resources"]["vgpr_spills"] == 0
    assert kernel["occupancy"]["theoretical"] > 0


def test_counters_and_roofline(profiled: Path) -> None:
    document = read(profiled, "profile.json")
    assert document["dropped_counters"] == {}
    roofline = document["roofline"]
    # One multiplication for each element and launch: exact on hardware, too.
    assert roofline["flops"] == 3 * 16384
    assert roofline["bytes"] > 0
    assert 0 < document["occupancy"]["achieved"] <= 1


def test_critical_path(profiled: Path) -> None:
    document = read(profiled, "dag.json")
    assert document["host_calls"] is True
    assert {one["name"]: one["launches"] for one in document["kernels"]}[SCALE] == 3
    assert 0 < document["critical_path_ns"] <= document["span_ns"]


def test_thread_trace(profiled: Path, prefix: Prefix) -> None:
    document = read(profiled, "att.json")
    if prefix.kind == "real" and any("trace-decoder" in warning for warning in document["warnings"]):
        pytest.skip("the trace decoder is not installed: " + "; ".join(document["warnings"]))
    (dispatch,) = document["dispatches"]
    assert dispatch["kernel"] == SCALE
    assert dispatch["waves"] > 0
    assert any(line["text"].startswith("s_endpgm") for line in dispatch["instructions"])


@pytest.fixture(scope="module")
def captured(rocm_perf: Run, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("captured") / "scale.capture"
    words = ("--kernel", "^scale", "--dispatch", 1, "--out", folder, "--", program)
    done = rocm_perf("capture", *words)
    assert done.code == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "PASS"
    return folder


def test_capture_is_complete(captured: Path, rocm_perf: Run, origin: str) -> None:
    document = rocm_perf("replay", "inspect", "--json", captured).document
    assert document["origin"] == origin
    assert document["capture"]["verdict"]["complete"] is True
    assert [argument["name"] for argument in document["arguments"]][:4] == ["in", "out", "factor", "n"]


def test_replay_is_the_same_execution(captured: Path, rocm_perf: Run) -> None:
    document = rocm_perf("replay", "validate", "--json", "--runs", 2, captured).document
    assert document["verdict"] == "passed"


def test_replay_is_timed_at_the_same_addresses(captured: Path, rocm_perf: Run, origin: str) -> None:
    document = rocm_perf("replay", "full-vm", "--json", "--iterations", 3, captured).document
    addresses = document["addresses"]
    assert document["timing"]["origin"] == origin
    assert addresses["exact"] == addresses["regions"] > 0
    assert [one["differing_bytes"] for one in document["agreement"]] == [0, 0, 0]


def test_replay_is_counted(captured: Path, rocm_perf: Run, waves: int) -> None:
    document = rocm_perf("replay", "profile", "--json", captured, "--pmc", "SQ_WAVES").document
    assert [(one["name"], one["value"]) for one in document["counters"]] == [("SQ_WAVES", waves)]
    assert all(one["same_state"] and one["exact_addresses"] for one in document["passes"])


def test_autotune_on_every_gpu(rocm_perf: Run, program: Path, origin: str, tmp_path: Path) -> None:
    (tmp_path / "space.json").write_text(json.dumps({"parameters": {"BLOCK": [64, 256]}}))
    words = ("--space", "space.json", "--cmd-template", f"{program} {{BLOCK}}", "--executor", "local")
    document = rocm_perf("autotune", *words, "--evals", 2, "--repeats", 1, "--json", cwd=tmp_path).document
    assert document["origin"] == origin
    assert document["best"]["configuration"]["BLOCK"] in (64, 256)


def test_check_uses_the_virtual_gpu_anyway(rocm_perf: Run, program: Path) -> None:
    document = rocm_perf("check", "--json", program).document
    assert (document["origin"], document["clean"]) == ("simulated", True)
