"""Figures held against their thresholds: what the tests of labels are made of, continuous in all figures.

A unit's pressure is 0 when idle, one half at its threshold and 1 when used up. The slack is 1 less the
highest pressure: a kernel whose busiest unit is just at its threshold is as much bound by it as by nothing.
The slack goes to the labels that say why no unit is used up: no wave ran; few waves ran; those that ran
waited; or none of these.
"""

from __future__ import annotations

from collections.abc import Mapping

from .figures import UNITS
from .thresholds import Thresholds


class HeldFigures:
    def __init__(self, known: Mapping[str, float], at: Thresholds) -> None:
        """``known``: the figures there are."""
        self.known = known
        self.at = at
        self.pressures = {name: _pressure(known[name], getattr(at, name)) for name in UNITS if name in known}
        self.slack = 1 - max(self.pressures.values(), default=0.0)
        self.slack_while_waves_run = self.slack * self.below("outside")
        self.slack_with_waves_enough = self.slack_while_waves_run * self.above("occupied")

    def above(self, name: str) -> float:
        """1 from the threshold on, less below it; 1 where the figure is not known."""
        if name not in self.known:
            return 1.0
        return min(1.0, self.known[name] / float(getattr(self.at, name)))

    def below(self, name: str) -> float:
        """1 up to the threshold, less above it; 1 where the figure is not known."""
        if name not in self.known:
            return 1.0
        return min(1.0, (1 - self.known[name]) / (1 - float(getattr(self.at, name))))


def _pressure(share: float, threshold: float) -> float:
    if share <= threshold:
        return 0.5 * share / threshold
    return 0.5 + 0.5 * (share - threshold) / (1 - threshold)
