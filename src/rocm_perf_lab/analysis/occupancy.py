"""Theoretical occupancy of a launch: what fits, what limits it, and what would let more fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocm_perf_lab.analysis.occupancy_step import next_step
from rocm_perf_lab.analysis.residency import Demand, Residency, residency, units_joined
from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.contracts.profiling.occupancy import Limiter, Occupancy, OccupancyStep

NO_COUNTERS = "no counters were collected"

# The most registers that a wave can name: v0 to v255, a0 to a255, s0 to s101 with VCC and others.
_MOST = {"arch_vgprs": 256, "accum_vgprs": 256, "sgprs": 112}
_LIMITED_BY: dict[str, Limiter] = {"arch_vgprs": "vgpr", "accum_vgprs": "vgpr", "sgprs": "sgpr"}
_FIGURES = ("theoretical", "waves_per_simd", "workgroups_per_cu", "limiter", "next_step")


def occupancy(
    limits: DeviceLimits,
    *,
    threads_per_block: int,
    arch_vgprs: int | None,
    accum_vgprs: int | None,
    sgprs: int | None,
    lds_bytes: int,
    wave_size: int | None = None,
    cu_mode: bool = False,
    achieved: float | None = None,
    achieved_missing: str = NO_COUNTERS,
) -> Occupancy:
    """What fits on a compute unit, what limits it, and the least change that lets more fit.

    ``lds_bytes`` is static and dynamic together. A register count may be None for unknown: where it could
    make a difference, the result is null and says so.
    """
    lanes = wave_size if wave_size in limits.vgprs else limits.wave_size
    registers = {"arch_vgprs": arch_vgprs, "accum_vgprs": accum_vgprs, "sgprs": sgprs}
    if limits.accumulation == "none":
        registers["accum_vgprs"] = 0
    if not limits.sgpr_steps:
        registers["sgprs"] = sgprs or 0
    unknown = [name for name, count in registers.items() if count is None]
    missing = {} if achieved is not None else {"achieved": achieved_missing}

    def with_unknown(counts: Mapping[str, int]) -> tuple[Residency, OccupancyStep | None]:
        known = {name: counts[name] if count is None else count for name, count in registers.items()}
        demand = Demand(
            threads=threads_per_block, wave_size=lanes, lds_bytes=lds_bytes, cu_mode=cu_mode, **known
        )
        fits = residency(limits, demand)
        return fits, next_step(limits, demand, fits)

    fits: Residency | None = None
    step: OccupancyStep | None = None
    if threads_per_block < 1 or lds_bytes < 0:
        missing |= dict.fromkeys(_FIGURES, "the launch has no workgroup size or a negative amount of LDS")
    else:
        (fits, step), worst = with_unknown(dict.fromkeys(_MOST, 0)), with_unknown(_MOST)
        if fits.groups != worst[0].groups:
            missing |= dict.fromkeys(_FIGURES, f"not known and needed: {', '.join(unknown)}")
            fits = None
        elif step is None or step != worst[1]:
            missing["next_step"] = _why_no_step(fits, unknown)
        step = step if "next_step" not in missing else None
    return Occupancy(
        origin="derived",
        missing=missing,
        theoretical=fits.share if fits else None,
        achieved=achieved,
        threads_per_block=threads_per_block,
        wave_size=lanes,
        waves_per_simd=fits.waves_per_simd if fits else None,
        max_waves_per_simd=limits.wave_slots_per_simd,
        workgroups_per_cu=fits.groups if fits else None,
        unit="WGP" if units_joined(limits, cu_mode) > 1 else "CU",
        limiter=fits.limiter if fits else None,
        limits=_known_limits(fits, unknown),
        next_step=step,
    )


def _why_no_step(fits: Residency, unknown: Sequence[str]) -> str:
    if fits.waves == fits.slots:
        return "all wave slots are taken"
    if unknown:
        return f"not known and needed: {', '.join(unknown)}"
    return "no single change raises occupancy"


def _known_limits(fits: Residency | None, unknown: Sequence[str]) -> dict[str, int]:
    if fits is None:
        return {}
    guessed = {_LIMITED_BY[name] for name in unknown}
    return {str(resource): groups for resource, groups in fits.limits.items() if resource not in guessed}
