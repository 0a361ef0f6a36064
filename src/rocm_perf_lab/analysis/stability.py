"""How much repeated runs of one thing scatter: variation, robust spread, bootstrap interval."""

from __future__ import annotations

import functools
import itertools
import math
import random
import statistics
from collections.abc import Sequence

from rocm_perf_lab.contracts.profiling.stability import Class, Stability
from rocm_perf_lab.contracts.section import Origin

# Limits of the coefficient of variation that the manual sets.
STABLE_CV = 0.05
MODERATE_CV = 0.10

INTERVAL_LEVEL = 0.95
# Up to so many runs all resamples can be gone through (1716 of seven runs); of more, some are drawn.
RUNS_FOR_ALL = 7
RESAMPLES = 2000
SEED = 20240229  # any fixed number: the same samples give the same interval

# A run is an outlier when its distance from the median is more than so many scaled absolute deviations.
# 1.4826 makes the deviation comparable to a standard deviation for normal samples; 3.5 is the usual cut of
# the modified z-score (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993).
MAD_TO_SIGMA = 1.4826
OUTLIER_CUT = 3.5
RUNS_FOR_OUTLIERS = 4  # of three runs one is always far from the two that happen to be near each other

ADVICE = (
    "reduce system noise: close other programs that use the GPU or the host",
    "disable DVFS or lock the GPU clocks",
    "increase the number of runs (--runs)",
    "let the GPU reach a steady temperature (--warmup)",
)
ONE_RUN = "one run does not show how much runs scatter; use --runs 2 or more"
ZERO_MEAN = "the mean is zero"
REPEATS_EXACTLY = "the simulator repeats exactly: no scatter says nothing about the noise of hardware"


def stability(samples_ms: Sequence[float], origin: Origin, seed: int = SEED) -> Stability:
    """The scatter of at least one sample. Nothing is dropped; the same samples give the same figures."""
    if not samples_ms:
        raise ValueError("stability needs a sample")
    samples = tuple(float(sample) for sample in samples_ms)
    mean, median = (
        statistics.mean(samples),
        statistics.median(samples),
    )  # mean: exact, so equal runs give it back
    missing = {}
    stddev = cv = mad = low = high = None
    classification: Class | None = None
    if len(samples) == 1:
        missing = dict.fromkeys(
            ("stddev_ms", "cv", "mad_ms", "interval_low_ms", "interval_high_ms", "classification"), ONE_RUN
        )
    else:
        stddev = statistics.stdev(samples)
        mad = statistics.median(abs(sample - median) for sample in samples)
        low, high = bootstrap_interval(samples, seed)
        if mean > 0:
            cv = stddev / mean
            classification = classify(cv)
        else:
            missing = dict.fromkeys(("cv", "classification"), ZERO_MEAN)
    return Stability(
        origin=origin,
        missing=missing,
        runs=len(samples),
        samples_ms=samples,
        mean_ms=mean,
        median_ms=median,
        min_ms=min(samples),
        max_ms=max(samples),
        stddev_ms=stddev,
        cv=cv,
        mad_ms=mad,
        interval_low_ms=low,
        interval_high_ms=high,
        interval_level=INTERVAL_LEVEL,
        classification=classification,
        outliers=outliers(samples, median, mad),
        advice=_advice(classification, stddev, origin),
    )


def classify(cv: float) -> Class:
    if cv <= STABLE_CV:
        return "stable"
    return "moderate" if cv <= MODERATE_CV else "unstable"


def bootstrap_interval(samples: Sequence[float], seed: int = SEED) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean, over all resamples of few runs or some that a seed fixes."""
    if min(samples) == max(samples):
        return samples[0], samples[0]
    if len(samples) <= RUNS_FOR_ALL:
        weighted = _all_resamples(len(samples))
    else:
        weighted = _some_resamples(len(samples), seed)
    means = sorted(
        (sum(samples[index] for index in chosen) / len(samples), weight) for chosen, weight in weighted
    )
    total = sum(weight for _, weight in weighted)
    tail = (1 - INTERVAL_LEVEL) / 2
    return _quantile(means, tail * total), _quantile(means, (1 - tail) * total)


@functools.cache
def _all_resamples(count: int) -> list[tuple[tuple[int, ...], int]]:
    """Every choice of runs with repetition, and in how many orders it can be drawn."""
    orders = math.factorial(count)
    return [
        (chosen, orders // math.prod(math.factorial(chosen.count(index)) for index in set(chosen)))
        for chosen in itertools.combinations_with_replacement(range(count), count)
    ]


@functools.cache
def _some_resamples(count: int, seed: int) -> list[tuple[tuple[int, ...], int]]:
    choose = random.Random(seed)
    return [(tuple(choose.choices(range(count), k=count)), 1) for _ in range(RESAMPLES)]


def _quantile(means: Sequence[tuple[float, int]], weight: float) -> float:
    """The first mean up to which the weights reach ``weight``."""
    reached = 0
    for mean, share in means:
        reached += share
        if reached >= weight:
            return mean
    return means[-1][0]


def outliers(samples: Sequence[float], median: float, mad: float | None) -> tuple[int, ...]:
    """Indices of the runs that are far from the median."""
    if mad is None or len(samples) < RUNS_FOR_OUTLIERS:
        return ()
    reach = OUTLIER_CUT * MAD_TO_SIGMA * mad
    return tuple(index for index, sample in enumerate(samples) if abs(sample - median) > reach)


def _advice(classification: Class | None, stddev: float | None, origin: Origin) -> tuple[str, ...]:
    if classification == "unstable":
        return ADVICE
    if origin == "simulated" and stddev == 0:
        return (REPEATS_EXACTLY,)
    return ()
