"""Claims of a bundle against what is found again: what counts as the same; which sources a bundle takes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.changes.change_bundle import BundledSide
from rocm_perf_lab.contracts.changes.optimization import TimeChange
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.optimizing.bundles.bundle import sources_of
from rocm_perf_lab.optimizing.bundles.claims import counters_agree, time_in_words, times_agree

MEASURED = TimeChange(
    origin="measured",
    before_ms=2.0,
    after_ms=1.8,
    ratio=0.9,
    ratio_low=0.88,
    ratio_high=0.92,
    level=0.99,
    pairs=9,
    exact=False,
    verdict="win",
)
EXACT = replace(MEASURED, origin="simulated", ratio_low=0.9, ratio_high=0.9, exact=True)
FEW = "too few"


@pytest.mark.parametrize(
    ("recorded", "found", "same"),
    [
        (MEASURED, replace(MEASURED, ratio=0.93, ratio_low=0.91, ratio_high=0.95), True),
        (MEASURED, replace(MEASURED, ratio=0.97, ratio_low=0.95, ratio_high=0.99), False),
        (MEASURED, replace(MEASURED, ratio_high=1.1, verdict="undecided"), False),
        (MEASURED, replace(MEASURED, ratio_low=None, ratio_high=None, missing={"ratio_low": FEW}), False),
        (MEASURED, replace(MEASURED, origin="simulated"), False),
        (EXACT, EXACT, True),
        (EXACT, replace(EXACT, ratio=0.9001, ratio_low=0.9001, ratio_high=0.9001), False),
    ],
)
def test_times(recorded: TimeChange, found: TimeChange, same: bool) -> None:
    agrees, said = times_agree(recorded, found)
    assert agrees is same
    assert time_in_words(found) in said


def side(origin: str, **counters: float) -> BundledSide:
    resources = Resources(
        origin="spec",
        arch_vgprs=8,
        accum_vgprs=0,
        sgprs=8,
        lds_static_bytes=0,
        lds_dynamic_bytes=0,
        scratch_bytes_per_lane=0,
        vgpr_spills=0,
        sgpr_spills=0,
        code_bytes=100,
    )
    return BundledSide(
        origin=origin,
        source="s",
        code_object="c",
        code_digest="d",
        resources=resources,
        counters=counters,
        traffic_bytes=1000.0,
    )


class Counted:
    """What is looked at of a kernel's profile."""

    def __init__(self, like: BundledSide, traffic: float, **counters: float) -> None:
        self.resources = like.resources
        self.roofline = type("Roofline", (), {"bytes": traffic, "counters": counters})()


def test_counters() -> None:
    simulated, measured = side("simulated", A=1.0), side("measured", A=1.0)
    assert counters_agree(simulated, Counted(simulated, 1000.0, A=1.0), simulated=True)[0]
    assert not counters_agree(simulated, Counted(simulated, 1000.0, A=2.0), simulated=True)[0]
    assert not counters_agree(simulated, Counted(simulated, 1000.0), simulated=True)[0]
    assert counters_agree(measured, Counted(measured, 1040.0, A=7.0), simulated=False)[0]
    assert not counters_agree(measured, Counted(measured, 1060.0, A=1.0), simulated=False)[0]
    assert not counters_agree(measured, Counted(measured, None, A=1.0), simulated=False)[0]
    larger = Counted(measured, 1000.0, A=1.0)
    larger.resources = replace(measured.resources, arch_vgprs=9)
    assert not counters_agree(measured, larger, simulated=False)[0]


def test_sources_keep_how_they_lie(tmp_path: Path) -> None:
    project = tmp_path / "a" / "b" / "project"
    for name, text in (
        ("src/gpu/k.hip", '#include "near.h"\n#include "../../include/deep.h"\n#include "far.h"\n'),
        ("src/gpu/near.h", '#include "nested/more.h"\n'),
        ("src/gpu/nested/more.h", ""),
        ("include/deep.h", ""),
    ):
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    far = tmp_path / "far.h"
    far.write_text("")
    (project / "src/gpu/far.h").symlink_to(far)
    source = project / "src/gpu/k.hip"
    main, includes, left_out = sources_of(source, source.read_bytes())
    assert main.name == "source/src/gpu/k.hip"
    assert [one.name for one in includes] == [
        "source/include/deep.h",
        "source/src/gpu/near.h",
        "source/src/gpu/nested/more.h",
    ]
    assert left_out == ("far.h",)
