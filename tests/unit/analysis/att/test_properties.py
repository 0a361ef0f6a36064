"""What must hold for any waves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.thread_trace.rows import Wave

from .made import Row, analyzed, wave_of

TEXTS = (
    "global_load_dword v1, v[2:3], off",
    "flat_load_dword v1, v[2:3]",
    "ds_read_b32 v1, v2",
    "s_waitcnt vmcnt(0)",
    "s_waitcnt lgkmcnt(0)",
    "v_add_f32_e32 v1, v1, v4",
    "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]",
    "s_cbranch_scc1 4",
    "s_barrier",
)
CATEGORIES = (4, 4, 5, 9, 9, 6, 6, 7, 9)
LOADS, WAITS = (1, 2, 3), (4, 5)


@st.composite
def waves(draw: st.DrawFn) -> Wave:
    time = begin = draw(st.integers(0, 50))
    rows: list[Row] = []
    entries: list[tuple[int, list[int]]] = []
    outstanding: list[int] = []
    for _ in range(draw(st.integers(0, 25))):
        line = draw(st.integers(1, len(TEXTS)))
        time += draw(st.integers(0, 6))
        stall, rest = draw(st.integers(0, 40)), draw(st.integers(0, 8))
        rows.append((time, CATEGORIES[line - 1], stall, stall + rest, line))
        time += stall + rest
        if line in LOADS:
            outstanding.append(line)
        elif line in WAITS and outstanding:
            taken = draw(st.integers(1, len(outstanding)))
            entries.append((line, outstanding[:taken]))
            del outstanding[:taken]
    place = draw(st.integers(0, 2))
    return wave_of(rows, begin, time + draw(st.integers(0, 9)), entries, simd=place, slot=place)


@settings(max_examples=150)
@given(st.lists(waves(), min_size=1, max_size=4))
def test_nothing_is_lost_or_counted_twice(found: list[Wave]) -> None:
    analysis = analyzed(TEXTS, found)
    instructions, mix = analysis.instructions, analysis.mix
    executed = sum(len(wave.time) for wave in found)
    assert sum(one.executions for one in instructions) == executed
    assert sum(one.executions for one in mix) == executed
    if executed:
        assert sum(one.share_of_executions for one in mix) == pytest.approx(1)
    stall = sum(int(wave.stall.sum()) for wave in found)
    assert sum(one.of_which_stall_cycles_total for one in instructions) == stall
    # Stalls are moved, not made: before, after, by class.
    assert sum(one.stall_cycles_caused_total for one in instructions) == stall
    assert sum(one.stall_cycles_caused_total for one in mix) == stall
    assert all(one.stall_cycles_caused_total >= 0 for one in instructions)
    assert all(one.of_which_stall_cycles_total <= one.latency_cycles_total for one in instructions)
    # Instructions of these waves do not overlap: what they cost is how long the waves lived, less the end.
    costs = sum(one.cost_cycles_total for one in instructions)
    lived = sum(wave.end - wave.begin for wave in found)
    tails = sum(
        wave.end - (int((wave.time + wave.cycles)[-1]) if len(wave.time) else wave.begin) for wave in found
    )
    assert costs == lived - tails
    assert [check for check in analysis.checks if not check.passed] == []
    if costs:
        listed = sum(one.cost_share for one in analysis.source_lines)
        assert listed + analysis.cost_share_without_source == pytest.approx(1)


@settings(max_examples=100)
@given(st.lists(waves(), min_size=1, max_size=4))
def test_states_fill_the_lives(found: list[Wave]) -> None:
    analysis = analyzed(TEXTS, found)
    states, issue, occupancy = analysis.states, analysis.issue, analysis.occupancy
    assert states
    assert issue
    assert occupancy
    lived = sum(wave.end - wave.begin for wave in found)
    assert states.wave_cycles_total == lived
    if lived:
        shares = (states.idle_share, states.executing_share, states.waiting_share, states.stalled_share)
        assert sum(shares) == pytest.approx(1)
    assert 0 <= issue.issuing_share <= 1
    assert occupancy.waves_per_simd_mean <= occupancy.waves_per_simd_peak + 1e-9
    assert occupancy.busy_cycles_total <= lived


@settings(max_examples=50)
@given(st.lists(waves(), min_size=2, max_size=4))
def test_order_of_waves_does_not_matter(found: list[Wave]) -> None:
    one, other = analyzed(TEXTS, found), analyzed(TEXTS, found[::-1])
    assert one.instructions == other.instructions
    assert one.memory == other.memory
    assert one.states == other.states
    assert one.issue == other.issue


def test_checks_tell_what_disagrees() -> None:
    """Files that contradict each other are shown as they are, with a warning for each rule."""
    rows: list[Row] = [(0, 6, 0, 4, 6), (10, 6, 0, 4, 1), (5, 6, 9, 4, 99)]
    wave = wave_of(rows, 0, 40, [(4, [1])], timeline=[(2, 10)])
    analysis = analyzed(TEXTS, [wave_of(rows[:1], 0, 40)])
    assert [check.name for check in analysis.checks if not check.passed] == []
    from rocm_perf_lab.analysis.att.analyze import TraceContext, analyze

    from .made import trace_of

    trace = trace_of(TEXTS, [wave_of(rows[:1], 0, 40)])
    broken = analyze(trace, [wave], TraceContext())
    failed = {check.name for check in broken.checks if not check.passed}
    assert failed == {"totals", "lines", "timelines", "instructions", "classes", "waits"}
    assert len(broken.warnings) == len(failed)
    assert np.isclose(sum(one.cost_share for one in broken.instructions), 1)
