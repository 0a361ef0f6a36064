"""Occupancy of known cases, and what is said where something is not known."""

from __future__ import annotations

import pytest

from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.arch.device import device
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy


def of(
    architecture: str = "gfx942",
    threads: int = 256,
    vgprs: int | None = 32,
    accum: int | None = 0,
    sgprs: int | None = 32,
    lds: int = 0,
    wave_size: int | None = None,
    cu_mode: bool = False,
) -> Occupancy:
    limits = device(architecture)
    assert limits is not None
    return occupancy(
        limits,
        threads_per_block=threads,
        arch_vgprs=vgprs,
        accum_vgprs=accum,
        sgprs=sgprs,
        lds_bytes=lds,
        wave_size=wave_size,
        cu_mode=cu_mode,
    )


@pytest.mark.parametrize(
    ("vgprs", "waves", "share"), [(64, 8, 1.0), (96, 5, 0.625), (128, 4, 0.5), (256, 2, 0.25)]
)
@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942", "gfx950"])
def test_vgprs_of_cdna(architecture: str, vgprs: int, waves: int, share: float) -> None:
    result = of(architecture, vgprs=vgprs)
    assert (result.waves_per_simd, result.theoretical) == (waves, share)
    assert result.limiter == ("waves" if share == 1 else "vgpr")


def test_whole_workgroups() -> None:
    """Seven waves would fit by registers, but a group of 1024 threads needs four at a time."""
    result = of(threads=1024, vgprs=72)
    assert (result.theoretical, result.limiter, result.workgroups_per_cu) == (0.5, "workgroup", 1)
    assert result.next_step is not None
    assert result.next_step.change == "512 threads per workgroup: 6 waves per SIMD"
    assert result.next_step.needs == {"threads_per_block": 512}


def test_one_wave_with_all_the_lds() -> None:
    result = of(threads=64, lds=64 << 10)
    assert result.workgroups_per_cu == 1
    assert result.theoretical == 1 / 32
    assert result.limiter == "lds"
    assert result.next_step is not None
    assert result.next_step.change == "32768 bytes of LDS less: 0.5 waves per SIMD"


def test_accumulation_registers_share_the_file_from_a_multiple_of_four_on() -> None:
    assert of(vgprs=61, accum=64).waves_per_simd == 4  # 64 + 64 = 128
    assert of(vgprs=65, accum=61).waves_per_simd == 3  # 68 + 61 = 129, of which 136 are taken
    assert of("gfx908", vgprs=64, accum=64).waves_per_simd == 4  # a file each


def test_scalar_registers() -> None:
    assert of(sgprs=100).waves_per_simd == 8
    above = of(sgprs=102)
    assert (above.waves_per_simd, above.limiter) == (7, "sgpr")
    assert above.next_step is not None
    assert above.next_step.change == "2 SGPRs fewer: 8 waves per SIMD"
    assert [of("gfx908", vgprs=24, sgprs=n).waves_per_simd for n in (80, 81, 89, 101)] == [10, 9, 8, 7]
    assert of("gfx1100", sgprs=106).theoretical == 1.0


def test_lds_is_taken_in_granules() -> None:
    assert of(lds=16384).workgroups_per_cu == 4
    assert of(lds=16385).workgroups_per_cu == 3
    assert of("gfx950", lds=20480).workgroups_per_cu == 8
    assert of("gfx950", lds=20481).workgroups_per_cu == 7


def test_barriers_do_not_count_for_groups_of_one_wave() -> None:
    """gfx908 has 40 wave slots and 16 barriers."""
    assert of("gfx908", threads=64, vgprs=24).workgroups_per_cu == 40
    two = of("gfx908", threads=128, vgprs=24)
    assert (two.workgroups_per_cu, two.limiter, two.theoretical) == (16, "barriers", 0.8)
    assert two.next_step is not None
    assert two.next_step.needs == {"threads_per_block": 64}


@pytest.mark.parametrize(
    ("architecture", "wave_size", "vgprs", "waves"),
    [
        ("gfx1030", 32, 64, 16),
        ("gfx1030", 32, 65, 12),  # 80 of 1024
        ("gfx1030", 64, 64, 8),
        ("gfx1100", 32, 96, 16),
        ("gfx1100", 32, 97, 12),  # 120 of 1536
        ("gfx1100", 64, 96, 8),
        ("gfx1102", 32, 96, 10),
        ("gfx1201", 32, 96, 16),
    ],
)
def test_rdna_by_wave_size(architecture: str, wave_size: int, vgprs: int, waves: int) -> None:
    result = of(architecture, threads=wave_size, vgprs=vgprs, wave_size=wave_size)
    assert (result.waves_per_simd, result.unit) == (waves, "WGP")


