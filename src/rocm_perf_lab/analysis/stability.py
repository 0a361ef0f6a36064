"""How much repeated runs of one thing scatter: variation, robust spread, bootstrap interval."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence

from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.contracts.stability import Class, Stability

# Limits of the coefficient of variation that the manual sets.
STABLE_CV = 0.05
MODERATE_CV = 0.10

INTERVAL_LEVEL = 0.95
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
    """Percentile bootstrap interval of the mean, from resamples that a seed fixes."""
    if min(samples) == max(samples):
        return samples[0], samples[0]
    choose = random.Random(seed)
    count = len(samples)
    means = sorted(statistics.fmean(choose.choices(samples, k=count)) for _ in range(RESAMPLES))
    tail = (1 - INTERVAL_LEVEL) / 2
    return means[int(tail * RESAMPLES)], means[RESAMPLES - 1 - int(tail * RESAMPLES)]


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
