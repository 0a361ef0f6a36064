"""What the user asked of ``rocm-perf profile``, and of the roofline."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class RooflineRequest:
    flop_model: Literal["typed", "valu-width"] = "typed"
    memory_bandwidth_gbps: float | None = None
    clock_mhz: float | None = None


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
