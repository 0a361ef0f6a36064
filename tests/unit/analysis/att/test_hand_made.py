"""Two waves of gfx9 whose figures were worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rocm_perf_lab.analysis.att.analyze import TraceContext
from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.contracts.profiling.att import AttAnalysis
from rocm_perf_lab.profiling.documents.thread_traces import document_of
from rocm_perf_lab.thread_trace.rows import Lives

from .made import analyzed, line, wave_of

TEXTS = (
    "s_load_dwordx2 s[0:1], s[4:5], 0x0",  # 1
    "s_waitcnt lgkmcnt(0)",
    "global_load_dword v1, v[2:3], off",  # 3
    "global_load_dword v4, v[2:3], off offset:4",
    "s_waitcnt vmcnt(1)",  # 5
    "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]",
    "s_waitcnt vmcnt(0)",  # 7
    "v_add_f32_e32 v1, v1, v4",
    "s_cbranch_execz 4",  # 9
    "s_endpgm",
)
WAITS = ((2, (1,)), (5, (3,)), (7, (4,)))
FIRST = wave_of(
    [
        (104, 1, 0, 4, 1),
        (108, 9, 92, 92, 2),
        (200, 4, 0, 4, 3),
        (204, 4, 8, 12, 4),
        (216, 9, 100, 100, 5),
        (316, 6, 0, 4, 6),
        (320, 9, 4, 4, 7),  # over at once: a wait takes its turn to issue
        (324, 6, 12, 16, 8),
        (340, 8, 0, 4, 9),
        (350, 11, 0, 4, 10),
    ],
    100,
    356,
    WAITS,
)
SECOND = wave_of(
    [
        (114, 1, 0, 4, 1),
        (118, 9, 60, 60, 2),
        (178, 4, 0, 4, 3),
        (182, 4, 0, 4, 4),
        (186, 9, 40, 40, 5),
        (226, 6, 0, 4, 6),
        (230, 9, 30, 30, 7),
        (260, 6, 0, 4, 8),
        (264, 7, 0, 16, 9),
        (280, 11, 0, 4, 10),
    ],
    110,
    284,
    WAITS,
    simd=1,
)


@pytest.fixture(scope="module")
def found() -> AttAnalysis:
    return analyzed(TEXTS, [FIRST, SECOND])


def test_it_is_a_document(found: AttAnalysis) -> None:
    assert to_json(document_of([found]))
    assert [check.name for check in found.checks if not check.passed] == []
    assert {"totals", "timelines", "durations", "instructions", "classes", "waits"} <= {
        check.name for check in found.checks
    }
    assert found.warnings == ()
    assert (found.kernel, found.waves, found.begin_cycles, found.end_cycles) == ("k(float*)", 2, 100, 356)


def test_waves_that_are_cut() -> None:
    """The trace ended before the second wave did."""
    rows = [(114, 1, 0, 4, 1), (118, 9, 60, 60, 2)]
    cut = wave_of(rows, 110, 178, WAITS[:1], simd=1)
    assert analyzed(TEXTS, [FIRST, SECOND]).waves_cut == 0
    assert analyzed(TEXTS, [FIRST, cut]).waves_cut == 1


def test_totals_and_figures_per_execution(found: AttAnalysis) -> None:
    load = line(found, 4)
    assert (load.executions, load.latency_cycles_total, load.of_which_stall_cycles_total) == (2, 16, 8)
    assert (load.latency_cycles_per_execution, load.of_which_stall_cycles_per_execution) == (8, 4)
    scalar = line(found, 1)
    assert (scalar.idle_before_cycles_total, scalar.idle_before_cycles_per_execution) == (8, 4)
    assert line(found, 10).idle_before_cycles_total == 6
    assert load.function == "k(float*)"


@pytest.mark.parametrize(
    ("number", "caused", "cost"),
    [
        (1, 152, 168),  # its wait of 92 + 60, 8 clocks to issue, 8 idle before
        (2, 0, 0),
        (3, 140, 148),
        (4, 38, 46),  # 8 of its own, 30 of a wait
        (5, 0, 0),
        (6, 0, 8),
        (7, 4, 4),  # what was no wait stays
        (8, 12, 20),
        (9, 0, 20),
        (10, 0, 14),
    ],
)
def test_stall_is_at_its_cause(found: AttAnalysis, number: int, caused: int, cost: int) -> None:
    one = line(found, number)
    assert (one.stall_cycles_caused_total, one.cost_cycles_total) == (caused, cost)
    assert one.cost_share == pytest.approx(cost / 428)


def test_memory_latency(found: AttAnalysis) -> None:
    by_line = {one.line: one for one in found.memory}
    assert [one.line for one in found.memory] == [1, 3, 4]
    scalar, first, second = by_line[1], by_line[3], by_line[4]
    assert (scalar.issue_to_wait_end_cycles_min, scalar.issue_to_wait_end_cycles_max) == (64, 96)
    assert scalar.issue_to_wait_end_cycles_mean == 80
    assert first.issue_to_wait_end_cycles_mean == (116 + 48) / 2
    assert (second.waited_for, second.stalled_for) == (2, 1)
    assert second.issue_to_wait_end_cycles_mean == (112 + 78) / 2
    assert second.stalled_latency_cycles_mean == 78
    assert (second.wait_stall_cycles_total, second.wait_stall_cycles_per_execution) == (30, 15)


def test_states(found: AttAnalysis) -> None:
    states = found.states
    assert states
    assert (states.idle_cycles_total, states.executing_cycles_total) == (16, 68)
    assert (states.waiting_cycles_total, states.stalled_cycles_total) == (326, 20)
    assert states.wave_cycles_total == 430
    assert states.waiting_share == pytest.approx(326 / 430)


def test_issue(found: AttAnalysis) -> None:
    issue, occupancy = found.issue, found.occupancy
    assert issue
    assert occupancy
    assert issue.issuing_share == pytest.approx(68 / 430)
    assert issue.instructions_per_cycle_of_a_simd == pytest.approx(20 / 430)
    assert issue.instructions_per_cycle_of_a_unit == pytest.approx(20 / 256)
    assert issue.issue_slots_used["MFMA"] == pytest.approx(2 * 4 / 430)
    assert issue.issue_slots_used["wait"] == pytest.approx(6 * 4 / 430)
    assert (occupancy.simds, occupancy.busy_cycles_total) == (2, 430)
    assert (occupancy.waves_per_simd_mean, occupancy.waves_per_simd_peak) == (1, 1)
    assert occupancy.share_of_slots is None
    assert "slots" in occupancy.missing["share_of_slots"]


def test_mix(found: AttAnalysis) -> None:
    mix = {one.instruction_class: one for one in found.mix}
    assert {name: one.executions for name, one in mix.items()} == {
        "wait": 6,
        "FLAT": 4,
        "SMEM": 2,
        "MFMA": 2,
        "VALU": 2,
        "branch": 2,
        "message": 2,
    }
    assert mix["wait"].share_of_executions == 0.3
    assert mix["FLAT"].latency_cycles_per_execution == (8 + 16) / 4
    assert mix["FLAT"].stall_cycles_caused_total == 178


def test_branches_and_lanes(found: AttAnalysis) -> None:
    divergence = found.divergence
    assert divergence
    assert (divergence.branches, divergence.branches_taken) == (2, 1)
    assert (divergence.exec_branches, divergence.exec_branches_taken) == (2, 1)
    assert divergence.active_lanes_mean is None
    assert "SQ_THREAD_CYCLES_VALU" in divergence.missing["active_lanes_mean"]


def test_lanes_from_counters() -> None:
    counters = {"SQ_THREAD_CYCLES_VALU": 960.0, "SQ_ACTIVE_INST_VALU": 20.0}
    divergence = analyzed(TEXTS, [FIRST], counter_sums=counters).divergence
    assert divergence
    assert divergence.active_lanes_mean == 48
    assert divergence.missing == {}


def test_source_lines() -> None:
    text = [f"line {number}" for number in range(1, 6)]
    found = analyzed(TEXTS, [FIRST, SECOND], known=TraceContext(source_files={"/src/k.hip": text}))
    assert [(one.source, one.text, one.cost_cycles_total) for one in found.source_lines[:3]] == [
        ("/src/k.hip:1", "line 1", 168),
        ("/src/k.hip:3", "line 3", 148),
        ("/src/k.hip:4", "line 4", 46),
    ]
    assert found.source_lines[3].text is None  # the copy is shorter than that


def test_waves_in_the_same_simd() -> None:
    """The second lives while the first does: a SIMD is busy once."""
    other = wave_of(list(zip(*_columns(SECOND), strict=True)), 110, 284, WAITS, simd=0, slot=1)
    found = analyzed(TEXTS, [FIRST, other], known=TraceContext(wave_slots_per_simd=8))
    occupancy, issue = found.occupancy, found.issue
    assert occupancy
    assert issue
    assert (occupancy.simds, occupancy.busy_cycles_total, occupancy.waves_per_simd_peak) == (1, 256, 2)
    assert occupancy.waves_per_simd_mean == pytest.approx(430 / 256)
    assert occupancy.share_of_slots == pytest.approx(430 / 256 / 8)
    assert issue.instructions_per_cycle_of_a_simd == pytest.approx(20 / 256)


def _columns(wave: object) -> list[list[int]]:
    return [getattr(wave, name).tolist() for name in ("time", "category", "stall", "cycles", "line")]


def test_over_time(found: AttAnalysis) -> None:
    over_time = found.over_time
    assert over_time
    assert over_time.part_cycles == 2.56
    assert sum(over_time.resident_waves) * over_time.part_cycles == pytest.approx(430, abs=1e-3)
    assert sum(over_time.waiting_waves) * over_time.part_cycles == pytest.approx(326, abs=1e-3)
    assert over_time.resident_waves[0] == 1
    assert over_time.resident_waves[20] == 2
    assert over_time.resident_waves[-1] == 1


def _lives(kernel: list[int]) -> Lives:
    columns = ([100, 110, 112, 284, 356], [1, 1, 2, 1, 1], [0, 1, 0, 1, 0], [0, 0, 3, 0, 0], [1, 1, 1, 0, 0])
    return Lives(0, *(np.array(column, np.int64) for column in (*columns, kernel)))


def test_kernels_of_occupancy() -> None:
    found = analyzed(
        TEXTS,
        [FIRST, SECOND],
        lives=(_lives([5, 5, 7, 5, 5]),),
        kernels={0: "0 / 0x0", 5: "_Z1kPf.kd", 7: "_Z5otherv"},
    )
    occupancy = found.occupancy
    assert occupancy
    assert (occupancy.waves_on_engines, occupancy.waves_of_other_kernels) == (2, 1)
    assert occupancy.units_with_waves == (1,)
    assert [check.passed for check in found.checks if check.name == "lives"] == [True]


def test_unknown_kernel_of_occupancy() -> None:
    found = analyzed(TEXTS, [FIRST], lives=(_lives([5] * 5),), kernels={5: "_Z5otherv"})
    assert found.occupancy
    assert found.occupancy.waves_on_engines is None
    assert (
        found.occupancy.missing["waves_on_engines"] == "occupancy.json does not name the kernel of this trace"
    )
