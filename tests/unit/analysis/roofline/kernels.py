"""Kernels for tests of the roofline: an MI300X, and launches with the counters one wants."""

from __future__ import annotations

from dataclasses import replace

from rocm_perf_lab.analysis.roofline import TimedLaunches, ceilings, roofline, wanted_counters
from rocm_perf_lab.arch.device import peaks
from rocm_perf_lab.contracts.profiling.roofline import Ceiling, FlopModel, Roofline
from rocm_perf_lab.rocpd.rows import Agent, KernelResources, Launches, LaunchKey

MI300X = Agent(
    index=0,
    name="gfx942",
    product_name="AMD Instinct MI300X",
    cu_count=304,
    xcd_count=8,
    simd_per_cu=4,
    wave_size=64,
    clock_mhz=2100.0,
)
ROOFS = ceilings(MI300X, peaks("gfx942", "AMD Instinct MI300X"))

# c[i] = a[i] of 1048576 doubles in workgroups of 256, one launch, as an MI300X counted it.
COPY = {
    "SQ_INSTS_VALU": 98304.0,
    "TCP_TOTAL_CACHE_ACCESSES_sum": 524288.0,
    "TCP_TCC_READ_REQ_sum": 65536.0,
    "TCP_TCC_WRITE_REQ_sum": 131072.0,
    "TCC_BUBBLE_sum": 65536.0,
    "TCC_EA0_RDREQ_sum": 65704.0,
    "TCC_EA0_RDREQ_32B_sum": 0.0,
    "TCC_EA0_WRREQ_sum": 131072.0,
    "TCC_EA0_WRREQ_64B_sum": 131072.0,
    "TCC_REQ_sum": 199664.0,
}
COPY_NS = 6730.0


def all_counters(**values: float) -> dict[str, float]:
    """All counters that are wanted: those of the copy, the given ones, and zero for the rest."""
    return {**dict.fromkeys(wanted_counters("gfx942"), 0.0), **COPY, **values}


def launches(counters: dict[str, float], count: int = 1, grid: int = 1048576) -> Launches:
    key = LaunchKey("kernel", 0, (grid, 1, 1), (256, 1, 1), 0, 0)
    resources = KernelResources(4, 4, 16, 0, 0)
    return Launches(key, resources, count, 1000 * count, 1000, 1000, None, counters)


def place(
    counters: dict[str, float],
    *,
    ns: float = COPY_NS,
    count: int = 1,
    agent: Agent = MI300X,
    roofs: tuple[Ceiling, ...] = ROOFS,
    flop_model: FlopModel = "typed",
) -> Roofline:
    result = roofline(
        [[launches(counters, count)]],
        TimedLaunches(ns, count),
        agent,
        roofs,
        flop_model=flop_model,
        origin="measured",
    )
    assert isinstance(result, Roofline), result
    return result


def partition(dies: int) -> Agent:
    return replace(MI300X, cu_count=38 * dies, xcd_count=dies)
