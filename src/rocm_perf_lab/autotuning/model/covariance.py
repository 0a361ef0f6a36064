"""How alike two configurations are expected to be: terms of a covariance, with the gradients that fitting
needs.

Each term has its own logarithmic parameters, with a log-normal prior (``centre``, ``width``). ``slopes``
takes the derivative of an objective by the entries of the covariance and returns it by the term's parameters;
sums over pairs of rows are written as products of matrices, so that a step of the fit costs n² operations for
each parameter and no array of pairs by parameters is ever made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.autotuning.model.encoding import Encoding, Floats, Points

SQRT5 = float(np.sqrt(5.0))
# Usual length of what a product or a ratio does, of its reach. Chosen.
NEAR = 0.35


class Term(Protocol):
    @property
    def centre(self) -> Floats: ...

    @property
    def width(self) -> Floats: ...

    def between(self, theta: Floats, left: Points, right: Points) -> Floats: ...

    def at_itself(self, theta: Floats) -> float:
        """The covariance of a point with itself."""
        ...

    def slopes(self, theta: Floats, points: Points, by_entry: Floats) -> Floats: ...


def _squared_distances(left: Floats, right: Floats) -> Floats:
    squared = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)[None, :] - 2.0 * (left @ right.T)
    return np.asarray(np.maximum(squared, 0.0, out=squared))


def matern(squared: Floats) -> Floats:
    """Matérn 5/2 of squared distances in units of the length."""
    root = SQRT5 * np.sqrt(squared)
    return (1.0 + root + (5.0 / 3.0) * squared) * np.exp(-root)


def _matern_slope(squared: Floats) -> Floats:
    """Its derivative by the logarithm of the length, divided by the squared distance."""
    root = SQRT5 * np.sqrt(squared)
    return (5.0 / 3.0) * (1.0 + root) * np.exp(-root)


@dataclass(frozen=True)
class Smooth:
    """Near on all scales is alike: Matérn 5/2 with one length per scale. Parameters: variance, lengths."""

    groups: npt.NDArray[np.intp]
    centre: Floats
    width: Floats

    def _placed(self, theta: Floats, points: Points) -> Floats:
        return points.places / np.exp(theta[1:])[self.groups]

    def between(self, theta: Floats, left: Points, right: Points) -> Floats:
        squared = _squared_distances(self._placed(theta, left), self._placed(theta, right))
        return np.asarray(np.exp(theta[0]) * matern(squared))

    def at_itself(self, theta: Floats) -> float:
        return float(np.exp(theta[0]))

    def slopes(self, theta: Floats, points: Points, by_entry: Floats) -> Floats:
        placed = self._placed(theta, points)
        squared = _squared_distances(placed, placed)
        variance = np.exp(theta[0])
        weight = by_entry * (variance * _matern_slope(squared))
        by_scale = 2.0 * (
            (placed**2 * weight.sum(axis=1)[:, None]).sum(axis=0) - (placed * (weight @ placed)).sum(axis=0)
        )
        by_variance = float((by_entry * (variance * matern(squared))).sum())
        return np.concatenate(
            [[by_variance], np.bincount(self.groups, weights=by_scale, minlength=len(theta) - 1)]
        )


@dataclass(frozen=True)
class OfFigures(Smooth):
    """Compiled to something alike is alike: the same over what code objects tell.

    Figures that are only expected say less of a configuration: its covariance with others is less by how far
    they are to be believed, while what is not known of it stays as large.
    """

    def _placed(self, theta: Floats, points: Points) -> Floats:
        return points.figures / np.exp(theta[1:])[self.groups]

    def between(self, theta: Floats, left: Points, right: Points) -> Floats:
        return super().between(theta, left, right) * np.outer(left.trust, right.trust)

    def slopes(self, theta: Floats, points: Points, by_entry: Floats) -> Floats:
        return super().slopes(theta, points, by_entry * np.outer(points.trust, points.trust))


@dataclass(frozen=True)
class LevelAgreement:
    """Alike where levels are the same, whatever their distance: exp(-sum of weights of parameters that
    differ). Parameters: variance, weights."""

    owner: npt.NDArray[np.intp]
    centre: Floats
    width: Floats

    def between(self, theta: Floats, left: Points, right: Points) -> Floats:
        weights = np.exp(theta[1:])
        agreed = (left.hot * weights[self.owner]) @ right.hot.T
        return np.asarray(np.exp(theta[0] - weights.sum() + agreed))

    def at_itself(self, theta: Floats) -> float:
        return float(np.exp(theta[0]))

    def slopes(self, theta: Floats, points: Points, by_entry: Floats) -> Floats:
        weight = by_entry * self.between(theta, points, points)
        total = float(weight.sum())
        same_level = (points.hot * (weight @ points.hot)).sum(axis=0)
        same = np.bincount(self.owner, weights=same_level, minlength=len(theta) - 1)
        return np.concatenate([[total], -np.exp(theta[1:]) * (total - same)])


@dataclass(frozen=True)
class Additive:
    """What each parameter adds by itself: a sum of one-dimensional Matérn terms. Parameters: variances,
    lengths."""

    owner: npt.NDArray[np.intp]
    distance: Floats
    centre: Floats
    width: Floats

    def _tables(self, theta: Floats) -> tuple[Floats, Floats]:
        """Covariance of levels, and squared distances in units of their lengths."""
        count = len(theta) // 2
        squared = self.distance / np.exp(2.0 * theta[count:])[self.owner][:, None]
        inside = np.isfinite(squared)
        squared = np.where(inside, squared, 0.0)
        return np.where(inside, np.exp(theta[:count])[self.owner][:, None] * matern(squared), 0.0), squared

    def between(self, theta: Floats, left: Points, right: Points) -> Floats:
        return np.asarray(left.hot @ (self._tables(theta)[0] @ right.hot.T))

    def at_itself(self, theta: Floats) -> float:
        return float(np.exp(theta[: len(theta) // 2]).sum())

    def slopes(self, theta: Floats, points: Points, by_entry: Floats) -> Floats:
        count = len(theta) // 2
        table, squared = self._tables(theta)
        by_levels = points.hot.T @ (by_entry @ points.hot)
        by_variance = np.bincount(self.owner, weights=(by_levels * table).sum(axis=1), minlength=count)
        variance = np.where(np.isfinite(self.distance), np.exp(theta[:count])[self.owner][:, None], 0.0)
        by_length = np.bincount(
            self.owner,
            weights=(by_levels * variance * _matern_slope(squared) * squared).sum(axis=1),
            minlength=count,
        )
        return np.concatenate([by_variance, by_length])


@dataclass(frozen=True)
class Products:
    """What products and ratios of parameters add: a sum of one-dimensional Matérn terms, each along a
    combination of scales. Parameters: variances, lengths."""

    combinations: Floats
    """Scales by combinations."""
    centre: Floats
    width: Floats

    def _along(self, theta: Floats, left: Points, right: Points) -> Iterator[tuple[float, Floats]]:
        """Variance of each, and squared distances in units of its length."""
        count = len(theta) // 2
        scaled = self.combinations / np.exp(theta[count:])
        columns = zip((left.places @ scaled).T, (right.places @ scaled).T, strict=True)
        for variance, (one, other) in zip(np.exp(theta[:count]), columns, strict=True):
            yield float(variance), (one[:, None] - other[None, :]) ** 2

    def between(self, theta: Floats, left: Points, right: Points) -> Floats:
        total = np.zeros((len(left), len(right)))
        for variance, squared in self._along(theta, left, right):
            total += variance * matern(squared)
        return total

    def at_itself(self, theta: Floats) -> float:
        return float(np.exp(theta[: len(theta) // 2]).sum())

    def slopes(self, theta: Floats, points: Points, by_entry: Floats) -> Floats:
        found = [
            (
                variance * float((by_entry * matern(squared)).sum()),
                variance * float((by_entry * _matern_slope(squared) * squared).sum()),
            )
            for variance, squared in self._along(theta, points, points)
        ]
        return np.asarray(np.array(found).T.ravel())


def smooth(encoding: Encoding) -> Smooth:
    groups = encoding.scale_groups
    count = int(groups.max(initial=-1)) + 1
    # Lengths grow with the number of scales, each of which then matters less (Hvarfner et al., Vanilla
    # Bayesian Optimization, 2024). The factor is fitted on spaces of many kinds.
    length = np.log(0.35) + 0.5 * np.log(max(1, count))
    return Smooth(groups, np.array([0.0, *[length] * count]), np.array([1.0, *[1.0] * count]))


def of_figures(count: int) -> OfFigures:
    length = np.log(0.35) + 0.5 * np.log(max(1, count))
    return OfFigures(
        np.arange(count), np.array([np.log(0.3), *[length] * count]), np.array([1.0, *[1.0] * count])
    )


def agreement(encoding: Encoding) -> LevelAgreement:
    owner = encoding.level_owner
    count = int(owner.max(initial=-1)) + 1
    return LevelAgreement(
        owner,
        np.array([np.log(0.3), *[np.log(1.0 / np.sqrt(max(1, count)))] * count]),
        np.array([1.0, *[1.0] * count]),
    )


def additive(encoding: Encoding) -> Additive:
    owner = encoding.level_owner
    count = int(owner.max(initial=-1)) + 1
    return Additive(
        owner,
        encoding.level_distance,
        np.array([*[np.log(0.5 / max(1, count))] * count, *[np.log(0.5)] * count]),
        np.array([*[1.0] * count, *[0.7] * count]),
    )


def products(combinations: Floats) -> Products:
    count = combinations.shape[1]
    return Products(
        combinations,
        np.array([*[np.log(0.3)] * count, *[np.log(NEAR)] * count]),
        np.array([*[1.0] * count, *[0.7] * count]),
    )
