"""roofline.json: the ceilings of a device and every kernel's place under them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.roofline import Ceiling, FlopModel, Roofline
from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class KernelRoofline:
    __pydantic_config__ = STRICT

    name: str
    launches: int
    total_ms: float
    roofline: Roofline | None
    reason: str | None
    """Why roofline is null."""


@dataclass(frozen=True, kw_only=True)
class RooflineDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    gpu: Gpu | None
    flop_model: FlopModel
    ceilings: tuple[Ceiling, ...]
    kernels: tuple[KernelRoofline, ...]
    """Empty where only the ceilings were asked for."""
    notes: tuple[str, ...] = ()
