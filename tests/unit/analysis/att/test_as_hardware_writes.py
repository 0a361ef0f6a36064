"""What traces of MI300-class hardware have and those of the virtual GPU have not; the numbers are made up."""

from __future__ import annotations

import numpy as np

from rocm_perf_lab.thread_trace.rows import Lives

from .made import analyzed, line, wave_of

TEXTS = (
    "v_add_lshl_u32 v1, s3, v33, 1",  # 1
    "buffer_load_dwordx4 v[2:5], v1, s[4:7], 0 offen",
    "s_nop 0",  # 3
    "s_waitcnt vmcnt(0) lgkmcnt(0)",
    "s_barrier",  # 5
    "buffer_store_dwordx4 v[2:5], v1, s[4:7], 0 offen",
    "s_endpgm",  # 7
)
# A gap of 8 clocks before the load counts as executing in the timeline. A wait and a barrier behind it are
# two entries in the same state. The end waits for the store, without stall.
WAVE = wave_of(
    [
        (1032, 6, 0, 4, 1),
        (1044, 3, 8, 12, 2),
        (1056, 9, 4, 4, 3),
        (1060, 9, 700, 700, 4),
        (1760, 9, 240, 240, 5),
        (2000, 3, 0, 4, 6),
        (2004, 11, 0, 596, 7),
    ],
    1000,
    2600,
    [(4, (2,))],
    timeline=[(1, 32), (2, 12), (4, 8), (2, 4), (3, 4), (3, 700), (3, 240), (2, 4), (3, 596)],
)


def test_everything_is_in_order() -> None:
    lives = Lives(0, *(np.array([value]) for value in (1000, 1, 0, 0, 1, 2)))
    found = analyzed(TEXTS, [WAVE], lives=(lives,), kernels={0: "0 / 0x0", 1: "_Z1kPf", 2: "_Z1kPf"})
    assert [check for check in found.checks if not check.passed] == []
    assert found.warnings == ()
    assert found.states
    assert found.states.wave_cycles_total == 1600
    assert found.states.waiting_cycles_total == 1540
    assert found.states.executing_cycles_total == 20
    assert found.occupancy
    assert found.occupancy.waves_on_engines == 1


def test_costs() -> None:
    found = analyzed(TEXTS, [WAVE])
    load, end = line(found, 2), line(found, 7)
    assert (load.idle_before_cycles_total, load.stall_cycles_caused_total) == (8, 708)
    assert load.cost_cycles_total == 12 - 8 + 8 + 708
    assert (end.latency_cycles_total, end.of_which_stall_cycles_total, end.cost_cycles_total) == (596, 0, 596)
    assert line(found, 5).stall_cycles_caused_total == 240  # the barrier's stays with it
    assert sum(one.cost_cycles_total for one in found.instructions) == 1600
