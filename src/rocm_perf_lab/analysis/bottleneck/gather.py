"""The figures of a kernel, from what its profile, counters and thread traces say."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rocm_perf_lab.arch.counters import value_of
from rocm_perf_lab.arch.counters.busy import (
    BUSY_FORMULAS,
    CLOCKS,
    CLOCKS_PER_STEP,
    LDS_CONFLICT,
    WAVE_TIME,
    WAVES,
    BusyFormula,
    busy_share,
)
from rocm_perf_lab.arch.virtual_gpus import clocks_of_a_conflict
from rocm_perf_lab.contracts.profiling.analysis import AttFeatures
from rocm_perf_lab.contracts.profiling.bottleneck import BottleneckFigures, Depth
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.roofline import Roofline

from .figures import NAMES, BottleneckShares

# How long the LDS is taken for each clock that its counter of bank conflicts counts. Fitted to run times of
# programs on an MI300A: the timing model's figure.
CLOCKS_OF_A_CONFLICT = clocks_of_a_conflict("MI300A")
# Shares come from two counters of two runs; above 1 by more than this they are not to be trusted. Chosen.
ROUNDING = 0.05

_FORMULAS = {formula.figure: formula for formula in BUSY_FORMULAS}
NO_TIME = "by its trace a launch takes no time, and there is no idle time before it"
_NO_LANES = "no vector instruction was counted"


@dataclass
class GatheredFigures:
    values: dict[str, float] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    estimates: list[str] = field(default_factory=list)
    ceilings: dict[str, str] = field(default_factory=dict)
    """Unit -> name of its ceiling."""
    lds_without_conflicts: float | None = None
    """As ``lds``, if no lanes met in a bank."""
    without_waves: float | None = None
    """As ``outside``, of the launch alone."""
    depth: Depth = "trace"

    def give(self, name: str, value: float, source: str, *, estimate: bool = False) -> None:
        if value > 1 + ROUNDING:
            self.missing[name] = f"suspect: {source} gives {value:.3f}"
            return
        self.values[name] = min(1.0, value)
        self.sources[name] = source
        self.missing.pop(name, None)
        if estimate:
            self.estimates.append(name)
        elif name in self.estimates:
            self.estimates.remove(name)

    @property
    def figures(self) -> BottleneckShares:
        return BottleneckShares(**self.values)

    def section(self, kernel: KernelProfile) -> BottleneckFigures:
        return BottleneckFigures(
            origin=kernel.origin if kernel.origin == "simulated" else "derived",
            missing={name: self.missing.get(name, "not known") for name in NAMES if name not in self.values},
            **{name: self.values.get(name) for name in NAMES},
            sources=self.sources,
            estimates=tuple(self.estimates),
        )


def gather(
    kernel: KernelProfile, gpu: Gpu | None, *, idle_ns: float | None = None, att: AttFeatures | None = None
) -> GatheredFigures:
    """``idle_ns``: mean idle time of the GPU before a launch of the kernel, as far as launching costs it."""
    found = GatheredFigures()
    why_not = kernel.missing.get("roofline", "not collected")
    for name in NAMES:
        found.missing[name] = why_not
    _from_trace(found, kernel, gpu, idle_ns)
    if kernel.roofline is not None and gpu is not None:
        found.depth = "counters"
        _from_counters(found, kernel, kernel.roofline, gpu, idle_ns)
    if att is not None:
        _from_att(found, att, gpu)
    return found


def _from_trace(
    found: GatheredFigures, kernel: KernelProfile, gpu: Gpu | None, idle_ns: float | None
) -> None:
    if idle_ns is None:
        found.missing["outside"] = "no launch of it has another one before it, and no counters tell more"
    elif not (period := idle_ns + kernel.mean_ms * 1e6):
        found.missing["outside"] = NO_TIME
    else:
        source = f"idle before a launch / (idle + duration) = {idle_ns:.0f} ns / {period:.0f} ns"
        found.give("outside", idle_ns / period, source, estimate=True)
    occupied, group = kernel.occupancy, kernel.groups[0]
    if occupied is None or occupied.theoretical is None:
        found.missing["occupied"] = kernel.missing.get("occupancy", "the theoretical occupancy is not known")
        return
    slots = _wave_slots(gpu)
    waves = _workgroups(kernel) * math.ceil(math.prod(group.block) / occupied.wave_size)
    if slots is None:
        found.give("occupied", occupied.theoretical, "theoretical occupancy", estimate=True)
        return
    source = f"the lesser of theoretical occupancy and waves / wave slots = {waves} / {slots}"
    found.give("occupied", min(occupied.theoretical, waves / slots), source, estimate=True)


def _from_counters(
    found: GatheredFigures, kernel: KernelProfile, roofline: Roofline, gpu: Gpu, idle_ns: float | None
) -> None:
    _memory(found, roofline)
    counters = {
        name: value
        for name, value in roofline.counters.items()
        if not any(suspect.figure == f"counter {name}" for suspect in roofline.suspects)
    }
    clocks = _clocks(kernel, gpu, counters)
    if clocks is None or not gpu.cu_count or not gpu.simd_per_cu:
        for name in ("compute", "lanes", "lds", "issue", "waiting"):
            found.missing[name] = f"the clocks ({CLOCKS}), compute units or SIMDs of the GPU are not known"
        return
    cus, simds = gpu.cu_count, gpu.cu_count * gpu.simd_per_cu
    shares = {
        name: busy_share(formula, counters, clocks=clocks, simds=simds, cus=cus)
        for name, formula in _FORMULAS.items()
    }
    _compute(found, shares, roofline)
    _larger(found, "issue", shares, ("scalar", "branch"))
    if shares["waiting"] is None:
        found.missing["waiting"] = _absent(_FORMULAS["waiting"])
    else:
        found.give("waiting", shares["waiting"], str(_FORMULAS["waiting"]))
    _lds(found, shares["lds"], value_of(LDS_CONFLICT, counters), clocks * cus)
    _occupied(found, gpu, value_of(WAVE_TIME, counters), clocks)
    _outside(found, kernel, gpu, counters, clocks, shares["units"], idle_ns)


def _memory(found: GatheredFigures, roofline: Roofline) -> None:
    doubtful = {suspect.figure for suspect in roofline.suspects}
    usable = [
        (one.share_of_ceiling, one.ceiling)
        for one in roofline.traffic
        if one.level in ("hbm", "l2")
        and one.share_of_ceiling is not None
        and one.ceiling is not None
        and f"traffic {one.level}" not in doubtful
    ]
    if not usable or not any(one.level == "hbm" for one in roofline.traffic):
        found.missing["memory"] = roofline.missing.get(
            "traffic hbm", "traffic to memory is suspect or has no ceiling"
        )
        return
    share, ceiling = max(usable)
    found.ceilings["memory"] = ceiling
    found.give("memory", share, f"traffic / ceiling {ceiling}")


def _compute(found: GatheredFigures, shares: dict[str, float | None], roofline: Roofline) -> None:
    unit = _larger(found, "compute", shares, ("valu", "mfma"))
    found.ceilings["compute"] = "matrix units" if unit == "mfma" else "vector units"
    if unit == "mfma":
        found.give("lanes", 1.0, "matrix instructions use all lanes")
    elif roofline.active_lane_share is not None:
        found.give("lanes", roofline.active_lane_share, "SQ_THREAD_CYCLES_VALU / (64·SQ_ACTIVE_INST_VALU)")
    else:
        found.missing["lanes"] = roofline.missing.get("active_lane_share", _NO_LANES)


def _larger(
    found: GatheredFigures, name: str, shares: dict[str, float | None], of: tuple[str, ...]
) -> str | None:
    known = [(share, one) for one in of if (share := shares[one]) is not None]
    if not known:
        found.missing[name] = "; ".join(_absent(_FORMULAS[one]) for one in of)
        return None
    share, which = max(known)
    found.ceilings[name] = f"{which} issue"
    found.give(name, share, str(_FORMULAS[which]), estimate=len(known) < len(of))
    return which


def _lds(found: GatheredFigures, busy: float | None, conflicts: float | None, clocks: float) -> None:
    if busy is None:
        found.missing["lds"] = _absent(_FORMULAS["lds"])
        return
    found.ceilings["lds"] = "LDS"
    extra = CLOCKS_OF_A_CONFLICT - 1
    longer = busy + extra * (conflicts or 0.0) / clocks
    source = f"(SQ_LDS_IDX_ACTIVE + {extra:g}·{LDS_CONFLICT}) / (clocks · CUs)"
    if conflicts is not None:
        found.lds_without_conflicts = max(0.0, busy - conflicts / clocks)
    if longer > 1 >= busy:  # conflicts take less than the fit says
        longer = 1.0
    found.give("lds", longer, source)


def _occupied(found: GatheredFigures, gpu: Gpu, wave_time: float | None, clocks: float) -> None:
    """As achieved occupancy, over the clocks of the kernel alone."""
    slots = _wave_slots(gpu)
    if wave_time is not None and slots is not None:
        share = CLOCKS_PER_STEP * wave_time / (clocks * slots)
        found.give("occupied", share, f"{CLOCKS_PER_STEP}·{WAVE_TIME} / (clocks · wave slots)")


def _outside(
    found: GatheredFigures,
    kernel: KernelProfile,
    gpu: Gpu,
    counters: dict[str, float],
    clocks: float,
    units: float | None,
    idle_ns: float | None,
) -> None:
    """Waves run for their own time, once for each generation that does not fit beside the others; and for as
    long as compute units have waves on average, which says more where all of them get some."""
    time, waves = value_of(WAVE_TIME, counters), value_of(WAVES, counters)
    resident = kernel.occupancy.workgroups_per_cu if kernel.occupancy else None
    if not time or not waves or not gpu.cu_count or not resident:
        found.missing.setdefault("outside", f"needs {WAVE_TIME}, {WAVES} and the occupancy")
        return
    duration = kernel.mean_ms * 1e6
    period = duration + (idle_ns or 0.0)
    if not period:
        found.missing["outside"] = NO_TIME
        return
    if not kernel.launches:  # the mean over the runs, rounded
        found.missing["outside"] = "most runs did not launch it"
        return
    lifetime = CLOCKS_PER_STEP * time / waves
    generations = max(1.0, _workgroups(kernel) / (resident * gpu.cu_count))
    running = min(1.0, max(lifetime * generations * kernel.launches / clocks, units or 0.0))
    found.without_waves = 1 - running
    source = (
        f"1 − running · duration / (idle + duration) = 1 − {running:.4g}·{duration:.0f} / {period:.0f}; "
        f"running: mean time of a wave · generations / clocks of a launch = {lifetime:.0f}·{generations:.3g}"
        f" / {clocks / kernel.launches:.0f}, or {_FORMULAS['units']}, if that is more"
    )
    found.give("outside", 1 - running * duration / period, source, estimate=len(kernel.groups) > 1)


def _from_att(found: GatheredFigures, att: AttFeatures, gpu: Gpu | None) -> None:
    """Thread traces are of a few SIMDs; they stand in where the whole GPU was not counted."""
    slots = att.issue_slots_used
    stand_ins = {
        "compute": max((slots.get("VALU"), slots.get("MFMA")), key=lambda share: share or -1.0),
        "issue": max((slots.get("SALU"), slots.get("branch")), key=lambda share: share or -1.0),
        "occupied": att.share_of_slots,
        "waiting": att.waiting_share,
    }
    if att.active_lanes_mean is not None and gpu is not None and gpu.wave_size:
        stand_ins["lanes"] = att.active_lanes_mean / gpu.wave_size
    for name, value in stand_ins.items():
        if value is not None and (
            name not in found.values or (name == "occupied" and name in found.estimates)
        ):
            found.ceilings.setdefault(name, "issue of the traced SIMDs")
            found.give(name, value, "thread trace of some SIMDs", estimate=True)
            found.depth = "att"


def _absent(formula: BusyFormula) -> str:
    return f"not collected: {' or '.join(formula.counters)}"


def _workgroups(kernel: KernelProfile) -> int:
    """Of a launch of the group that takes most time."""
    group = kernel.groups[0]
    return math.prod(
        math.ceil(work / max(1, size)) for work, size in zip(group.grid, group.block, strict=True)
    )


def _wave_slots(gpu: Gpu | None) -> int | None:
    if gpu is None or not gpu.cu_count or not gpu.simd_per_cu or not gpu.max_waves_per_simd:
        return None
    return gpu.cu_count * gpu.simd_per_cu * gpu.max_waves_per_simd


def _gui_clocks(gpu: Gpu, counters: dict[str, float]) -> float | None:
    """Of all launches, in the counter run. The counter is summed over the dies."""
    clocks = value_of(CLOCKS, counters)
    if not clocks or (gpu.xcd_count is None and gpu.architecture.startswith(("gfx94", "gfx95"))):
        return None
    return clocks / (gpu.xcd_count or 1)


def _clocks(kernel: KernelProfile, gpu: Gpu, counters: dict[str, float]) -> float | None:
    """Of all launches. The counter also has clocks around a kernel, the highest clock is not always reached:
    both can only be too high, so that the lower one is nearer."""
    counted = _gui_clocks(gpu, counters)
    timed = kernel.total_ms * 1e3 * gpu.clock_mhz if gpu.clock_mhz else None
    known = [clocks for clocks in (counted, timed) if clocks]
    return min(known) if known else None
