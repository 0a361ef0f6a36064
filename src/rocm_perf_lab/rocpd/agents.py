"""A GPU from the properties that rocprofiler-sdk gives, whichever file they were found in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocm_perf_lab.rocpd.rows import Agent

# rocprofiler-sdk fills these for every GPU; the virtual ROCm leaves them out, or zero in tables.
_ONLY_OF_HARDWARE = ("size", "capability")


def agent(index: int, name: str | None, product: str | None, properties: Mapping[str, Any]) -> Agent:
    """Properties are by rocprofiler-sdk's names (rocprofiler_agent_t). Zero means: not known."""

    def number(key: str) -> int | None:
        value = properties.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None

    lds_kib, clock = number("lds_size_in_kb"), number("max_engine_clk_fcompute")
    return Agent(
        index=index,
        name=name or "unknown",
        product_name=product or "",
        cu_count=number("cu_count"),
        xcd_count=number("num_xcc"),
        simd_per_cu=number("simd_per_cu"),
        wave_size=number("wave_front_size"),
        max_waves_per_simd=number("max_waves_per_simd"),
        max_waves_per_cu=number("max_waves_per_cu"),
        lds_bytes=None if lds_kib is None else lds_kib * 1024,
        clock_mhz=None if clock is None else float(clock),
        virtual=_is_virtual(properties),
    )


def _is_virtual(properties: Mapping[str, Any]) -> bool | None:
    if properties.get("virtual"):
        return True
    return False if any(properties.get(key) for key in _ONLY_OF_HARDWARE) else None
