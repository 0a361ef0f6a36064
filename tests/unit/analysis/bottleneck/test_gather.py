"""Figures from counters that were made for known shares, and from traces without counters."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.bottleneck import classify
from rocm_perf_lab.analysis.bottleneck.gather import NO_TIME, gather
from rocm_perf_lab.arch.counters.busy import busy_counters
from rocm_perf_lab.contracts.profiling.analysis import AttFeatures
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.contracts.profiling.roofline import Roofline, Suspect, Traffic

from ..made_profiles import GPU, kernel

CUS, SIMDS, CLOCKS = 304, 4 * 304, 210_000.0  # 0.1 ms at 2100 MHz
WAVES, LIFETIME = (
    4864.0,
    189_000.0,
)  # one generation of four groups a unit, 0.9 of the time, half of the slots
COUNTERS = {
    "GRBM_GUI_ACTIVE": 8 * CLOCKS,
    "SQ_WAVES": WAVES,
    "SQ_WAVE_CYCLES": WAVES * LIFETIME / 4,
    "SQ_ACTIVE_INST_VALU": 0.7 * SIMDS * CLOCKS / 4,
    "SQ_VALU_MFMA_BUSY_CYCLES": 0.1 * SIMDS * CLOCKS,
    "SQ_LDS_IDX_ACTIVE": 0.2 * CUS * CLOCKS,
    "SQ_LDS_BANK_CONFLICT": 0.1 * CUS * CLOCKS,
    "SQ_ACTIVE_INST_SCA": 0.05 * SIMDS * CLOCKS / 4,
    "SQ_ACTIVE_INST_MISC": 0.15 * SIMDS * CLOCKS / 4,
    "SQ_WAIT_ANY": 0.4 * WAVES * LIFETIME / 4,
    "SQ_BUSY_CU_CYCLES": 0.8 * CUS * CLOCKS,
}
OCCUPANCY = Occupancy(
    origin="derived",
    missing={"next_step": "full"},
    theoretical=1.0,
    achieved=0.45,
    threads_per_block=256,
    wave_size=64,
    waves_per_simd=8.0,
    max_waves_per_simd=8,
    workgroups_per_cu=8,
    unit="CU",
    limiter="waves",
    limits={},
    next_step=None,
)


def traffic(level: str, share: float) -> Traffic:
    return Traffic(
        level=level,  # type: ignore[arg-type]
        read_bytes=None,
        write_bytes=None,
        total_bytes=1.0,
        gbps=1.0,
        arithmetic_intensity=None,
        ceiling=level,
        share_of_ceiling=share,
        formula="",
        upper_bound=None,
    )


def counted(counters: dict[str, float], *suspects: Suspect, hbm: float = 0.25) -> KernelProfile:
    roofline = Roofline(
        origin="measured",
        flop_model="typed",
        flops=None,
        bytes=None,
        arithmetic_intensity=None,
        achieved_gflops=None,
        achieved_gbps=None,
        work=(),
        traffic=(traffic("hbm", hbm), traffic("l2", 0.1), traffic("lds", 0.9)),
        ceilings=(),
        active_lane_share=0.8,
        bound=None,
        bound_by=None,
        share_of_roof=None,
        suspects=suspects,
        counters=counters,
        notes=(),
    )
    made = kernel("k()", 0.1, launches=1)
    group = replace(made.groups[0], grid=(1216 * 256, 1, 1), occupancy=OCCUPANCY)
    return replace(made, groups=(group,), occupancy=OCCUPANCY, roofline=roofline)


def test_all_counters_that_are_wanted_are_used() -> None:
    assert set(busy_counters("gfx942")) == set(COUNTERS)
    assert busy_counters("gfx1100") == ()


def test_shares_are_those_the_counters_were_made_for() -> None:
    found = gather(counted(COUNTERS), GPU)
    expected = {
        "memory": 0.25,  # the fabric: more than the L2; the LDS is no memory ceiling
        "compute": 0.7,
        "lanes": 0.8,
        "lds": 0.2 + 1.5 * 0.1,
        "issue": 0.15,
        "occupied": 0.45,  # half of the slots for 0.9 of the time
        "waiting": 0.4,
        "outside": 0.1,
    }
    assert found.values == pytest.approx(expected)
    assert found.depth == "counters"
    assert not found.estimates
    assert found.lds_without_conflicts == pytest.approx(0.1)
    assert classify(found.figures).label == "compute-throughput limited"


def test_idle_time_before_launches() -> None:
    """0.1 ms of launch, 0.9 of it with waves, and 10 us of idle time before it."""
    found = gather(counted(COUNTERS), GPU, idle_ns=10_000.0)
    assert found.values["outside"] == pytest.approx(1 - 0.9 * 0.1e6 / (0.1e6 + 10_000))


@pytest.mark.parametrize("made", [kernel("k()", 0.0), replace(counted(COUNTERS), total_ms=0.0, mean_ms=0.0)])
@pytest.mark.parametrize("idle_ns", [None, 0.0])
def test_launches_that_take_no_time(made: KernelProfile, idle_ns: float | None) -> None:
    """As traces with a coarse clock have them: what cannot be divided is missing and no crash."""
    found = gather(made, GPU, idle_ns=idle_ns)
    assert "outside" not in found.values
    assert found.missing["outside"] == NO_TIME or idle_ns is None
    classify(found.figures, depth=found.depth, estimates=found.estimates)


def test_a_kernel_that_most_runs_did_not_launch() -> None:
    """Its launches in a run are 0, rounded."""
    found = gather(replace(counted(COUNTERS), launches=0), GPU)
    assert found.missing["outside"] == "most runs did not launch it"


def test_units_that_are_busy_longer_than_the_waves_of_one_generation() -> None:
    """Where waves start one after the other, units are at work for longer than a wave lives."""
    found = gather(counted({**COUNTERS, "SQ_BUSY_CU_CYCLES": 0.95 * CUS * CLOCKS}), GPU)
    assert found.values["outside"] == pytest.approx(0.05)


def test_a_copy_as_an_mi300x_counted_it() -> None:
    """c[i] = a[i] of 1048576 doubles in groups of 256, 6.73 us; the profiler's own clocks are in the counter
    of clocks, which is twice the duration. Too little data, and too short: no label is certain."""
    counters = {
        "GRBM_GUI_ACTIVE": 231626.0,
        "SQ_WAVES": 16384.0,
        "SQ_WAVE_CYCLES": 13887596.0,
        "SQ_ACTIVE_INST_VALU": 98304.0,
        "SQ_VALU_MFMA_BUSY_CYCLES": 0.0,
        "SQ_LDS_IDX_ACTIVE": 0.0,
        "SQ_LDS_BANK_CONFLICT": 0.0,
        "SQ_ACTIVE_INST_SCA": 114688.0,
        "SQ_ACTIVE_INST_MISC": 32768.0,
        "SQ_WAIT_ANY": 9644071.0,
        "SQ_BUSY_CU_CYCLES": 2368304.0,
    }
    copy = counted(counters, hbm=2494 / 5300)
    group = replace(copy.groups[0], grid=(1048576, 1, 1))
    copy = replace(copy, total_ms=0.00673, mean_ms=0.00673, groups=(group,))
    found = gather(copy, GPU)
    clocks = 6.73 * 2100
    assert found.values["compute"] == pytest.approx(4 * 98304 / 1216 / clocks)
    assert found.values["occupied"] == pytest.approx(4 * 13887596 / (clocks * 304 * 32))
    assert found.values["outside"] == pytest.approx(1 - 2368304 / 304 / clocks)
    label = classify(found.figures)
    assert label.label == "latency bound"
    assert label.certainty == "low"


def test_noise_in_every_counter() -> None:
    chance = random.Random(3)
    for _ in range(200):
        noisy = {name: value * chance.uniform(0.99, 1.01) for name, value in COUNTERS.items()}
        figures = gather(counted(noisy, hbm=0.25 * chance.uniform(0.99, 1.01)), GPU).figures
        assert classify(figures, changes=False).label == "compute-throughput limited"


def test_matrix_units_use_all_lanes() -> None:
    busy = {**COUNTERS, "SQ_VALU_MFMA_BUSY_CYCLES": 0.9 * SIMDS * CLOCKS}
    found = gather(counted(busy), GPU)
    assert (found.values["compute"], found.values["lanes"]) == (pytest.approx(0.9), 1.0)
    assert found.ceilings["compute"] == "matrix units"


@pytest.mark.parametrize(
    ("counter", "figure"),
    [("SQ_WAIT_ANY", "waiting"), ("SQ_LDS_IDX_ACTIVE", "lds")],
)
def test_a_missing_counter(counter: str, figure: str) -> None:
    less = {name: value for name, value in COUNTERS.items() if name != counter}
    found = gather(counted(less), GPU)
    assert figure not in found.values
    assert counter in found.missing[figure]
    section = found.section(counted(less))
    assert set(section.missing) == {figure}


def test_one_of_two_is_an_estimate() -> None:
    less = {name: value for name, value in COUNTERS.items() if name != "SQ_ACTIVE_INST_MISC"}
    found = gather(counted(less), GPU)
    assert found.values["issue"] == pytest.approx(0.05)
    assert found.estimates == ["issue"]


def test_impossible_shares_and_suspect_counters_are_not_used() -> None:
    impossible = gather(counted({**COUNTERS, "SQ_WAIT_ANY": 2 * COUNTERS["SQ_WAVE_CYCLES"]}), GPU)
    assert "suspect" in impossible.missing["waiting"]
    doubtful = Suspect(figure="counter SQ_WAIT_ANY", value=1, why="", formula="", counters={})
    assert "waiting" not in gather(counted(COUNTERS, doubtful), GPU).values
    traffic_hbm = Suspect(figure="traffic hbm", value=1, why="", formula="", counters={})
    assert gather(counted(COUNTERS, traffic_hbm), GPU).values["memory"] == pytest.approx(0.1)


def test_without_counters() -> None:
    bare = replace(counted(COUNTERS), roofline=None, missing={"roofline": "not asked for"})
    found = gather(bare, GPU, idle_ns=5000.0)
    waves = 1216 * 4 / (304 * 4 * 8)
    assert found.values == pytest.approx({"occupied": waves, "outside": 5000 / 105_000})
    assert sorted(found.estimates) == ["occupied", "outside"]
    assert found.depth == "trace"
    assert found.missing["memory"] == "not asked for"
    assert "outside" not in gather(bare, GPU).values


def test_thread_traces_stand_in() -> None:
    bare = replace(counted(COUNTERS), roofline=None, missing={"roofline": "not asked for"})
    att = AttFeatures(
        origin="measured",
        waves=8,
        executing_share=0.1,
        waiting_share=0.8,
        stalled_share=0.1,
        idle_share=0.0,
        issue_slots_used={"VALU": 0.1, "SALU": 0.05, "branch": 0.02},
        active_lanes_mean=64.0,
        share_of_slots=0.6,
        costliest="s_waitcnt vmcnt(0)",
        costliest_share=0.7,
    )
    found = gather(bare, GPU, att=att)
    expected = {"compute": 0.1, "lanes": 1.0, "issue": 0.05, "occupied": 0.6, "waiting": 0.8}
    assert found.values == pytest.approx(expected)
    label = classify(found.figures, depth=found.depth, estimates=found.estimates)
    assert (label.label, label.depth) == ("latency bound", "att")
    whole = gather(counted(COUNTERS), GPU, att=att)
    assert whole.values == gather(counted(COUNTERS), GPU).values  # the GPU that was counted says more
    assert whole.depth == "counters"
