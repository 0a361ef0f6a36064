"""The GPU a trace was taken on, as it describes itself."""

from __future__ import annotations

from dataclasses import dataclass

from rocm_perf_lab.contracts.section import Section


@dataclass(frozen=True, kw_only=True)
class Gpu(Section):
    name: str
    """Product name, for example AMD Instinct MI300X."""
    architecture: str
    """For example gfx942."""
    cu_count: int | None
    """Compute units that are active in this partition."""
    xcd_count: int | None
    """Accelerator complex dies in this partition."""
    simd_per_cu: int | None
    wave_size: int | None
    max_waves_per_simd: int | None
    lds_bytes_per_cu: int | None
    clock_mhz: float | None
    """Highest engine clock."""
