"""Occupancy from counters: worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.achieved_occupancy import achieved_occupancy
from rocm_perf_lab.rocpd.rows import Agent

AGENT = Agent(index=1, name="gfx942", product_name="", cu_count=10, xcd_count=2, max_waves_per_cu=32)


def test_half_of_the_slots() -> None:
    # 1000 clocks on each of two dies; 10 units with 32 slots; half of them taken all the time.
    counters = {"GRBM_GUI_ACTIVE": 2000.0, "SQ_WAVE_CYCLES": 1000 * 160 / 4}
    assert achieved_occupancy(counters, AGENT)[0] == pytest.approx(0.5)
    by_simd = replace(AGENT, max_waves_per_cu=None, max_waves_per_simd=8, simd_per_cu=4)
    assert achieved_occupancy(counters, by_simd)[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("counters", "agent", "words"),
    [
        ({"GRBM_GUI_ACTIVE": 1.0}, AGENT, "SQ_WAVE_CYCLES"),
        ({"GRBM_GUI_ACTIVE": 0.0, "SQ_WAVE_CYCLES": 0.0}, AGENT, "no clocks"),
        ({"GRBM_GUI_ACTIVE": 2000.0, "SQ_WAVE_CYCLES": 1000 * 330 / 4}, AGENT, "more than all"),
        ({"GRBM_GUI_ACTIVE": 1.0, "SQ_WAVE_CYCLES": 1.0}, replace(AGENT, cu_count=None), "does not say"),
        ({"GRBM_GUI_ACTIVE": 1.0, "SQ_WAVE_CYCLES": 1.0}, replace(AGENT, xcd_count=None), "how many dies"),
        ({"GRBM_GUI_ACTIVE": 1.0, "SQ_WAVE_CYCLES": 1.0}, replace(AGENT, name="gfx1100"), "not published"),
    ],
)
def test_no_figure_without_grounds(counters: dict[str, float], agent: Agent, words: str) -> None:
    share, why = achieved_occupancy(counters, agent)
    assert share is None
    assert words in why
