"""What compiled code tells of configurations, as coordinates: known where a variant was compiled, expected
elsewhere.

A configuration that was not compiled has no code object. What it would tell is predicted from those that
were, by a Gaussian process with fixed parameters over the encoded configurations: registers and LDS are
smooth in tile sizes. How well that goes is known from variants left out, and by as much predictions are
believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from rocm_perf_lab.autotuning.model.covariance import Term
from rocm_perf_lab.autotuning.model.encoding import Floats, Points
from rocm_perf_lab.autotuning.model.gaussian_process import prior, split, sum_of

SHARE = "occupancy"
# Spills and scratch go together, and so do code and its instructions: each counts once.
NAMES: dict[str, tuple[str, ...]] = {
    "vgprs": ("arch_vgprs", "accum_vgprs"),
    "sgprs": ("sgprs",),
    "lds": ("lds_static_bytes",),
    "scratch": ("scratch_bytes",),
    "spills": ("vgpr_spills", "sgpr_spills"),
    SHARE: (SHARE,),
    "vector instructions": ("vector_instructions",),
    "matrix instructions": ("matrix_instructions",),
    "memory instructions": ("memory_instructions",),
    "lds instructions": ("lds_instructions",),
    "scalar instructions": ("scalar_instructions", "branch_instructions"),
}
# Of the scatter of a figure: what fixed parameters do not explain.
NOISE = 0.01
# Predictions beyond what was seen are not believed.
FARTHEST = 0.5
LEAST_VARIANTS = 5


def coordinates(figures: Mapping[str, float]) -> Floats:
    """One for each of NAMES, counts on a log2 scale; NaN where the code object does not tell."""
    found = np.full(len(NAMES), np.nan)
    for place, (name, parts) in enumerate(NAMES.items()):
        told = [figures[part] for part in parts if part in figures]
        if told:
            found[place] = sum(told) if name == SHARE else np.log2(1.0 + sum(told))
    return found


@dataclass(frozen=True)
class FigureScales:
    """Coordinates from 0 to 1 over the variants that were compiled."""

    terms: tuple[Term, ...]
    seen: Points
    least: Floats
    reach: Floats
    mean: Floats
    factor: Floats
    """Lower Cholesky factor of the covariance of ``seen``."""
    weights: Floats
    skill: float
    """Share of the scatter of figures that is explained, each variant being left out; from 0 to 1."""

    @classmethod
    def of(cls, terms: tuple[Term, ...], seen: Points, told: Sequence[Floats]) -> FigureScales:
        """``told``: coordinates of ``seen``, in the same order."""
        raw = np.array(told)
        known = np.isfinite(raw)
        least = np.where(known.any(axis=0), np.where(known, raw, np.inf).min(axis=0), 0.0)
        most = np.where(known.any(axis=0), np.where(known, raw, -np.inf).max(axis=0), 0.0)
        reach = np.where(most > least, most - least, 1.0)
        scaled = np.where(known, (raw - least) / reach, 0.0)
        mean = scaled.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        away = np.where(known, scaled - mean, 0.0)
        covariance = sum_of(terms, prior(terms)[0], seen, seen)
        covariance[np.diag_indices_from(covariance)] += NOISE
        factor = np.asarray(scipy.linalg.cholesky(covariance, lower=True))
        inverse = scipy.linalg.cho_solve((factor, True), np.eye(len(raw)))
        weights = np.asarray(inverse @ away)
        return cls(terms, seen, least, reach, mean, factor, weights, _skill(away, inverse, weights))

    def expected(self, points: Points) -> tuple[Floats, Floats]:
        """Rows by figures, and for each row how far they are to be believed."""
        theta = prior(self.terms)[0]
        across = sum_of(self.terms, theta, self.seen, points)
        figures = np.clip(self.mean + across.T @ self.weights, -FARTHEST, 1.0 + FARTHEST)
        explained = (scipy.linalg.solve_triangular(self.factor, across, lower=True) ** 2).sum(axis=0)
        whole = sum(
            term.at_itself(part) for term, part in zip(self.terms, split(self.terms, theta), strict=True)
        )
        return np.asarray(figures), np.sqrt(self.skill * np.clip(explained / whole, 0.0, 1.0))

    def exact(self, told: Floats, expected: Floats) -> Floats:
        """Of a variant that was compiled; what its code object does not tell is as expected."""
        return np.where(np.isfinite(told), (told - self.least) / self.reach, expected)

    @property
    def varying(self) -> tuple[str, ...]:
        """Those that tell variants apart."""
        return tuple(
            name for name, row in zip(NAMES, np.abs(self.weights).T, strict=True) if bool((row > 0).any())
        )


def _skill(away: Floats, inverse: Floats, weights: Floats) -> float:
    """Over all figures that vary, of each variant from all the others; few variants prove nothing."""
    if len(away) < LEAST_VARIANTS:
        return 0.0
    missed = (weights / np.diag(inverse)[:, None]) ** 2
    scatter = (away**2).sum(axis=0)
    varying = scatter > 0
    if not varying.any():
        return 0.0
    return float(np.clip(1.0 - missed.sum(axis=0)[varying] / scatter[varying], 0.0, 1.0).mean())
