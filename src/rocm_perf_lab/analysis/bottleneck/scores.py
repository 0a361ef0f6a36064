"""Scores of all labels, from 0 to 1, continuous in every figure; the highest one names the kernel.

A unit's pressure is 0 when idle, one half at its threshold and 1 when used up. The slack is 1 less the
highest pressure: a kernel whose busiest unit is just at its threshold is as much bound by it as by nothing.
The slack goes to the labels that say why no unit is used up; the pressure of the vector units is parted
between lanes that work and lanes that do not.
"""

from __future__ import annotations

from rocm_perf_lab.contracts.bottleneck import Label

from .figures import UNITS, Figures
from .thresholds import Thresholds

Scores = dict[Label, float]


def scores(figures: Figures, at: Thresholds) -> Scores:
    """Labels whose figures are missing have no score."""
    pressures = {
        name: _pressure(value, getattr(at, name))
        for name in UNITS
        if (value := getattr(figures, name)) is not None
    }
    found: Scores = {}
    if "memory" in pressures:
        found["memory-bandwidth bound"] = pressures["memory"]
    if "compute" in pressures:
        working = 1.0 if figures.lanes is None else _above(figures.lanes, at.lanes)
        found["compute-throughput limited"] = pressures["compute"] * working
        if figures.lanes is not None:
            found["divergence limited"] = pressures["compute"] * _below(figures.lanes, at.lanes)
    if "lds" in pressures:
        found["LDS bound"] = pressures["lds"]
    if "issue" in pressures:
        found["instruction-issue bound"] = pressures["issue"]
    _share_slack(found, figures, 1 - max(pressures.values(), default=0.0), at)
    if "memory" not in pressures and "compute" not in pressures:
        found["unknown"] = max(found["unknown"], at.unknown)
    return found


def _share_slack(found: Scores, figures: Figures, slack: float, at: Thresholds) -> None:
    """No unit is used up, because: no wave ran; few waves ran; those that ran waited; or none of these."""
    if figures.outside is not None:
        found["launch bound"] = slack * _above(figures.outside, at.outside)
        slack *= _below(figures.outside, at.outside)
    if figures.occupied is not None:
        found["under-occupied"] = slack * _below(figures.occupied, at.occupied)
        slack *= _above(figures.occupied, at.occupied)
    if figures.waiting is not None:
        found["latency bound"] = slack * _above(figures.waiting, at.waiting)
        slack *= _below(figures.waiting, at.waiting)
    found["unknown"] = slack


def _pressure(share: float, threshold: float) -> float:
    if share <= threshold:
        return 0.5 * share / threshold
    return 0.5 + 0.5 * (share - threshold) / (1 - threshold)


def _above(share: float, threshold: float) -> float:
    """1 from the threshold on, less below it."""
    return min(1.0, share / threshold)


def _below(share: float, threshold: float) -> float:
    """1 up to the threshold, less above it."""
    return min(1.0, (1 - share) / (1 - threshold))
