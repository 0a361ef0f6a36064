"""How many workgroups of a launch a compute unit can hold at once, resource by resource.

The rules are those of LLVM's AMDGPU backend; docs/how-it-works/occupancy.md has them with their sources.
"""

from __future__ import annotations

from dataclasses import dataclass

from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.contracts.profiling.occupancy import Limiter


@dataclass(frozen=True, kw_only=True)
class Demand:
    """What one workgroup asks for."""

    threads: int
    wave_size: int
    arch_vgprs: int
    accum_vgprs: int
    sgprs: int
    lds_bytes: int
    """Static and dynamic."""
    cu_mode: bool = False
    """RDNA: compiled for one compute unit instead of a pair."""

    @property
    def waves(self) -> int:
        return -(-self.threads // self.wave_size)


@dataclass(frozen=True, kw_only=True)
class Residency:
    """What fits on a unit: a compute unit, or a pair of them."""

    groups: int
    waves_per_group: int
    simds: int
    slots: int
    """Wave slots of the unit."""
    limits: dict[Limiter, int]
    """Workgroups that each resource alone would allow."""
    capacity: dict[Limiter, int]
    """Waves that each resource alone would allow if workgroups could be split."""

    @property
    def waves(self) -> int:
        return self.groups * self.waves_per_group

    @property
    def waves_per_simd(self) -> float:
        return self.waves / self.simds

    @property
    def share(self) -> float:
        return self.waves / self.slots

    @property
    def limiter(self) -> Limiter:
        """The resource with the fewest groups; ``workgroup`` where whole groups lose more waves than it."""
        if self.waves == self.slots:
            return "waves"
        fewest = min(self.limits, key=lambda resource: (self.limits[resource], self.capacity[resource]))
        held = min(self.capacity[fewest], self.slots)
        lost_by_rounding, lost_by_resource = held - self.waves, self.slots - held
        return "workgroup" if lost_by_rounding > lost_by_resource else fewest


def units_joined(limits: DeviceLimits, cu_mode: bool) -> int:
    """Compute units that a workgroup can spread over."""
    return 2 if limits.pairs_of_units and not cu_mode else 1


def allocated_vgprs(limits: DeviceLimits, demand: Demand) -> int:
    """Registers per lane that hardware sets aside for a wave."""
    granule = limits.vgprs[demand.wave_size].granule
    if limits.accumulation == "unified":
        # Accumulation registers follow the others in one file, from a multiple of 4 on.
        count = _round_up(demand.arch_vgprs, 4) + demand.accum_vgprs
    else:
        count = max(demand.arch_vgprs, demand.accum_vgprs)
    return max(granule, _round_up(count, granule))


def allocated_lds(limits: DeviceLimits, lds_bytes: int) -> int:
    return _round_up(lds_bytes, limits.lds_granule)


def waves_by_sgprs(limits: DeviceLimits, sgprs: int) -> int | None:
    """Waves per SIMD; None where scalar registers are not a limit."""
    if not limits.sgpr_steps:
        return None
    for most, waves in limits.sgpr_steps:
        if sgprs <= most:
            return waves
    return limits.sgpr_steps[-1][1]


def residency(limits: DeviceLimits, demand: Demand) -> Residency:
    joined = units_joined(limits, demand.cu_mode)
    simds = limits.simds_per_cu * joined
    slots = limits.wave_slots_per_simd * simds
    waves = demand.waves

    capacity: dict[Limiter, int] = {
        "waves": slots,
        "vgpr": limits.vgprs[demand.wave_size].registers // allocated_vgprs(limits, demand) * simds,
    }
    by_sgprs = waves_by_sgprs(limits, demand.sgprs)
    if by_sgprs is not None:
        capacity["sgpr"] = by_sgprs * simds
    groups: dict[Limiter, int] = {resource: count // waves for resource, count in capacity.items()}
    if waves > 1:  # the wave of a group of one has no other to wait for
        groups["barriers"] = limits.barriers * joined
    if demand.lds_bytes:
        fits = demand.lds_bytes <= limits.lds_bytes_per_workgroup
        allocated = allocated_lds(limits, demand.lds_bytes)
        groups["lds"] = limits.lds_bytes * joined // allocated if fits else 0
    if demand.threads > limits.max_threads_per_workgroup:
        groups["workgroup"] = 0
    return Residency(
        groups=min(groups.values()),
        waves_per_group=waves,
        simds=simds,
        slots=slots,
        limits=groups,
        capacity={resource: capacity.get(resource, count * waves) for resource, count in groups.items()},
    )


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple
