"""Occupancy that a kernel really had, from counters."""

from __future__ import annotations

from collections.abc import Mapping

from rocm_perf_lab.arch.device import device
from rocm_perf_lab.rocpd.rows import Agent

# Wave-cycles (SQ_WAVE_CYCLES counts them in steps of four clocks) over the clocks in which the GPU worked and
# the wave slots it has. Sources: AMD's descriptions of SQ_WAVE_CYCLES ("quad-cycles") and of the derived
# counter OccupancyPercent; GRBM_GUI_ACTIVE is counted on each XCD and summed.
COUNTERS = ("SQ_WAVE_CYCLES", "GRBM_GUI_ACTIVE")
CLOCKS_PER_STEP = 4
_SEVERAL_DIES = ("CDNA3", "CDNA4")


def achieved_occupancy(counters: Mapping[str, float], agent: Agent) -> tuple[float | None, str]:
    """Mean share of wave slots that were taken while the kernel ran; or None, and why."""
    missing = [name for name in COUNTERS if name not in counters]
    if missing:
        return None, f"{' and '.join(missing)} not collected (--roofline collects what the device offers)"
    limits = device(agent.name)
    if limits is not None and limits.pairs_of_units:
        return None, f"what SQ_WAVE_CYCLES counts in on {agent.name} is not published"
    if agent.xcd_count is None and limits is not None and limits.generation in _SEVERAL_DIES:
        return None, "the trace does not say on how many dies GRBM_GUI_ACTIVE was counted"
    slots = _wave_slots(agent)
    if slots is None:
        return None, "the trace does not say how many waves the GPU can hold"
    clocks = counters["GRBM_GUI_ACTIVE"] / (agent.xcd_count or 1)
    if clocks <= 0:
        return None, "GRBM_GUI_ACTIVE counted no clocks"
    share = CLOCKS_PER_STEP * counters["SQ_WAVE_CYCLES"] / (clocks * slots)
    if share > 1:
        return None, f"the counters give {share:.2f}, which is more than all wave slots"
    return share, ""


def _wave_slots(agent: Agent) -> int | None:
    if agent.cu_count is None:
        return None
    if agent.max_waves_per_cu is not None:
        return agent.cu_count * agent.max_waves_per_cu
    if agent.max_waves_per_simd is not None and agent.simd_per_cu is not None:
        return agent.cu_count * agent.simd_per_cu * agent.max_waves_per_simd
    return None
