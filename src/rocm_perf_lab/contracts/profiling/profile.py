"""profile.json: what a profiled command did on the GPU."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.contracts.profiling.roofline import Roofline
from rocm_perf_lab.contracts.profiling.stability import Stability
from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class KernelIdentity:
    """The kernel that takes most GPU time; all of them are in ``kernels``."""

    __pydantic_config__ = STRICT

    name: str
    launches: int
    total_ms: float
    share: float


@dataclass(frozen=True, kw_only=True)
class Pass:
    """One execution of the program under the tracer."""

    __pydantic_config__ = STRICT

    purpose: Literal["warm-up", "timing", "counters"]
    databases: tuple[str, ...]
    """Relative to the run folder."""
    counters: tuple[str, ...]
    exit_code: int | None
    gpu_time_ms: float | None
    wall_ms: float | None


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Where and with what a run was made."""

    __pydantic_config__ = STRICT

    command: tuple[str, ...]
    working_directory: str | None
    started: str | None
    """ISO 8601, UTC."""
    host: dict[str, str]
    tools: dict[str, str]
    prefix: str | None
    gpu_state: dict[str, str]
    """Clocks, power, temperature and partition mode, where the driver tells."""
    environment: dict[str, str] = field(default_factory=dict)
    """The variables that steer GPU runtimes (HIP_*, HSA_*, ROCR_*, …), the same in every pass."""
    kernel_filter: str | None = None
    """Regular expression of --kernel: only kernels whose name matches are in the document."""


@dataclass(frozen=True, kw_only=True)
class ProfileDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    kernel: KernelIdentity | None
    gpu: Gpu | None
    gpus: tuple[Gpu, ...]
    runtime_ms: float | None
    """Mean over the timing passes of the sum of end - start over all dispatches (of the chosen kernels)."""
    stability: Stability | None
    """Of runtime_ms over the timing passes."""
    resources: Resources | None
    """Of ``kernel``; likewise occupancy and roofline."""
    occupancy: Occupancy | None
    roofline: Roofline | None
    kernels: tuple[KernelProfile, ...]
    wall_ms: Stability | None
    """Of the process; with --no-rocprof the only figure."""
    passes: tuple[Pass, ...]
    setting: Setting
    dropped_counters: dict[str, str] = field(default_factory=dict)
    """Counters that were wanted and not collected: why."""
    unfinished: tuple[str, ...] = ()
    """Of a run that did not come to its end: why, and what is missing. Empty where all is there."""
    warnings: tuple[str, ...]
