"""Figures that cannot be are suspects, are shown as they are, and decide nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.roofline import TimedLaunches, roofline
from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.contracts.profiling.roofline import Roofline, Suspect
from rocm_perf_lab.contracts.reason import Reason

from .kernels import COPY, COPY_NS, MI300X, ROOFS, all_counters, launches, place

FMA = "SQ_INSTS_VALU_FMA_F32"


def _suspect(result: Roofline, figure: str) -> Suspect:
    (found,) = [one for one in result.suspects if one.figure == figure]
    return found


def _undecided(result: Roofline) -> str:
    assert (result.bound, result.bound_by, result.share_of_roof) == (None, None, None)
    assert to_json(result)
    return result.missing["bound"]


def test_negative_number_of_reads() -> None:
    result = place(all_counters(TCC_EA0_RDREQ_sum=65000.0))
    suspect = _suspect(result, "traffic hbm")
    assert suspect.value == 64 * (65000 - 65536)
    assert suspect.formula == "64·(TCC_EA0_RDREQ − TCC_BUBBLE − TCC_EA0_RDREQ_32B)"
    assert suspect.counters == {"TCC_EA0_RDREQ": 65000, "TCC_BUBBLE": 65536, "TCC_EA0_RDREQ_32B": 0}
    assert result.bytes == 65536 * 128 + 64 * (65000 - 65536) + 8_388_608  # not clamped
    assert "traffic hbm" in _undecided(result)


def test_negative_number_of_small_writes() -> None:
    result = place(all_counters(TCC_EA0_WRREQ_sum=131071.0))
    assert _suspect(result, "traffic hbm").value == -32
    assert _undecided(result)


def test_more_lds_conflicts_than_clocks_do_not_spoil_the_rest() -> None:
    result = place(all_counters(SQ_LDS_IDX_ACTIVE=10.0, SQ_LDS_BANK_CONFLICT=11.0))
    assert _suspect(result, "traffic lds").value == -128
    assert result.bound_by == "hbm"
    assert "without: lds" in " ".join(result.notes)


def test_faster_than_the_peak() -> None:
    peak = 304 * 256 * 2100e6  # packed
    instructions = 1.01 * peak * COPY_NS * 1e-9 / 128
    result = place(all_counters(**{FMA: instructions, "SQ_INSTS_VALU": instructions}))
    suspect = _suspect(result, "work valu f32")
    assert suspect.value == pytest.approx(1.01 * peak / 1e9)
    assert "valu f32 packed" in suspect.why
    assert suspect.counters[FMA] == instructions
    (work,) = result.work
    assert (work.ceiling, work.share_of_ceiling) == (None, None)
    assert "work valu f32" in _undecided(result)


def test_packed_instructions_have_a_roof_of_their_own() -> None:
    instructions = 0.75 * (304 * 256 * 2100e6) * COPY_NS * 1e-9 / 128
    result = place(all_counters(**{FMA: instructions, "SQ_INSTS_VALU": instructions}))
    assert result.suspects == ()
    assert (result.bound, result.bound_by) == ("compute", "valu f32 packed")
    assert result.share_of_roof == pytest.approx(0.75)


def test_faster_than_memory_is_the_infinity_cache() -> None:
    result = place(all_counters(), ns=16_787_968 / 10_000)  # 10 TB/s over the fabric
    assert result.suspects == ()
    assert (result.bound, result.bound_by) == ("memory", "infinity cache")
    assert result.share_of_roof == pytest.approx(10_000 / 17_200)


def test_faster_than_the_infinity_cache() -> None:
    result = place(all_counters(), ns=16_787_968 / 20_000)
    assert "infinity cache" in _suspect(result, "traffic hbm").why
    assert _undecided(result)


def test_upper_bound_above_the_peak_says_that_it_is_one() -> None:
    result = place(all_counters(TCP_TOTAL_CACHE_ACCESSES_sum=1e7))
    assert "upper bound" in _suspect(result, "traffic l1").why
    assert result.bound_by == "hbm"


@pytest.mark.parametrize(
    ("counters", "figures"),
    [
        ({"TCC_HIT_sum": 200_000.0}, {"traffic l2", "traffic hbm"}),
        ({"TCC_REQ_sum": 10.0}, {"traffic hbm"}),
        ({FMA: 98_305.0}, {"work valu f16", "work valu f32", "work valu f64"}),
    ],
)
def test_relations_between_counters(counters: dict[str, float], figures: set[str]) -> None:
    result = place(all_counters(**counters))
    assert {one.figure for one in result.suspects} == figures
    assert all("≤" in one.formula and one.counters for one in result.suspects)
    assert _undecided(result)


def test_more_lanes_than_a_wave_has() -> None:
    result = place(all_counters(SQ_THREAD_CYCLES_VALU=6401.0, SQ_ACTIVE_INST_VALU=100.0))
    assert result.active_lane_share is None
    assert _suspect(result, "active_lane_share").value == pytest.approx(6401 / 6400)


def test_active_lanes() -> None:
    result = place(all_counters(SQ_THREAD_CYCLES_VALU=1600.0, SQ_ACTIVE_INST_VALU=100.0))
    assert result.active_lane_share == 0.25


def _two_passes(
    first: dict[str, float], second: dict[str, float], counts: tuple[int, int] = (2, 2)
) -> Roofline:
    passes = [[launches(first, counts[0])], [launches(second, counts[1])]]
    result = roofline(passes, TimedLaunches(2 * COPY_NS, 2), MI300X, ROOFS, origin="measured")
    assert isinstance(result, Roofline)
    return result


def test_passes_that_disagree_in_a_counter() -> None:
    result = _two_passes(all_counters(), {"TCC_EA0_RDREQ_sum": 2 * 65704.0})
    suspect = _suspect(result, "counter TCC_EA0_RDREQ_sum")
    assert suspect.counters == {"TCC_EA0_RDREQ_sum (pass 1)": 65704, "TCC_EA0_RDREQ_sum (pass 2)": 131408}
    assert "traffic hbm" not in {one.figure for one in result.suspects}
    assert "traffic hbm" in _undecided(result)  # it is made of that counter


def test_caches_may_differ_a_little_and_instructions_may_not() -> None:
    assert _two_passes(all_counters(), {"TCC_EA0_RDREQ_sum": 65704.0 * 1.04}).suspects == ()
    result = _two_passes(all_counters(), {"SQ_INSTS_VALU": 98304.0 * 1.04})
    assert [one.figure for one in result.suspects] == ["counter SQ_INSTS_VALU"]


def _split(counters: dict[str, float], apart: str) -> Roofline:
    """One counter is of another run than all others."""
    rest = {name: value for name, value in counters.items() if name != apart}
    return _two_passes(rest, {apart: counters[apart]})


@pytest.mark.parametrize(("hits", "suspects"), [(1.04, 0), (1.06, 2)])
def test_relations_between_runs_leave_room_for_what_caches_do(hits: float, suspects: int) -> None:
    counters = all_counters(TCC_HIT_sum=hits * COPY["TCC_REQ_sum"])
    assert len(place(counters).suspects) == 2
    assert len(_split(counters, "TCC_HIT_sum").suspects) == suspects


@pytest.mark.parametrize(("writes", "suspects"), [(0.96, 0), (0.94, 1)])
def test_differences_between_runs_may_be_a_little_below_zero(writes: float, suspects: int) -> None:
    counters = all_counters(TCC_EA0_WRREQ_sum=writes * COPY["TCC_EA0_WRREQ_sum"])
    assert len(place(counters).suspects) == 1
    result = _split(counters, "TCC_EA0_WRREQ_sum")
    assert len(result.suspects) == suspects
    memory = next(one for one in result.traffic if one.level == "hbm")
    assert memory.write_bytes == pytest.approx(131072 * (64 - 32 * (1 - writes)))  # as counted


def test_passes_with_another_number_of_launches() -> None:
    result = _two_passes(all_counters(), {"SQ_WAVES": 3.0}, (2, 3))
    assert "3 launches" in _suspect(result, "launches").why
    assert result.counters["SQ_WAVES"] == 2  # brought to the launches of a timing run
    assert "equally often" in _undecided(result)


def test_counters_of_all_launches_are_divided_by_the_time_of_all() -> None:
    one, many = (
        place(all_counters()),
        place({k: 7 * v for k, v in all_counters().items()}, ns=7 * COPY_NS, count=7),
    )
    assert many.achieved_gbps == pytest.approx(one.achieved_gbps)
    assert many.bytes == 7 * (one.bytes or 0)


def test_counters_that_only_some_groups_have_are_no_sum() -> None:
    groups = [launches(all_counters()), launches({"SQ_INSTS_VALU": 5.0}, grid=256)]
    result = roofline([groups], TimedLaunches(2 * COPY_NS, 2), MI300X, ROOFS, origin="measured")
    assert isinstance(result, Roofline)
    assert result.counters == {"SQ_INSTS_VALU": 98309}
    assert result.bytes is None


def test_missing_counters_are_named() -> None:
    counters = all_counters()
    del counters["TCC_BUBBLE_sum"]
    result = place(counters)
    assert (result.bytes, result.arithmetic_intensity, result.achieved_gbps) == (None, None, None)
    assert result.missing["bytes"] == "not collected: TCC_BUBBLE"
    assert "memory" in _undecided(result)


def test_missing_counters_say_why() -> None:
    counters = all_counters()
    del counters["TCC_BUBBLE_sum"]
    result = roofline(
        [[launches(counters)]],
        TimedLaunches(COPY_NS, 1),
        MI300X,
        ROOFS,
        origin="measured",
        dropped={"TCC_BUBBLE_sum": "pass 3 crashed"},
    )
    assert isinstance(result, Roofline)
    assert result.missing["bytes"] == "not collected: TCC_BUBBLE (pass 3 crashed)"


def test_missing_types_of_work_leave_no_sum() -> None:
    counters = all_counters()
    del counters["SQ_INSTS_VALU_ADD_F64"], counters["SQ_INSTS_VALU"]
    result = place(counters)
    assert result.flops is None
    assert "SQ_INSTS_VALU_ADD_F64" in result.missing["flops"]
    assert "work valu f64" in _undecided(result)


def test_rare_types_are_left_out_with_a_note() -> None:
    counters = all_counters()
    del counters["SQ_INSTS_VALU_MFMA_MOPS_F8"]
    result = place(counters)
    assert result.flops == 0
    assert any("f8" in note for note in result.notes)
    assert "SQ_INSTS_VALU_MFMA_MOPS_F8" in result.missing["work mfma f8"]


def test_types_that_nothing_counts_are_missing_and_the_sum_stands() -> None:
    result = place(all_counters())
    assert result.missing["work mfma xf32"] == "gfx942 has no counter of XF32 operations"
    assert result.flops == 0
    assert "XF32" not in "".join(result.counters)


def test_estimate_stands_in_where_types_were_not_counted() -> None:
    counters = all_counters()
    del counters[FMA]
    result = place(counters)
    assert result.flop_model == "valu-width"
    assert result.flops == 98304 * 8
    assert FMA in " ".join(result.notes)


def test_estimate_by_name() -> None:
    result = place(all_counters(), flop_model="valu-width")
    assert (result.flop_model, result.flops) == ("valu-width", 98304 * 8)


def test_estimate_where_it_is_not_defined() -> None:
    result = place(all_counters(), agent=replace(MI300X, name="gfx950"), flop_model="valu-width")
    assert "not defined" in result.missing["flops"]


def test_failed_passes_give_the_reason() -> None:
    why = {"TCC_REQ_sum": "pass 1: refused"}
    result = roofline([], TimedLaunches(1, 1), MI300X, ROOFS, origin="measured", dropped=why)
    assert result == Reason("no counters were collected for this kernel: pass 1: refused")


def test_no_time_no_rates() -> None:
    result = roofline([[launches(all_counters())]], TimedLaunches(0, 1), MI300X, ROOFS, origin="measured")
    assert isinstance(result, Reason)


def test_unknown_architecture() -> None:
    agent = replace(MI300X, name="gfx1201")
    result = roofline([[launches(all_counters())]], TimedLaunches(1, 1), agent, (), origin="measured")
    assert result == Reason("no counter formulas are known of gfx1201")
