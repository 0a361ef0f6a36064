"""Whether one thing takes longer in the runs of one side than in the other's: ratio, interval, verdict.

The interval of the ratio is a bootstrap interval, widened to that of Student's t (Welch, on logarithms) where
the latter is wider: resamples of three runs know nothing of what a fourth would have been.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence

from rocm_perf_lab.analysis.student_t import quantile
from rocm_perf_lab.contracts.profiling.comparison import TimeComparison, Verdict
from rocm_perf_lab.contracts.section import Origin

# The chance that things which take equally long are called faster or slower, over all kernels together.
ERROR_LEVEL = 0.05
# Changes up to this share are no change: nobody would act on them. Chosen.
RELEVANT = 0.01
RESAMPLES = 1000
SEED = 20240229  # any fixed number: the same runs give the same interval

ONE_RUN = "one run of a side does not show how much runs scatter; take more (--runs)"
NO_TIME = "one side took no time"
NOT_IN_ALL = "some of the runs of a side took no time: they did not do the same"


def compare_times(
    base: Sequence[float],
    new: Sequence[float],
    *,
    origin: Origin,
    comparisons: int = 1,
    relevant: float = RELEVANT,
    seed: int = SEED,
) -> TimeComparison:
    """``comparisons``: how many are made at once; the level of each is raised so that all of them hold."""
    base_mean, new_mean = statistics.mean(base), statistics.mean(new)
    level = 1 - ERROR_LEVEL / comparisons
    ratio = new_mean / base_mean if base_mean > 0 and new_mean > 0 else None
    exact = _repeat(base, origin) and _repeat(new, origin)
    missing: dict[str, str] = {}
    interval: tuple[float, float] | None = None
    if ratio is None:
        missing = dict.fromkeys(("ratio", "interval_low", "interval_high"), NO_TIME)
    elif exact:
        interval = (ratio, ratio)
    elif min(*base, *new) <= 0:
        missing = dict.fromkeys(("interval_low", "interval_high"), NOT_IN_ALL)
    elif min(len(base), len(new)) < 2:
        missing = dict.fromkeys(("interval_low", "interval_high"), ONE_RUN)
    else:
        interval = _interval(base, new, level, seed)
    if interval is None or ratio is None:
        verdict, reason = _UNDECIDED, missing["interval_low"]
    else:
        verdict, reason = _verdict(ratio, interval, exact, relevant)
    return TimeComparison(
        origin=origin,
        missing=missing,
        base_runs_ms=tuple(base),
        new_runs_ms=tuple(new),
        base_ms=base_mean,
        new_ms=new_mean,
        ratio=ratio,
        interval_low=interval[0] if interval else None,
        interval_high=interval[1] if interval else None,
        level=level,
        exact=exact,
        verdict=verdict,
        reason=reason,
    )


def _repeat(samples: Sequence[float], origin: Origin) -> bool:
    """Equal runs; of a simulator, which repeats, one is enough."""
    return min(samples) == max(samples) and (len(samples) > 1 or origin == "simulated")


def _verdict(
    ratio: float, interval: tuple[float, float], exact: bool, relevant: float
) -> tuple[Verdict, str]:
    low, high = interval
    within = 1 - relevant <= low and high <= 1 + relevant
    how = "the runs repeat exactly" if exact else f"the interval is {low:.4f} to {high:.4f}"
    if within:
        return "same", f"{how}: within {relevant:.1%} of 1"
    if high < 1 and ratio < 1 - relevant:
        return "faster", f"{how}: below 1, and the change is more than {relevant:.1%}"
    if low > 1 and ratio > 1 + relevant:
        return "slower", f"{how}: above 1, and the change is more than {relevant:.1%}"
    return "undecided", f"{how}: neither within {relevant:.1%} of 1 nor clearly beyond; take more runs"


def _interval(base: Sequence[float], new: Sequence[float], level: float, seed: int) -> tuple[float, float]:
    student = _student(base, new, level)
    if student[0] <= min(new) / max(base) and max(new) / min(base) <= student[1]:
        return student  # no resample reaches farther
    bootstrap = _bootstrap(base, new, level, seed)
    return min(bootstrap[0], student[0]), max(bootstrap[1], student[1])


def _bootstrap(base: Sequence[float], new: Sequence[float], level: float, seed: int) -> tuple[float, float]:
    """Percentiles of the ratio of means, both sides drawn again with repetition."""
    choose = random.Random(seed)
    ratios = sorted(
        (sum(choose.choices(new, k=len(new))) / len(new))
        / (sum(choose.choices(base, k=len(base))) / len(base))
        for _ in range(RESAMPLES)
    )
    tail = (1 - level) / 2
    return ratios[math.floor(tail * (RESAMPLES - 1))], ratios[math.ceil((1 - tail) * (RESAMPLES - 1))]


def _student(base: Sequence[float], new: Sequence[float], level: float) -> tuple[float, float]:
    """Welch's interval for the difference of the mean logarithms, around the ratio of the means."""
    sides = [[math.log(sample) for sample in side] for side in (base, new)]
    errors = [statistics.variance(side) / len(side) for side in sides]
    whole = sum(errors)
    ratio = statistics.mean(new) / statistics.mean(base)
    if whole == 0:
        return ratio, ratio
    freedom = whole**2 / sum(
        error**2 / (len(side) - 1) for error, side in zip(errors, sides, strict=True) if error > 0
    )
    reach = quantile(1 - (1 - level) / 2, freedom) * math.sqrt(whole)
    return ratio * math.exp(-min(reach, _FARTHEST)), ratio * math.exp(min(reach, _FARTHEST))


_UNDECIDED: Verdict = "undecided"
_FARTHEST = 50.0  # keeps the ends of hopeless intervals finite
