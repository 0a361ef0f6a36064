"""Headroom: the time left at the ceiling that applies, by hand."""

from __future__ import annotations

import pytest

from rocm_perf_lab.analysis.bottleneck import LABELS, classify, headroom
from rocm_perf_lab.contracts.profiling.bottleneck import Headroom, Label
from rocm_perf_lab.contracts.reason import Reason

from .known_kernels import KNOWN

NAMES = {"memory": "hbm", "compute": "vector units", "lds": "LDS", "issue": "scalar issue"}

# Label -> ceiling, share that is left of 10 ms, with 0.2 of the time without waves and 0.01 useful LDS time.
EXPECTED = {
    "memory-bandwidth bound": ("hbm", 0.72),
    "compute-throughput limited": ("vector units", 0.72),
    "divergence limited": ("vector units with all lanes active", 0.69 * 0.13 + 0.2),
    "LDS bound": ("vector units", 0.03 + 0.2),
    "instruction-issue bound": ("scalar issue", 0.7),
    "latency bound": ("hbm", 0.08 + 0.2),
    "under-occupied": ("vector units", 0.15 + 0.2),
}


@pytest.mark.parametrize("label", EXPECTED)
def test_by_hand(label: Label) -> None:
    found = headroom(
        label,
        KNOWN[label],
        10.0,
        idle_ms=5.0,
        ceilings=NAMES,
        lds_without_conflicts=0.01,
        without_waves=0.2,
        origin="measured",
    )
    assert isinstance(found, Headroom)
    ceiling, left = EXPECTED[label]
    assert found.ceiling == ceiling
    assert found.time_ms == 10.0
    assert found.floor_ms == pytest.approx(10 * left)
    assert found.gain_ms == pytest.approx(10 * (1 - left))
    assert found.speedup == pytest.approx(1 / left)
    assert f"{10 * left:.6g} ms" in found.derivation


def test_launches_count_the_idle_time() -> None:
    found = headroom(
        "launch bound", KNOWN["launch bound"], 10.0, idle_ms=5.0, ceilings=NAMES, origin="measured"
    )
    assert isinstance(found, Headroom)
    assert (found.time_ms, found.floor_ms) == (15.0, pytest.approx(15 * 0.27))


@pytest.mark.parametrize("label", LABELS)
def test_never_more_than_all_of_the_time(label: Label) -> None:
    figures = KNOWN[label]
    assert classify(figures).label == label
    found = headroom(label, figures, 1.0, ceilings=NAMES, without_waves=0.9, origin="simulated")
    if label == "unknown":
        assert isinstance(found, Reason)
    else:
        assert isinstance(found, Headroom)
        assert 0 < found.floor_ms <= found.time_ms
        assert found.origin == "simulated"
