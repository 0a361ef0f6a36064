"""A Gaussian process over configurations: fitted by maximum a posteriori, with leave-one-out figures for
free."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from rocm_perf_lab.autotuning.model.covariance import Term
from rocm_perf_lab.autotuning.model.encoding import Floats, Points

# Prior of the noise's variance, targets being standardised: a per cent of the scatter, give or take.
NOISE_CENTRE = float(np.log(1e-3))
NOISE_WIDTH = 1.5
# Parameters stay within so many widths of their prior: nothing beyond is believable.
WIDTHS = 4.0
JITTER = 1e-8
STEPS = 25


@dataclass(frozen=True)
class Fitted:
    """A process that has seen observations."""

    terms: tuple[Term, ...]
    theta: Floats
    points: Points
    targets: Floats
    factor: Floats
    """Lower Cholesky factor of the covariance of the observations."""

    @cached_property
    def whitened(self) -> Floats:
        return np.asarray(
            scipy.linalg.solve_triangular(self.factor, self.targets, lower=True, check_finite=False)
        )

    def covariance(self, candidates: Points, seen: Points) -> Floats:
        """Rows of ``seen`` by candidates."""
        return sum_of(self.terms, self.theta, seen, candidates)

    @property
    def variance(self) -> float:
        """Of one configuration about which nothing is known."""
        return sum(term.at_itself(part) for term, part in _parts(self.terms, self.theta))

    @property
    def noise(self) -> float:
        return float(np.exp(self.theta[-1])) + JITTER

    def predict(self, candidates: Points) -> tuple[Floats, Floats]:
        """Mean and variance of what candidates take, without the noise of measuring."""
        seen = scipy.linalg.solve_triangular(
            self.factor, self.covariance(candidates, self.points), lower=True, check_finite=False
        )
        variance = self.variance - (seen**2).sum(axis=0)
        return seen.T @ self.whitened, np.maximum(variance, 1e-12)

    def left_out(self) -> tuple[Floats, Floats]:
        """Mean and variance of each observation from all the others."""
        inverse = scipy.linalg.cho_solve((self.factor, True), np.eye(len(self.targets)), check_finite=False)
        precision = np.diag(inverse)
        return self.targets - (inverse @ self.targets) / precision, 1.0 / precision


def sum_of(terms: tuple[Term, ...], theta: Floats, left: Points, right: Points) -> Floats:
    first, *rest = _parts(terms, theta)
    total = first[0].between(first[1], left, right)
    for term, part in rest:
        total += term.between(part, left, right)
    return total


def _parts(terms: tuple[Term, ...], theta: Floats) -> list[tuple[Term, Floats]]:
    return list(zip(terms, split(terms, theta), strict=True))


def split(terms: tuple[Term, ...], theta: Floats) -> list[Floats]:
    """The parameters of each term."""
    parts, first = [], 0
    for term in terms:
        parts.append(theta[first : first + len(term.centre)])
        first += len(term.centre)
    return parts


def prior(terms: tuple[Term, ...]) -> tuple[Floats, Floats]:
    """Centre and width of all parameters, the noise last."""
    return (
        np.concatenate([*(term.centre for term in terms), [NOISE_CENTRE]]),
        np.concatenate([*(term.width for term in terms), [NOISE_WIDTH]]),
    )


def posterior(one: Fitted) -> float:
    """Logarithm of how well the parameters suit the observations and the prior, up to a constant."""
    centre, width = prior(one.terms)
    away = (one.theta - centre) / width
    return -0.5 * float(one.whitened @ one.whitened + away @ away) - float(np.log(np.diag(one.factor)).sum())


def fit(
    terms: tuple[Term, ...], points: Points, targets: Floats, start: Floats | None = None, steps: int = STEPS
) -> Fitted:
    """The process whose parameters suit the observations best; ``start`` is where to begin looking."""
    centre, width = prior(terms)

    def badness(theta: Floats) -> tuple[float, Floats]:
        return _badness(theta, terms, points, targets, centre, width)

    begin = centre if start is None else start
    found = scipy.optimize.minimize(
        badness,
        begin,
        jac=True,
        method="L-BFGS-B",
        bounds=list(zip(centre - WIDTHS * width, centre + WIDTHS * width, strict=True)),
        options={"maxiter": steps, "maxfun": 2 * steps},
    )
    return settle(terms, np.asarray(found.x), points, targets)


def settle(terms: tuple[Term, ...], theta: Floats, points: Points, targets: Floats) -> Fitted:
    """The process with given parameters; noise grows where rounding would make the covariance singular."""
    covariance = sum_of(terms, theta, points, points)
    theta = theta.copy()
    while (factor := _factor(covariance, float(np.exp(theta[-1])))) is None:
        theta[-1] += np.log(10.0)
    return Fitted(terms, theta, points, targets, factor)


def _factor(covariance: Floats, noise: float) -> Floats | None:
    """None where rounding has made it singular."""
    try:
        noisy = covariance + (noise + JITTER) * np.eye(len(covariance))
        return np.asarray(scipy.linalg.cholesky(noisy, lower=True, overwrite_a=True, check_finite=False))
    except np.linalg.LinAlgError:
        return None


def _badness(
    theta: Floats, terms: tuple[Term, ...], points: Points, targets: Floats, centre: Floats, width: Floats
) -> tuple[float, Floats]:
    """Negative logarithm of the posterior, and its gradient."""
    away = (theta - centre) / width
    noise = np.exp(theta[-1])
    covariance = sum_of(terms, theta, points, points)
    factor = _factor(covariance, float(noise))
    if factor is None:
        return 1e10, away / width
    inverse = scipy.linalg.cho_solve((factor, True), np.eye(len(targets)), check_finite=False)
    weights = inverse @ targets
    value = 0.5 * float(targets @ weights) + float(np.log(np.diag(factor)).sum()) + 0.5 * float(away @ away)
    by_entry = 0.5 * (inverse - np.outer(weights, weights))
    slopes = [term.slopes(part, points, by_entry) for term, part in _parts(terms, theta)]
    gradient = np.concatenate([*slopes, [noise * float(np.trace(by_entry))]])
    return value, gradient + away / width
