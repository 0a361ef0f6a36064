"""What the user asked of ``rocm-perf profile``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rocm_perf_lab.profiling.documents.roofline_request import RooflineRequest


@dataclass(frozen=True, kw_only=True)
class ProfileRequest:
    command: tuple[str, ...]
    runs: int = 3
    warmup: int = 0
    counters: bool = False
    """Counter passes for the roofline and achieved occupancy."""
    roofline: RooflineRequest = field(default_factory=RooflineRequest)
    focus_critical: bool = False
    """A pass with the host's calls, for the critical path."""
    deep_analysis: bool = False
    """Passes that trace the waves of the kernel that matters."""
    kernel_filter: str | None = None
    out: Path | None = None
    device: str | None = None
    timeout_s: float | None = None
    debug: bool = False
    quiet: bool = False
    """Only the time is wanted, and soon."""
