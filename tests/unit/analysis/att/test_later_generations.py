"""gfx10 and later: durations are stall and execution, which overlap; waits have other names."""

from __future__ import annotations

import pytest

from rocm_perf_lab.contracts.profiling.att import AttAnalysis

from .made import analyzed, line, wave_of

TEXTS = (
    "v_exp_f32_e32 v0, v0",  # 1
    "s_add_i32 s0, s0, 1",
    "buffer_load_b32 v1, off, s[0:3], 0",  # 3
    "s_load_b32 s4, s[0:1], 0x0",
    "s_wait_kmcnt 0x0",  # 5
    "s_wait_loadcnt 0x0",
    "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]",  # 7
    "s_endpgm",
)
WAVE = wave_of(
    [
        (0, 6, 0, 8, 1),  # executes until 8
        (1, 2, 0, 2, 2),  # beside it
        (10, 3, 1, 5, 3),  # issued at 11, done at 15; idle from 8 to 10
        (12, 1, 0, 1, 4),
        (15, 9, 2, 2, 5),
        (17, 9, 20, 20, 6),
        (37, 6, 0, 16, 7),
        (53, 11, 0, 1, 8),
    ],
    0,
    54,
    ((5, (4,)), (6, (3,))),
)


@pytest.fixture(scope="module")
def found() -> AttAnalysis:
    return analyzed(TEXTS, [WAVE], gfxip=12)


def test_idle_is_after_the_last_that_ends(found: AttAnalysis) -> None:
    assert line(found, 3).idle_before_cycles_total == 2
    assert line(found, 2).idle_before_cycles_total == 0
    assert sum(one.idle_before_cycles_total for one in found.instructions) == 2


def test_latency_is_execution_and_stall(found: AttAnalysis) -> None:
    load = line(found, 3)
    assert (load.latency_cycles_total, load.of_which_stall_cycles_total) == (5, 1)
    assert load.cost_cycles_total == 5 - 1 + 2 + (1 + 20)


def test_short_waits_count(found: AttAnalysis) -> None:
    """A SIMD issues every clock there: two clocks are a wait."""
    assert found.issue
    assert found.issue.cycles_between_issues == 1
    by_line = {one.line: one for one in found.memory}
    assert by_line[4].stalled_for == 1
    assert by_line[4].stalled_latency_cycles_mean == 17 - 12
    assert by_line[3].issue_to_wait_end_cycles_mean == 37 - 11


def test_classes(found: AttAnalysis) -> None:
    classes = {one.line: one.instruction_class for one in found.instructions}
    assert [classes[number] for number in range(1, 9)] == [
        "VALU",
        "SALU",
        "VMEM",
        "SMEM",
        "wait",
        "wait",
        "MFMA",
        "message",
    ]
    assert [check.name for check in found.checks if not check.passed] == []
    assert found.gfx_generation == 12
