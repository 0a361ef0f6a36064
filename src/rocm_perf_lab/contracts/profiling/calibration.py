"""A calibration: the ceilings that microkernels reached on one device, as stored for later profiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.contracts.section import Section


@dataclass(frozen=True, kw_only=True)
class CalibrationDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    gpu: Gpu
    ceilings: tuple[Ceiling, ...]
    not_measured: dict[str, str]
    """Ceiling -> why there is no measured one."""
    taken: str
    """ISO 8601, UTC."""
    tools: dict[str, str]
    """Name of a tool -> version."""
