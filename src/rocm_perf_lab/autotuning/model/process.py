"""A process from fit to fit: where each fit begins, and which products and ratios it takes in."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy

from rocm_perf_lab.autotuning.model import covariance
from rocm_perf_lab.autotuning.model.combinations import most_promising
from rocm_perf_lab.autotuning.model.covariance import Term
from rocm_perf_lab.autotuning.model.encoding import Floats, Points
from rocm_perf_lab.autotuning.model.gaussian_process import Fitted, fit, posterior, prior

Terms = tuple[Term, ...]

# At every so manieth observation the fit begins at the prior too, in case the last one was a trap.
BEGIN_AGAIN = 10
# Products and ratios that are fitted at once. Chosen.
MOST = 3


@dataclass
class FittingProcess:
    terms: Terms
    candidates: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    """Products and ratios that may be added to the terms, scales by combinations."""
    chosen: list[int] = field(default_factory=list)
    """Those of the last fit."""
    _theta: Floats | None = None
    """Of the terms alone."""
    _known: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Variance and length of combinations as they were fitted last."""

    def fit(self, points: Points, targets: Floats) -> Fitted:
        """Begins where the last fit ended."""
        found = fit(self.terms, points, targets, self._theta)
        if self._theta is not None and len(targets) % BEGIN_AGAIN == 0:
            found = max(found, fit(self.terms, points, targets, prior(self.terms)[0]), key=posterior)
        self._theta = found.theta
        return self._with_products(found, points, targets)

    def _with_products(self, found: Fitted, points: Points, targets: Floats) -> Fitted:
        """Adds combinations one by one, as long as each explains enough."""
        # Of many that are looked at one explains something by chance: the more there are, the more is asked.
        self.chosen = []
        count = self.candidates.shape[1]
        while len(self.chosen) < min(MOST, count):
            left = [place for place in range(count) if place not in self.chosen]
            precision = scipy.linalg.cho_solve((found.factor, True), np.eye(len(targets)), check_finite=False)
            place = most_promising(self.candidates, left, points, precision, targets)
            if place is None:
                break
            more = self._fit_with([*self.chosen, place], found, points, targets)
            if posterior(more) - posterior(found) < np.log(len(left)):
                break
            found = more
            self.chosen.append(place)
            fitted = _products_of(more, len(self.chosen)).T.tolist()
            self._known |= {one: (pair[0], pair[1]) for one, pair in zip(self.chosen, fitted, strict=True)}
        return found

    def _fit_with(self, chosen: list[int], before: Fitted, points: Points, targets: Floats) -> Fitted:
        products = covariance.products(self.candidates[:, chosen])
        usual = (products.centre[0], products.centre[-1])
        pairs = np.array([self._known.get(place, usual) for place in chosen])
        own = before.theta[: len(prior(self.terms)[0]) - 1]
        start = np.concatenate([own, pairs.T.ravel(), before.theta[-1:]])
        return fit((*self.terms, products), points, targets, start)


def _products_of(fitted: Fitted, count: int) -> Floats:
    """Variances and lengths, which come before the noise."""
    return fitted.theta[-1 - 2 * count : -1].reshape(2, count)
