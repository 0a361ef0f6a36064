"""How many waves of a kernel fit on a compute unit, what limits them, and what one step more would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section

Limiter = Literal["vgpr", "sgpr", "lds", "waves", "barriers", "workgroup"]


@dataclass(frozen=True, kw_only=True)
class OccupancyStep:
    """The least change that lets more waves run."""

    __pydantic_config__ = STRICT

    resource: Limiter
    waves_per_simd: float
    theoretical: float
    change: str
    """In words: "8 VGPRs fewer: 5 waves per SIMD"."""
    needs: dict[str, int]
    """In numbers: the most that ``vgprs`` (of both kinds), ``sgprs`` and ``lds_bytes`` may be, or
    ``threads_per_block``."""


@dataclass(frozen=True, kw_only=True)
class Occupancy(Section):
    theoretical: float | None
    """Resident waves over wave slots, 0 to 1."""
    achieved: float | None
    """Mean resident waves over wave slots while the kernel ran, from counters."""
    threads_per_block: int
    wave_size: int
    waves_per_simd: float | None
    """Mean over the SIMDs of a compute unit: workgroups are whole, so this need not be an integer."""
    max_waves_per_simd: int | None
    workgroups_per_cu: int | None
    """Per ``unit``."""
    unit: Literal["CU", "WGP"]
    """What a workgroup is placed on: a compute unit, or a pair (RDNA, unless compiled for CU mode)."""
    limiter: Limiter | None
    """What stops the next workgroup; ``waves`` when all slots are taken; ``workgroup`` when whole workgroups
    lose more waves than any resource does."""
    limits: dict[str, int]
    """Workgroups per ``unit`` that each resource alone would allow."""
    next_step: OccupancyStep | None
