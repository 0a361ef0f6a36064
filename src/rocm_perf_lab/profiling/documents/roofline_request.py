"""What the user said of the roofline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class RooflineRequest:
    flop_model: Literal["typed", "valu-width"] = "typed"
    memory_bandwidth_gbps: float | None = None
    clock_mhz: float | None = None
