"""How far a floating-point value may lie from the expected one: given, or learned from runs of the original.

Learned: the spread d of each element over the runs is a point at its magnitude |v|. The tolerance is the line
``atol + rtol * |v|`` that lies above all these points and is lowest at their mean magnitude, times a margin.
Where sums cancel, spread does not grow with the result and the line comes out flat; where they do not, steep.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Few runs show less than the whole spread. Chosen.
MARGIN = 2.0
# Magnitudes are kept in bins of an eighth of an octave: the line is at most a tenth too steep by that.
BINS_PER_OCTAVE = 8
MOST_NAMES = 12  # in a message


@dataclass(frozen=True)
class Tolerance:
    rtol: float = 0.0
    atol: float = 0.0

    @property
    def exact(self) -> bool:
        """Nothing may differ, in no byte."""
        return self.rtol == 0 and self.atol == 0

    def allows(self, expected: NDArray[Any], got: NDArray[Any]) -> NDArray[Any]:
        """Where ``got`` is as good as ``expected``: NaN stands for NaN, an infinity for the same infinity."""
        import numpy as np

        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(got - expected) <= self.atol + self.rtol * np.abs(expected)
        finite = np.isfinite(expected) & np.isfinite(got)
        same: NDArray[Any] = (near & finite) | (expected == got) | (np.isnan(expected) & np.isnan(got))
        return same


@dataclass(frozen=True)
class ToleranceRequest:
    """What the user allows: for all arguments, and for some by their names or the type of their elements."""

    everywhere: Tolerance | None = None
    by_name: Mapping[str, Tolerance] = field(default_factory=dict)

    def of(self, names: Sequence[str]) -> Tolerance | None:
        """Of a buffer that goes by these names, of which the first counts most."""
        return next((self.by_name[name] for name in names if name in self.by_name), self.everywhere)

    def check(self, known: Sequence[str]) -> None:
        """Refuses names that nothing has: what they allow would silently not be allowed."""
        for name in self.by_name:
            if name not in known:
                raise UsageProblem(
                    f"--tolerance: no argument is called {name!r}, and none has elements of that type",
                    f"one of: {', '.join(known[:MOST_NAMES])}" if known else "no argument points at memory",
                )


def parse_tolerances(rtol: float | None, atol: float | None, per_argument: Sequence[str]) -> ToleranceRequest:
    """From ``--rtol``, ``--atol`` and each ``--tolerance NAME=rtol,atol``."""
    by_name: dict[str, Tolerance] = {}
    for text in per_argument:
        name, equals, values = text.partition("=")
        parts = values.split(",") if equals else []
        try:
            relative, absolute = (float(part) for part in parts)
        except ValueError:
            raise UsageProblem(
                f"--tolerance {text!r} is not NAME=rtol,atol", "for example --tolerance out=1e-5,1e-8"
            ) from None
        by_name[name.strip()] = _checked(relative, absolute, f"--tolerance {text!r}")
    everywhere = None
    if rtol is not None or atol is not None:
        everywhere = _checked(rtol or 0.0, atol or 0.0, "--rtol and --atol")
    return ToleranceRequest(everywhere, by_name)


def _checked(rtol: float, atol: float, what: str) -> Tolerance:
    if not (rtol >= 0 and atol >= 0 and math.isfinite(rtol) and math.isfinite(atol)):
        raise UsageProblem(f"{what}: tolerances are numbers from 0 up", "for example 1e-5")
    return Tolerance(rtol, atol)


@dataclass
class SpreadLine:
    """Points of magnitude and spread, added block by block, and the line above them."""

    largest: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Bin -> the smallest magnitude in it, and the largest spread."""
    magnitudes: float = 0.0
    squares: float = 0.0
    points: int = 0

    def add(self, magnitude: NDArray[Any], spread: NDArray[Any]) -> None:
        import numpy as np

        if not len(magnitude):
            return
        self.points += len(magnitude)
        self.magnitudes += float(magnitude.sum())
        with np.errstate(over="ignore"):
            self.squares += float(np.square(magnitude).sum())
        with np.errstate(divide="ignore"):
            bins = np.where(magnitude > 0, np.floor(np.log2(magnitude) * BINS_PER_OCTAVE), -1e6).astype(
                np.int64
            )
        for one in np.unique(bins):
            inside = bins == one
            low, high = float(magnitude[inside].min()), float(spread[inside].max())
            before = self.largest.get(int(one), (low, high))
            self.largest[int(one)] = (min(low, before[0]), max(high, before[1]))

    @property
    def root_mean_square(self) -> float:
        return math.sqrt(self.squares / self.points) if self.points else 0.0

    def line(self) -> Tolerance:
        """The line itself, without a margin."""
        corners = sorted(self.largest.values())
        if not corners:
            return Tolerance()
        mean = self.magnitudes / self.points
        candidates = [(max(spread for _, spread in corners), 0.0)]
        if corners[0][0] > 0:
            candidates.append((0.0, max(spread / magnitude for magnitude, spread in corners)))
        hull = _upper_hull(corners)
        for (x0, d0), (x1, d1) in itertools.pairwise(hull):
            slope = (d1 - d0) / (x1 - x0)
            start = d0 - slope * x0
            if slope >= 0 and start >= 0:
                candidates.append((start, slope))
        atol, rtol = min(candidates, key=lambda one: one[0] + one[1] * mean)
        return Tolerance(rtol, atol)

    def learned(self) -> Tolerance:
        line = self.line()
        return Tolerance(MARGIN * line.rtol, MARGIN * line.atol)


def _upper_hull(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Of points sorted by x: the corners that see the sky."""
    hull: list[tuple[float, float]] = []
    for x, d in points:
        if hull and hull[-1][0] == x:
            if d <= hull[-1][1]:
                continue
            hull.pop()
        while len(hull) >= 2:
            (x0, d0), (x1, d1) = hull[-2:]
            if (d1 - d0) * (x - x0) > (d - d0) * (x1 - x0):
                break
            hull.pop()
        hull.append((x, d))
    return hull
