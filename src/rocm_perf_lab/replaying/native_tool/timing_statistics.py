"""Figures of GPU times of iterations, in microseconds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TimeFigures:
    average: float
    median: float
    min: float
    max: float
    spread: float
    """Sample standard deviation; 0 of a single iteration."""


def figures(microseconds: Sequence[float]) -> TimeFigures:
    return TimeFigures(
        average=math.fsum(microseconds) / len(microseconds),
        median=statistics.median(microseconds),
        min=min(microseconds),
        max=max(microseconds),
        spread=statistics.stdev(microseconds) if len(microseconds) > 1 else 0.0,
    )
