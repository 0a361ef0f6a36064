"""Counters in groups that hardware can keep: none is lost, none is asked for that is not offered."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.arch.counters import block_of
from rocm_perf_lab.profiling.passes.counter_plan import (
    NOT_OFFERED,
    halves,
    pack,
    parse_available,
    plan_counters,
)

BLOCKS = ("SQ", "TCC", "TCP", "GRBM", "SPI", "")
names = st.lists(
    st.tuples(st.sampled_from(BLOCKS), st.integers(0, 30)).map(
        lambda pair: f"{pair[0] or 'Derived'}_{pair[1]}"
    ),
    unique=True,
    max_size=60,
)
slots = st.fixed_dictionaries({block: st.integers(1, 8) for block in BLOCKS if block})


@given(names, slots)
def test_groups_are_legal_and_complete(counters: list[str], room: dict[str, int]) -> None:
    groups = pack(counters, room)
    assert sorted(name for group in groups for name in group) == sorted(counters)
    for group in groups:
        taken = Counter(block_of(name) for name in group)
        if "" in taken:
            assert len(group) == 1
        assert all(count <= room[block] for block, count in taken.items() if block)


@given(names, slots)
def test_no_group_too_many(counters: list[str], room: dict[str, int]) -> None:
    blocks = Counter(block_of(name) for name in counters)
    derived = blocks.pop("", 0)
    least = max((-(-count // room[block]) for block, count in blocks.items()), default=0)
    assert len(pack(counters, room)) == least + derived


def test_what_is_not_offered_is_dropped_with_a_reason() -> None:
    plan = plan_counters(
        ["SQ_WAVES", "SQ_NEW", "TCC_HIT_sum"], "gfx942", {"SQ_WAVES": "", "TCC_HIT_sum": "not modelled"}
    )
    assert plan.groups == (("SQ_WAVES",),)
    assert plan.dropped == {"SQ_NEW": NOT_OFFERED, "TCC_HIT_sum": "not modelled"}


def test_all_are_tried_when_the_device_does_not_tell() -> None:
    plan = plan_counters(["SQ_WAVES", "SQ_WAVES", "GRBM_COUNT"], "gfx942", None)
    assert plan.groups == (("SQ_WAVES", "GRBM_COUNT"),)
    assert plan.dropped == {}


def test_halves() -> None:
    assert halves(("a", "b", "c")) == (("a", "b"), ("c",))
    assert halves(("a", "b")) == (("a",), ("b",))


LISTING = """\
GPU:0
Name:gfx942

Counter_Name        :  SQ_WAVES
Description         :  Waves. Name: of no counter
Block               :  SQ

Counter_Name        :  CPC_BUSY
Not available       :  the command processor is not modelled

"""


def test_listing() -> None:
    offered = parse_available(LISTING)
    assert offered is not None
    assert offered["SQ_WAVES"] == ""
    assert offered["CPC_BUSY"] == "the command processor is not modelled"
    assert "gfx942" not in offered
    assert parse_available("something else altogether\n") is None


# As rocprofv3-avail info prints it: ROCm/rocprofiler-sdk source/bin/rocprofv3-avail.py at 1dbc0347.
COLUMNS = """\
GPU     :\t0
Name    :\tgfx942
configs :
Method  :\thost_trap

GPU:0

cpu_cores_count               :\t0
name                          :\tgfx942
PMC                           :

GRBM_COUNT      SQ_WAVES        TCC_HIT
FETCH_SIZE      WRITE_SIZE


GPU:1

name                          :\tgfx942
PMC                           :

SQ_INSTS_VALU
"""
# As rocprofv3_avail.py at 0e51fe57 of the same repository printed it, before 1.0.0.
BY_AGENT = """\
gpu-agent:2
Name:\tSQ_WAVES
Description:\tCount number of waves
Block:\tSQ
Dimensions:\tDIMENSION_XCC[0:7]

gpu-agent:2
Name:\tMeanOccupancyPerCU
Expression:\tSQ_LEVEL_WAVES
"""


def test_listing_in_columns() -> None:
    offered = parse_available(COLUMNS)
    assert offered is not None
    assert set(offered) == {
        "GRBM_COUNT",
        "SQ_WAVES",
        "TCC_HIT",
        "FETCH_SIZE",
        "WRITE_SIZE",
        "SQ_INSTS_VALU",
    }
    assert set(offered.values()) == {""}


def test_listing_of_earlier_releases() -> None:
    assert parse_available(BY_AGENT) == {"SQ_WAVES": "", "MeanOccupancyPerCU": ""}


def test_a_gpu_without_counters_does_not_tell() -> None:
    assert parse_available("GPU     :\t0\nName    :\tgfx942\nconfigs :\n") is None
