"""Theoretical occupancy of a launch: what fits, what limits it, and what would let more fit."""

from __future__ import annotations

from collections.abc import Mapping

from rocm_perf_lab.analysis.occupancy_step import next_step
from rocm_perf_lab.analysis.residency import Demand, residency, units_joined
from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.contracts.occupancy import Occupancy

NO_COUNTERS = "no counters were collected"

# The most registers that a wave can name: v0 to v255, a0 to a255, s0 to s101 with VCC and others.
_MOST = {"arch_vgprs": 256, "accum_vgprs": 256, "sgprs": 112}


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
    registers = {"arch_vgprs": arch_vgprs, "accum_vgprs": accum_vgprs, "sgprs": sgprs}
    if limits.accumulation == "none":
        registers["accum_vgprs"] = 0

    lanes = wave_size if wave_size in limits.vgprs else limits.wave_size

    def demand(unknown: Mapping[str, int]) -> Demand:
        counts = {name: unknown[name] if count is None else count for name, count in registers.items()}
        return Demand(
            threads=threads_per_block,
            wave_size=lanes,
            lds_bytes=lds_bytes,
            cu_mode=cu_mode,
            **counts,
        )

    wants = demand(dict.fromkeys(_MOST, 0))
    fits = residency(limits, wants)
    certain = fits.groups == residency(limits, demand(_MOST)).groups
    step = next_step(limits, wants, fits) if certain else None

    missing = {} if achieved is not None else {"achieved": achieved_missing}
    if not certain:
        unknown = ", ".join(name for name, count in registers.items() if count is None)
        nulls = ("theoretical", "waves_per_simd", "workgroups_per_cu", "limiter", "next_step")
        missing |= dict.fromkeys(nulls, f"not known and needed: {unknown}")
    elif step is None:
        missing["next_step"] = (
            "all wave slots are taken" if fits.waves == fits.slots else "no single change raises occupancy"
        )
    return Occupancy(
        origin="derived",
        missing=missing,
        theoretical=fits.share if certain else None,
        achieved=achieved,
        threads_per_block=threads_per_block,
        wave_size=lanes,
        waves_per_simd=fits.waves_per_simd if certain else None,
        max_waves_per_simd=limits.wave_slots_per_simd,
        workgroups_per_cu=fits.groups if certain else None,
        unit="WGP" if units_joined(limits, cu_mode) > 1 else "CU",
        limiter=fits.limiter if certain else None,
        limits={str(resource): groups for resource, groups in fits.limits.items()},
        next_step=step,
    )
