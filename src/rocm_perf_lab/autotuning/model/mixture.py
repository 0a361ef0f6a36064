"""What is expected of configurations: two Gaussian processes of time mixed by their moments, and one of
failing.

One process of time adds to the smooth term what agreement of levels tells (a flag that turns something on),
the other what each parameter adds by itself, and products and ratios of tile sizes, where observations speak
for them; which process suits a space is not known before. A failure is no slow time: whether a configuration
works is a process of its own, over labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from rocm_perf_lab.autotuning.model import covariance
from rocm_perf_lab.autotuning.model.combinations import combinations
from rocm_perf_lab.autotuning.model.encoding import Encoding, Floats, Points
from rocm_perf_lab.autotuning.model.gaussian_process import Fitted
from rocm_perf_lab.autotuning.model.process import FittingProcess, Terms

WORKS, FAILS = 1.0, -1.0
# Before much is known configurations are taken to work: so many that do are added to those that were seen.
BELIEF = 2.0


@dataclass(frozen=True)
class Expected:
    mean: Floats
    """Of the logarithm of time; likewise variance."""
    variance: Floats
    works: Floats
    """Probability that it runs and gives a time."""


@dataclass(frozen=True)
class Standard:
    """Logarithms of times with mean 0 and deviation 1."""

    shift: float
    scale: float
    targets: Floats

    @classmethod
    def of(cls, times: Sequence[float] | Floats) -> Standard:
        logs = np.log(times)
        shift, scale = float(logs.mean()), float(logs.std())
        scale = scale if scale > 1e-9 else 1.0
        return cls(shift, scale, (logs - shift) / scale)


def mixed(moments: Sequence[tuple[Floats, Floats]], standard: Standard) -> tuple[Floats, Floats]:
    """Mean and variance of a mixture, in logarithms of times."""
    mean = np.mean([mean for mean, _ in moments], axis=0)
    second = np.mean([variance + mean**2 for mean, variance in moments], axis=0)
    variance = np.maximum(second - mean**2, 1e-7)
    return standard.shift + standard.scale * mean, standard.scale**2 * variance


def labels(worked: Sequence[bool]) -> tuple[float, Floats]:
    """The label expected of what nothing is known about, and how far those seen are from it."""
    share = (sum(worked) + BELIEF) / (len(worked) + BELIEF)
    usual = FAILS + (WORKS - FAILS) * share
    return usual, np.where(worked, WORKS, FAILS) - usual


def chance(usual: float, mean: Floats, variance: Floats) -> Floats:
    """The probability that a label is above the middle."""
    return np.asarray(scipy.special.ndtr((usual + mean) / np.sqrt(variance + 0.01)))


@dataclass(frozen=True)
class Mixture:
    times: tuple[Fitted, ...]
    standard: Standard
    works: Fitted | None
    """None as long as nothing has failed."""
    worked: tuple[bool, ...]
    """Of all that were tried, in the order of ``works``."""

    def expect(self, candidates: Points) -> Expected:
        mean, variance = mixed([member.predict(candidates) for member in self.times], self.standard)
        if self.works is None:
            return Expected(mean, variance, np.ones(len(candidates)))
        usual, _ = labels(self.worked)
        return Expected(mean, variance, chance(usual, *self.works.predict(candidates)))

    def left_out(self) -> tuple[Floats, Floats]:
        """For each time that was seen its logarithm as the others predict it, and as it was."""
        mean = np.mean([member.left_out()[0] for member in self.times], axis=0)
        standard = self.standard
        return standard.shift + standard.scale * mean, standard.shift + standard.scale * standard.targets


@dataclass
class Learner:
    """Fits mixtures."""

    times: tuple[FittingProcess, ...]
    works: FittingProcess
    plain: Terms
    """Of parameters alone, by which what compiled code tells is expected."""

    @classmethod
    def of(cls, encoding: Encoding, figures: int = 0) -> Learner:
        """``figures``: how many of them points have."""
        smooth = covariance.smooth(encoding)
        agreement, additive = covariance.agreement(encoding), covariance.additive(encoding)
        told: Terms = (covariance.of_figures(figures),) if figures else ()
        by_levels = FittingProcess((smooth, agreement, *told))
        by_parameters = FittingProcess((smooth, additive, *told), combinations(encoding))
        # With products, too, what fails was not predicted better: labels say too little.
        return cls((by_levels, by_parameters), FittingProcess((smooth, additive, *told)), (smooth, additive))

    def learn(self, seen: Points, times: Sequence[float | None]) -> Mixture:
        """From times in any unit; None is a configuration that gave none. At least one must have a time."""
        worked = tuple(time is not None for time in times)
        standard = Standard.of([time for time in times if time is not None])
        points = seen.rows(np.flatnonzero(worked))
        fitted = tuple(process.fit(points, standard.targets) for process in self.times)
        works = None if all(worked) else self.learn_failures(seen, worked)
        return Mixture(fitted, standard, works, worked)

    def learn_failures(self, seen: Points, worked: Sequence[bool]) -> Fitted:
        """The process of labels, which needs no times."""
        return self.works.fit(seen, labels(worked)[1])
