"""The GPUs of a trace as documents describe them."""

from __future__ import annotations

from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.rocpd.rows import Agent

_NOT_IN_TRACE = "the trace does not say"


def describe(agent: Agent) -> Gpu:
    said = {
        "cu_count": agent.cu_count,
        "xcd_count": agent.xcd_count,
        "simd_per_cu": agent.simd_per_cu,
        "wave_size": agent.wave_size,
        "max_waves_per_simd": agent.max_waves_per_simd,
        "lds_bytes_per_cu": agent.lds_bytes,
    }
    missing = {name: _NOT_IN_TRACE for name, value in said.items() if value is None}
    if agent.clock_mhz is None:
        missing["clock_mhz"] = _NOT_IN_TRACE
    return Gpu(
        origin="spec",
        missing=missing,
        name=agent.product_name,
        architecture=agent.name,
        clock_mhz=agent.clock_mhz,
        **said,
    )
