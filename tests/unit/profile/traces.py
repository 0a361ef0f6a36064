"""Traces made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from rocm_perf_lab.contracts.profile import Setting
from rocm_perf_lab.rocpd.rows import Agent, KernelResources, Launches, LaunchKey, Trace

MI300X = Agent(
    index=1,
    name="gfx942",
    product_name="AMD Instinct MI300X",
    cu_count=304,
    xcd_count=8,
    simd_per_cu=4,
    wave_size=64,
    max_waves_per_simd=8,
    max_waves_per_cu=32,
    lds_bytes=65536,
    clock_mhz=2100.0,
    virtual=False,
)
RESOURCES = KernelResources(arch_vgprs=96, accum_vgprs=0, sgprs=32, lds_static_bytes=512, scratch_bytes=0)
SETTING = Setting(
    command=("./app",), working_directory=None, started=None, host={}, tools={}, prefix=None, gpu_state={}
)


def launches(
    kernel: str, *durations: int, grid: int = 1024, lds: int = 512, agent: int = 1, **counters: float
) -> Launches:
    """Launches of these durations in ns."""
    ordered = sorted(durations)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    return Launches(
        key=LaunchKey(kernel, agent, (grid, 1, 1), (256, 1, 1), lds, 0),
        resources=RESOURCES,
        count=len(durations),
        total_ns=sum(durations),
        min_ns=min(durations),
        max_ns=max(durations),
        median_ns=median,
        counters=counters,
    )


def trace(*groups: Launches, agents: Sequence[Agent] = (MI300X,)) -> Trace:
    return Trace(
        sources=("a.db",),
        agents=tuple(agents),
        processes=(),
        launches=groups,
        begin_ns=0,
        end_ns=sum(group.total_ns for group in groups),
    )
