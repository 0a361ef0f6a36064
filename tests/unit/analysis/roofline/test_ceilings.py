"""Ceilings follow the device that is there: its units, dies and clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.roofline import ceilings, unexplained_ceilings
from rocm_perf_lab.arch.device import peaks
from rocm_perf_lab.contracts.profiling.roofline import Ceiling

from .kernels import MI300X, ROOFS, all_counters, partition, place

PEAKS = peaks("gfx942", "AMD Instinct MI300X")


def _values(roofs: tuple[Ceiling, ...]) -> dict[str, float]:
    assert len({roof.name for roof in roofs}) == len(roofs)
    return {roof.name: round(roof.value, 1) for roof in roofs}


def test_peaks_of_the_data_sheet() -> None:
    values = _values(ROOFS)
    assert values["valu f32"] == 81715.2
    assert values["valu f32 packed"] == 163430.4
    assert values["mfma f16"] == 1307443.2
    assert values["mfma i8"] == 2614886.4
    assert values["lds"] == 81715.2
    assert values["l2"] == 34406.4
    assert values["hbm"] == 5300
    assert all(roof.source and roof.origin == "spec" for roof in ROOFS)
    assert {roof.unit for roof in ROOFS if roof.figure == "mfma i8"} == {"GOP/s"}


def test_partition_has_its_share() -> None:
    values = _values(ceilings(partition(1), PEAKS))
    assert values["valu f32"] == pytest.approx(81715.2 / 8)
    assert values["l2"] == pytest.approx(34406.4 / 8)
    assert values["hbm"] == pytest.approx(5300 / 8)
    assert values["hbm (at most)"] == 5300


def test_dies_follow_from_compute_units_where_a_trace_does_not_tell() -> None:
    for dies in (1, 2, 8):
        agent = partition(dies)
        told, guessed = (_values(ceilings(one, PEAKS)) for one in (agent, replace(agent, xcd_count=None)))
        assert told == guessed


def test_partition_that_draws_more_than_its_share_is_no_suspect() -> None:
    """One die of eight moves 2.5 TB/s: more than an eighth of the memory's rate and less than all of it."""
    result = place(all_counters(), agent=partition(1), roofs=ceilings(partition(1), PEAKS))
    memory = next(one for one in result.traffic if one.level == "hbm")
    assert memory.ceiling == "hbm (at most)"
    assert "traffic hbm" not in {one.figure for one in result.suspects}


def test_clock_can_be_given() -> None:
    values = _values(ceilings(MI300X, PEAKS, clock_mhz=1050))
    assert values["valu f32"] == pytest.approx(81715.2 / 2)
    assert values["hbm"] == 5300


def test_bandwidth_can_be_given() -> None:
    roofs = ceilings(MI300X, PEAKS, memory_bandwidth_gbps=4000)
    assert _values(roofs)["hbm"] == 4000
    assert _values(roofs)["hbm (data sheet)"] == 5300
    result = place(all_counters(), roofs=roofs)
    assert result.share_of_roof == pytest.approx(2494.497 / 4000, rel=1e-6)


def _measured(figure: str, value: float) -> Ceiling:
    unit = "GB/s" if figure == "hbm" else "GFLOP/s"
    kind = "memory" if figure == "hbm" else "compute"
    return Ceiling(
        name=figure, figure=figure, kind=kind, value=value, unit=unit, origin="measured", source="copy"
    )


def test_measured_ceilings_come_first() -> None:
    roofs = ceilings(MI300X, PEAKS, measured=[_measured("hbm", 4100)])
    result = place(all_counters(), roofs=roofs)
    assert result.share_of_roof == pytest.approx(2494.497 / 4100, rel=1e-6)
    memory = next(one for one in result.traffic if one.level == "hbm")
    assert memory.ceiling == "hbm"
    assert next(roof for roof in roofs if roof.name == "hbm").origin == "measured"


def test_what_is_faster_than_the_measured_ceiling_is_held_against_the_data_sheet() -> None:
    roofs = ceilings(MI300X, PEAKS, measured=[_measured("hbm", 2000)])
    result = place(all_counters(), roofs=roofs)
    assert (result.bound_by, result.suspects) == ("hbm (data sheet)", ())


def test_given_bandwidth_replaces_the_measured_one() -> None:
    roofs = ceilings(MI300X, PEAKS, memory_bandwidth_gbps=4000, measured=[_measured("hbm", 4100)])
    assert [roof.value for roof in roofs if roof.figure == "hbm"] == [4000, 5300, 17200]


def test_without_a_clock_only_memory_has_a_roof() -> None:
    nameless = replace(MI300X, clock_mhz=None, product_name="")
    unknown = peaks("gfx942", "")
    assert ceilings(nameless, unknown) == ()
    assert "--clock-mhz" in (unexplained_ceilings(nameless, unknown) or "")
    assert unexplained_ceilings(nameless, unknown, clock_mhz=2100) is None


def test_unknown_device_has_no_roofs_and_says_so() -> None:
    assert ceilings(MI300X, None) == ()
    assert "gfx942" in (unexplained_ceilings(MI300X, None) or "")
    assert unexplained_ceilings(MI300X, PEAKS) is None
    assert unexplained_ceilings(replace(MI300X, cu_count=None), PEAKS)
