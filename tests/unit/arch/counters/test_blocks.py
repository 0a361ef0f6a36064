"""Blocks of counters and how many of each fit into one run."""

from __future__ import annotations

import pytest

from rocm_perf_lab.analysis.roofline import wanted_counters
from rocm_perf_lab.arch.counters import ACTIVE_LANE_COUNTERS, block_of, block_slots, traffic_formulas
from rocm_perf_lab.arch.counters.blocks import summed
from rocm_perf_lab.profiling.passes.counter_plan import pack
from vrocm.rocprofv3.counters import load


@pytest.mark.parametrize(
    ("counter", "block"),
    [
        ("SQ_WAVES", "SQ"),
        ("SQC_ICACHE_REQ", "SQ"),
        ("TCP_TCC_READ_REQ_sum", "TCP"),
        ("TCC_EA0_RDREQ[3]", "TCC"),
        ("GL2C_EA_RDREQ_32B_sum", "GL2C"),
        ("GRBM_GUI_ACTIVE", "GRBM"),
        ("FETCH_SIZE", ""),
        ("MeanOccupancyPerCU", ""),
    ],
)
def test_block_is_told_by_the_name(counter: str, block: str) -> None:
    assert block_of(counter) == block


def test_only_blocks_with_many_instances_have_sums() -> None:
    assert summed("TCC_REQ") == "TCC_REQ_sum"
    assert summed("SQ_WAVES") == "SQ_WAVES"


def test_slots_cannot_be_changed_for_others() -> None:
    block_slots("gfx942")["SQ"] = 99
    assert block_slots("gfx942")["SQ"] == 8


@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100"])
@pytest.mark.parametrize("model", ["typed", "valu-width"])
def test_everything_wanted_has_a_block_with_slots(architecture: str, model: str) -> None:
    wanted = wanted_counters(architecture, model)  # type: ignore[arg-type]
    assert wanted
    assert len(set(wanted)) == len(wanted)
    assert all(block_slots(architecture)[block_of(name)] > 0 for name in wanted)


@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942"])
def test_everything_wanted_exists_under_that_name(architecture: str) -> None:
    catalogue = load(architecture)
    for name in wanted_counters(f"{architecture}:sramecc+:xnack-"):
        counter = catalogue.find(name)
        assert counter is not None, name
        assert catalogue.unavailable(name) == ""
        (basic,) = catalogue.basic(name)
        assert catalogue.counter(basic).block == block_of(name)


@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("before", [(), ("SQ_WAVE_CYCLES", "GRBM_GUI_ACTIVE")])
def test_counters_that_are_subtracted_are_of_one_run(architecture: str, before: tuple[str, ...]) -> None:
    groups = pack((*before, *wanted_counters(architecture)), block_slots(architecture))
    together = [ACTIVE_LANE_COUNTERS]
    for level in traffic_formulas(architecture):
        together += [
            (*part.of, *part.less) for formula in level.formulas for part in formula.parts if part.less
        ]
    for names in together:
        assert any({summed(name) for name in names} <= set(group) for group in groups), names


def test_unknown_architecture_wants_nothing() -> None:
    assert wanted_counters("gfx1201") == ()
