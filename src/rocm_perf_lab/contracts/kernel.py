"""One kernel of a profile: its launches, time, resources, occupancy and place under the roofline."""

from __future__ import annotations

from dataclasses import dataclass

from rocm_perf_lab.contracts.occupancy import Occupancy
from rocm_perf_lab.contracts.resources import Resources
from rocm_perf_lab.contracts.roofline import Roofline
from rocm_perf_lab.contracts.section import Section
from rocm_perf_lab.contracts.stability import Stability


@dataclass(frozen=True, kw_only=True)
class LaunchGroup(Section):
    """The launches of one kernel that share geometry and dynamic resources."""

    grid: tuple[int, int, int]
    """In work-items."""
    block: tuple[int, int, int]
    lds_bytes: int | None
    """Static and dynamic, per workgroup."""
    launches: int
    """Per run, mean over runs."""
    total_ms: float
    mean_ms: float
    min_ms: float
    max_ms: float
    occupancy: Occupancy | None
    roofline: Roofline | None


@dataclass(frozen=True, kw_only=True)
class KernelProfile(Section):
    name: str
    """Demangled, as in the trace."""
    launches: int
    """In one run (the mean, where runs differ)."""
    total_ms: float
    """Of one run: mean over the runs of the sum of end - start."""
    share: float
    """Of the GPU time of all kernels, 0 to 1."""
    mean_ms: float
    median_ms: float | None
    min_ms: float
    max_ms: float
    stability: Stability
    resources: Resources
    occupancy: Occupancy | None
    roofline: Roofline | None
    groups: tuple[LaunchGroup, ...]
