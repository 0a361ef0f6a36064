"""Scores of all labels, from 0 to 1, continuous in every figure; the highest one names the kernel.

A unit's pressure is 0 when idle, one half at its threshold and 1 when used up. The slack is 1 less the
highest pressure: a kernel whose busiest unit is just at its threshold is as much bound by it as by nothing.
The slack goes to the labels that say why no unit is used up; the pressure of the vector units is parted
between lanes that work and lanes that do not.
"""

from __future__ import annotations

from collections.abc import Mapping

from rocm_perf_lab.contracts.profiling.bottleneck import Label

from .figures import UNITS
from .thresholds import Thresholds

Scores = dict[Label, float]


def scores(known: Mapping[str, float], at: Thresholds) -> Scores:
    """``known``: the figures there are. Labels whose figures are missing have no score."""
    pressures = {name: _pressure(known[name], getattr(at, name)) for name in UNITS if name in known}
    found: Scores = {}
    if "memory" in pressures:
        found["memory-bandwidth bound"] = pressures["memory"]
    if "compute" in pressures:
        lanes = known.get("lanes")
        working = 1.0 if lanes is None else _above(lanes, at.lanes)
        found["compute-throughput limited"] = pressures["compute"] * working
        if lanes is not None:
            found["divergence limited"] = pressures["compute"] * _below(lanes, at.lanes)
    if "lds" in pressures:
        found["LDS bound"] = pressures["lds"]
    if "issue" in pressures:
        found["instruction-issue bound"] = pressures["issue"]
    _share_slack(found, known, 1 - max(pressures.values(), default=0.0), at)
    if "memory" not in pressures and "compute" not in pressures:
        found["unknown"] = max(found["unknown"], at.unknown)
    return found


def _share_slack(found: Scores, known: Mapping[str, float], slack: float, at: Thresholds) -> None:
    """No unit is used up, because: no wave ran; few waves ran; those that ran waited; or none of these."""
    outside, occupied, waiting = known.get("outside"), known.get("occupied"), known.get("waiting")
    if outside is not None:
        found["launch bound"] = slack * _above(outside, at.outside)
        slack *= _below(outside, at.outside)
    if occupied is not None:
        found["under-occupied"] = slack * _below(occupied, at.occupied)
        slack *= _above(occupied, at.occupied)
    if waiting is not None:
        found["latency bound"] = slack * _above(waiting, at.waiting)
        slack *= _below(waiting, at.waiting)
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
