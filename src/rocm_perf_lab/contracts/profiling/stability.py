"""How much repeated measurements of one thing scatter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import Section

Class = Literal["stable", "moderate", "unstable"]


@dataclass(frozen=True, kw_only=True)
class Stability(Section):
    runs: int
    samples_ms: tuple[float, ...]
    """One figure per run, in order; none is dropped."""
    mean_ms: float
    median_ms: float
    min_ms: float
    max_ms: float
    stddev_ms: float | None
    """Sample standard deviation (n - 1)."""
    cv: float | None
    """stddev / mean."""
    mad_ms: float | None
    """Median absolute deviation from the median."""
    interval_low_ms: float | None
    interval_high_ms: float | None
    """Bootstrap interval of the mean at ``interval_level``."""
    interval_level: float
    classification: Class | None
    """cv <= 0.05 stable, <= 0.10 moderate, above that unstable."""
    outliers: tuple[int, ...]
    """Indices of runs far from the median (shown, not dropped)."""
    advice: tuple[str, ...]