def test_rdna_pairs_pool_lds_and_barriers() -> None:
    pair, alone = of("gfx1100", lds=65536), of("gfx1100", lds=65536, cu_mode=True)
    assert (pair.unit, pair.workgroups_per_cu, pair.theoretical) == ("WGP", 2, 0.25)
    assert (alone.unit, alone.workgroups_per_cu, alone.theoretical) == ("CU", 1, 0.25)
    assert of("gfx1030", threads=64).limits["barriers"] == 32
    assert of("gfx1030", threads=64, cu_mode=True).limits["barriers"] == 16
    assert of("gfx1100", lds=65537).theoretical == 0


def test_what_cannot_be_launched_has_no_occupancy() -> None:
    too_many = of(threads=1088)
    assert (too_many.theoretical, too_many.limiter) == (0.0, "workgroup")
    assert too_many.next_step is not None
    assert too_many.next_step.needs == {"threads_per_block": 1024}
    too_large = of(lds=65537)
    assert (too_large.theoretical, too_large.limiter) == (0.0, "lds")
    heavy = of(threads=1024, vgprs=256)
    assert (heavy.theoretical, heavy.limits["vgpr"]) == (0.0, 0)
    assert heavy.next_step is not None
    assert heavy.next_step.change == "128 VGPRs fewer: 4 waves per SIMD"


def test_two_resources_can_be_short_at_once() -> None:
    result = of(threads=256, vgprs=128, lds=16384)
    assert (result.limits["vgpr"], result.limits["lds"]) == (4, 4)
    assert result.next_step is not None
    assert result.next_step.needs == {"vgprs": 96, "lds_bytes": 12800}
    assert result.next_step.change == "32 VGPRs fewer and 3584 bytes of LDS less: 5 waves per SIMD"


def test_a_full_unit_needs_no_step() -> None:
    result = of()
    assert result.next_step is None
    assert result.missing["next_step"] == "all wave slots are taken"
    assert result.missing["achieved"] == "no counters were collected"


def test_unknown_registers_make_it_unknown_where_they_matter() -> None:
    result = of(vgprs=None)
    assert result.theoretical is None
    assert "arch_vgprs" in result.missing["theoretical"]
    nulls = {"theoretical", "waves_per_simd", "workgroups_per_cu", "limiter", "next_step"}
    assert nulls <= set(result.missing)
    assert of(sgprs=None).theoretical is None
    assert of(sgprs=None, vgprs=96).theoretical == 0.625
    assert of("gfx1100", sgprs=None, accum=None).theoretical == 1.0
    assert of(vgprs=None, accum=None, sgprs=None, threads=64, lds=65536).theoretical == 1 / 32
    assert of(vgprs=None, lds=65536).limits == {"waves": 8, "sgpr": 8, "barriers": 16, "lds": 1}


def test_a_step_that_depends_on_what_is_unknown_is_not_given() -> None:
    """Eight groups fit by LDS with any registers; with how many a ninth would, nobody knows."""
    result = of(threads=1024, vgprs=None, lds=65536)
    assert result.theoretical is None
    result = of(threads=256, sgprs=None, lds=16384, vgprs=128)
    assert result.theoretical == 0.5
    assert result.next_step is not None
    small = of(threads=64, vgprs=None, lds=8192)
    assert small.theoretical == 8 / 32
    assert small.next_step is None
    assert small.missing["next_step"] == "not known and needed: arch_vgprs"


@pytest.mark.parametrize(("threads", "lds"), [(0, 0), (256, -1)])
def test_launches_that_make_no_sense(threads: int, lds: int) -> None:
    result = of(threads=threads, lds=lds)
    assert result.theoretical is None
    assert "no workgroup size" in result.missing["theoretical"]


def test_a_wave_size_that_the_architecture_does_not_have() -> None:
    assert of(wave_size=32).wave_size == 64
    assert of("gfx1100", wave_size=0).wave_size == 32
