"""Every label is shown by a kernel that is built to have it, profiled from outside on the virtual GPU."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.tiers import sweep

from rocm_perf_lab.analysis.bottleneck import RULES, BottleneckShares, classify
from rocm_perf_lab.analysis.bottleneck.figures import NAMES
from rocm_perf_lab.contracts.profiling.bottleneck import Label

from .conftest import EXAMPLES, Build, Run

LABELS = {
    rule.example.removesuffix(".hip"): rule.label for rule in RULES.values() if rule.example is not None
}


def kernel_in(folder: Path) -> dict[str, Any]:
    """The only kernel of analysis.json."""
    (kernel,) = json.loads((folder / "analysis.json").read_text())["kernels"]
    assert isinstance(kernel, dict)
    return kernel


def test_every_label_and_example_is_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.hip")} == set(LABELS)
    assert {*LABELS.values(), "unknown"} == set(get_args(Label))


KEPT = {"memory_bandwidth", "divergence", "latency", "under_occupied", "launch"}


@pytest.mark.parametrize("name", sweep(LABELS, keep=KEPT))
def test_example(name: str, build: Build, profile: Run, tmp_path: Path) -> None:
    screen = profile("--roofline", "--out", tmp_path / "run", build(name))
    kernel = kernel_in(tmp_path / "run")
    found = kernel["bottleneck"]
    assert found["label"] == LABELS[name]
    assert found["certainty"] in ("high", "medium")
    assert found["depth"] == "counters"
    assert found["not_assessed"] == []
    assert LABELS[name] in " ".join(screen.split())
    headroom = kernel["headroom"]
    assert 0 < headroom["floor_ms"] < headroom["time_ms"]
    assert headroom["floor_ms"] == pytest.approx(headroom["time_ms"] - headroom["gain_ms"])
    chance = random.Random(name)
    for _ in range(200):
        noisy = {one: min(1.0, kernel["figures"][one] * chance.uniform(0.99, 1.01)) for one in NAMES}
        assert classify(BottleneckShares(**noisy), changes=False).label == LABELS[name]


def test_the_trace_alone(build: Build, profile: Run, tmp_path: Path) -> None:
    """Too few waves are seen in a trace; the rest is not guessed."""
    for name, label in (("under_occupied", "under-occupied"), ("memory_bandwidth", "unknown")):
        profile("--out", tmp_path / name, build(name))
        found = kernel_in(tmp_path / name)["bottleneck"]
        assert (found["label"], found["depth"], found["certainty"]) == (label, "trace", "low")
