"""One kernel of a profile: its launches, time, resources, occupancy and place under the roofline."""

from __future__ import annotations

from dataclasses import dataclass

from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.contracts.profiling.roofline import Roofline
from rocm_perf_lab.contracts.profiling.stability import Stability
from rocm_perf_lab.contracts.section import Section


@dataclass(frozen=True, kw_only=True)
class LaunchGroup(Section):
    """The launches of one kernel that share a GPU, geometry and dynamic resources."""

    gpu: int
    """Which of the document's ``gpus``."""
    grid: tuple[int, int, int]
    """In work-items."""
    block: tuple[int, int, int]
    lds_bytes: int | None
    """Static and dynamic, per workgroup."""
    launches: int
    """In one run (the mean, where runs differ)."""
    total_ms: float
    """Of one run, as for the kernel."""
    mean_ms: float
    """Of one launch, over all runs."""
    median_ms: float | None
    """The median over runs of each run's median launch."""
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
    """Of one launch, over all runs."""
    median_ms: float | None
    """As in its launch group; null where launches differ in geometry and a median would mix them."""
    min_ms: float
    max_ms: float
    stability: Stability
    """Of the kernel's total time per run."""
    resources: Resources
    """Of the launch group that takes most time; likewise occupancy."""
    occupancy: Occupancy | None
    roofline: Roofline | None
    """Of all launches together."""
    groups: tuple[LaunchGroup, ...]
    """By time, longest first."""
