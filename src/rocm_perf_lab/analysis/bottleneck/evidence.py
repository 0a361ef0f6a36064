"""The figures that speak for a label, each held against its threshold, in words."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.profiling.bottleneck import Evidence, Label

from .figures import BottleneckShares
from .labels import RULES
from .thresholds import Thresholds

_WORDS = {
    "memory": "of the nearest memory ceiling is used",
    "compute": "of the SIMDs' time vector or matrix units work",
    "lanes": "of the lanes are active in vector instructions",
    "lds": "of the time the LDS is taken",
    "issue": "of the scalar or branch issue slots are used",
    "occupied": "of the wave slots are taken",
    "waiting": "of their time waves wait",
    "outside": "of the time of a launch no wave runs",
}


def evidence(label: Label, figures: BottleneckShares, thresholds: Thresholds) -> tuple[Evidence, ...]:
    return tuple(_of(RULES[label].evidence, figures.known, thresholds))


def _of(names: tuple[str, ...], known: dict[str, float], thresholds: Thresholds) -> Iterator[Evidence]:
    for name in names:
        if name not in known:
            continue
        value, threshold = known[name], getattr(thresholds, name)
        reached = value >= threshold
        side = "at or above" if reached else "below"
        yield Evidence(
            figure=name,
            value=value,
            comparison="at least" if reached else "below",
            threshold=threshold,
            statement=f"{value:.1%} {_WORDS[name]}, {side} {threshold:.0%}",
        )
