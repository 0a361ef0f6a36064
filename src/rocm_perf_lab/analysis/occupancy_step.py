"""The least change to a launch that lets more waves run at once."""

from __future__ import annotations

from dataclasses import replace

from rocm_perf_lab.analysis.residency import Demand, Residency, residency, units_joined
from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.contracts.profiling.occupancy import Limiter, OccupancyStep

_RESOURCES: dict[str, Limiter] = {"vgprs": "vgpr", "sgprs": "sgpr", "lds_bytes": "lds"}


def next_step(limits: DeviceLimits, demand: Demand, now: Residency) -> OccupancyStep | None:
    """None where all slots are taken, or where no single step is known to help."""
    if now.waves == now.slots:
        return None
    smaller, other_size = _one_group_more(limits, demand, now), _other_size(limits, demand, now)
    if now.limiter == "workgroup":
        return other_size or smaller
    return smaller or other_size


def _one_group_more(limits: DeviceLimits, demand: Demand, now: Residency) -> OccupancyStep | None:
    """The same workgroup with fewer registers or less LDS, so that at least one more fits."""
    groups = now.groups + 1
    waves = groups * demand.waves
    if waves > now.slots or groups > now.limits.get("barriers", groups) or now.limits.get("workgroup") == 0:
        return None
    per_simd = -(-waves // now.simds)
    then = demand
    parts: list[str] = []
    needs: dict[str, int] = {}
    if now.limits["vgpr"] < groups:
        file = limits.vgprs[demand.wave_size]
        needs["vgprs"] = file.registers // per_simd // file.granule * file.granule
        then = replace(then, arch_vgprs=needs["vgprs"], accum_vgprs=0)
        parts.append(f"{_counted(_fewest_registers_less(limits, demand, needs['vgprs']), 'VGPR')} fewer")
    if now.limits.get("sgpr", groups) < groups:
        needs["sgprs"] = max(most for most, of_simd in limits.sgpr_steps if of_simd >= per_simd)
        then = replace(then, sgprs=needs["sgprs"])
        parts.append(f"{_counted(demand.sgprs - needs['sgprs'], 'SGPR')} fewer")
    if now.limits.get("lds", groups) < groups:
        pool = limits.lds_bytes * units_joined(limits, demand.cu_mode)
        room = pool // groups // limits.lds_granule * limits.lds_granule
        needs["lds_bytes"] = min(room, limits.lds_bytes_per_workgroup)
        then = replace(then, lds_bytes=needs["lds_bytes"])
        parts.append(f"{_counted(demand.lds_bytes - needs['lds_bytes'], 'byte')} of LDS less")
    # Several resources can be short at once; the one that is named is the limiter, where it is among them.
    short = [_RESOURCES[need] for need in needs]
    resource = now.limiter if now.limiter in short else short[0]
    return _step(resource, residency(limits, then), " and ".join(parts), needs)


def _fewest_registers_less(limits: DeviceLimits, demand: Demand, most: int) -> int:
    """How many registers have to go, of either kind, for the allocation to be at most ``most``."""
    arch, accum = demand.arch_vgprs, demand.accum_vgprs
    if limits.accumulation != "unified":
        return max(0, arch - most) + max(0, accum - most)
    # Accumulation registers start at a multiple of 4, so that the others are best cut down to one.
    kept: list[int] = [arch, *range((arch - 1) // 4 * 4, -1, -4)]
    costs: list[int] = [arch - left + max(0, -(-left // 4) * 4 + accum - most) for left in kept]
    return min(cost for left, cost in zip(kept, costs, strict=True) if -(-left // 4) * 4 <= most)


def _other_size(limits: DeviceLimits, demand: Demand, now: Residency) -> OccupancyStep | None:
    """Another workgroup size, the nearest that helps."""
    sizes = sorted(_sizes(limits, demand), key=lambda threads: (abs(threads - demand.threads), threads))
    for threads in sizes:
        # LDS may belong to the group or to its threads: count what is more.
        lds = max(demand.lds_bytes, -(-demand.lds_bytes * threads // demand.threads))
        then = residency(limits, replace(demand, threads=threads, lds_bytes=lds))
        if then.waves > now.waves:
            change = f"{_counted(threads, 'thread')} per workgroup"
            return _step("workgroup", then, change, {"threads_per_block": threads})
    return None


def _sizes(limits: DeviceLimits, demand: Demand) -> list[int]:
    """Whole waves; powers of two where the present size is one, as kernels that use one often need one."""
    largest = limits.max_threads_per_workgroup
    if demand.threads & (demand.threads - 1) == 0:
        return [
            1 << power for power in range(largest.bit_length()) if demand.wave_size <= 1 << power <= largest
        ]
    return list(range(demand.wave_size, largest + 1, demand.wave_size))


def _step(resource: Limiter, then: Residency, change: str, needs: dict[str, int]) -> OccupancyStep:
    waves = f"{then.waves_per_simd:g} wave{'' if then.waves_per_simd == 1 else 's'} per SIMD"
    return OccupancyStep(
        resource=resource,
        waves_per_simd=then.waves_per_simd,
        theoretical=then.share,
        change=f"{change}: {waves}",
        needs=needs,
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
