"""The gate: whether a variant is faster than its baseline, from measurements that take turns.

Baseline and variant are run in turns (A B, B A, A B, …), so that whatever drifts meets both alike, and each
pair gives one ratio. The estimate is the median of all means of two ratios (Hodges and Lehmann), its interval
that of Wilcoxon's signed ranks: both hold whatever the noise looks like, and one run that something disturbed
moves them little. Looking several times, with more pairs each time, costs certainty; each look has its share.
"""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.analysis.gate_regressions import Regression
from rocm_perf_lab.contracts.changes.proposal_refusal import ReasonCode, Refusal
from rocm_perf_lab.contracts.section import Origin

GateVerdict = Literal["win", "loss", "same", "undecided"]
Side = Literal["baseline", "variant"]

# The chance that equal programs are called different, over all looks together.
ERROR_LEVEL = 0.05
# After so many pairs the gate looks at what it has, and stops when that decides. Chosen: the first is about
# the least with which signed ranks reach the level of one look; then the pairs double.
LOOKS = (9, 16, 32, 64, 128)
DEFAULT_IMPROVEMENT = 0.02
_EXACT_RANKS = 128  # up to so many pairs the distribution of the rank sum is counted out

FEW = "fewer pairs than an interval needs"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Variant time / baseline time: below 1 is faster."""

    pairs: int
    ratio: float | None
    low: float | None
    high: float | None
    """The interval at ``level``; null where there are too few pairs."""
    level: float
    exact: bool
    """The simulator repeats exactly: the interval is the ratio itself."""
    verdict: GateVerdict
    reason: str


def turns(pairs: int) -> tuple[Side, ...]:
    """The order of runs: every second pair the other way round, so that a steady drift cancels."""
    order: list[Side] = []
    for number in range(pairs):
        pair: tuple[Side, Side] = ("baseline", "variant")
        order.extend(pair if number % 2 == 0 else pair[::-1])
    return tuple(order)


def judge(
    baseline: Sequence[float],
    variant: Sequence[float],
    *,
    origin: Origin,
    improvement: float = DEFAULT_IMPROVEMENT,
    looks: int = len(LOOKS),
) -> Judgement:
    """``baseline``, ``variant``: times of the pairs, in order; ``looks``: how often this is asked in all."""
    if len(baseline) != len(variant):
        raise ValueError("runs come in pairs")
    if not baseline or min(*baseline, *variant) <= 0:
        raise ValueError("times are above 0")
    level = 1 - ERROR_LEVEL / looks
    exact = origin == "simulated" and _repeats(baseline) and _repeats(variant)
    logs = sorted(math.log(new / old) for old, new in zip(baseline, variant, strict=True))
    ratio = variant[0] / baseline[0] if exact else math.exp(_centre(logs))
    interval = (ratio, ratio) if exact else _interval(logs, level)
    if interval is None:
        return Judgement(
            pairs=len(logs),
            ratio=ratio,
            low=None,
            high=None,
            level=level,
            exact=False,
            verdict="undecided",
            reason=FEW,
        )
    verdict, reason = _verdict(ratio, interval, improvement, exact)
    return Judgement(
        pairs=len(logs),
        ratio=ratio,
        low=interval[0],
        high=interval[1],
        level=level,
        exact=exact,
        verdict=verdict,
        reason=reason,
    )


def enough(judgement: Judgement) -> bool:
    """Whether more pairs are pointless: it is decided, it repeats, or the last look is done."""
    return judgement.exact or judgement.verdict != "undecided" or judgement.pairs >= LOOKS[-1]


def _repeats(times: Sequence[float]) -> bool:
    return min(times) == max(times)


def _verdict(
    ratio: float, interval: tuple[float, float], improvement: float, exact: bool
) -> tuple[GateVerdict, str]:
    low, high = interval
    how = "the runs repeat exactly" if exact else f"the interval is {low:.4f} to {high:.4f}"
    if high < 1 and ratio <= 1 - improvement:
        return "win", f"{how}: faster by {1 - ratio:.2%}"
    if low > 1 and ratio >= 1 + improvement:
        return "loss", f"{how}: slower by {ratio - 1:.2%}"
    if 1 - improvement < low and high < 1 + improvement:
        return "same", f"{how}: within {improvement:.1%} of 1"
    return "undecided", f"{how}: neither within {improvement:.1%} of 1 nor clearly beyond"


def _walsh(logs: Sequence[float]) -> list[float]:
    """Means of all pairs of values, each with itself included, in order."""
    return sorted((one + other) / 2 for at, one in enumerate(logs) for other in logs[at:])


def _centre(logs: Sequence[float]) -> float:
    return statistics.median(_walsh(logs))


def _interval(logs: Sequence[float], level: float) -> tuple[float, float] | None:
    """By signed ranks: the values at which the test would just not reject; None with too few pairs."""
    skipped = _skipped(len(logs), round(1 - level, 9))
    if skipped is None:
        return None
    means = _walsh(logs)
    return math.exp(means[skipped]), math.exp(means[-1 - skipped])


@functools.cache
def _skipped(pairs: int, error: float) -> int | None:
    """How many means of two may lie outside at each end: the largest k with 2 P(rank sum <= k) <= error."""
    if pairs > _EXACT_RANKS:
        sums = pairs * (pairs + 1)
        deviation = math.sqrt(sums * (2 * pairs + 1) / 24)
        reach = statistics.NormalDist().inv_cdf(1 - error / 2) * deviation
        return max(0, math.floor(sums / 4 - reach - 1))
    ways = [1]
    for rank in range(1, pairs + 1):  # each rank is in the sum or not
        longer = ways + [0] * rank
        for total, number in enumerate(ways):
            longer[total + rank] += number
        ways = longer
    allowed, reached, largest = error / 2 * 2**pairs, 0, None
    for total, number in enumerate(ways):
        reached += number
        if reached > allowed:
            break
        largest = total
    return largest


@dataclass(frozen=True, kw_only=True)
class Decision:
    accepted: bool
    refusals: tuple[Refusal, ...]
    reported: tuple[Regression, ...]
    """What grew and is still accepted."""


def decide(
    kernel: Judgement,
    whole: Judgement,
    regressions: Sequence[Regression] = (),
    process: Judgement | None = None,
) -> Decision:
    """Accepted if the kernel wins, the whole is faster, and nothing grew beyond its threshold.

    ``whole`` is all from the first to the last dispatch. ``process`` has what comes before and after, too,
    which may scatter more than any change saves: it must not be slower, and where it repeats, it is faster.
    """
    refusals = [refusal for regression in regressions if (refusal := regression.refusal) is not None]
    if kernel.verdict != "win":
        refusals.append(kernel_refusal(kernel, "kernel"))
    if whole.high is None or whole.low is None:
        refusals.append(Refusal(code="undecided", detail=f"whole program: {whole.reason}"))
    elif whole.high >= 1:
        settled = whole.low >= 1 or whole.verdict == "same"
        refusals.append(
            Refusal(
                code="whole-not-faster" if settled else "undecided", detail=f"whole program: {whole.reason}"
            )
        )
    if process is not None and process.ratio is not None:
        slower = process.ratio >= 1 if process.exact else process.verdict == "loss"
        if slower:
            refusals.append(Refusal(code="whole-not-faster", detail=f"process: {process.reason}"))
    return Decision(
        accepted=not refusals,
        refusals=tuple(refusals),
        reported=tuple(regression for regression in regressions if regression.refused is None),
    )


def kernel_refusal(kernel: Judgement, what: str) -> Refusal:
    """Of a kernel that does not win; ``what`` was measured."""
    codes: dict[GateVerdict, ReasonCode] = {
        "loss": "kernel-slower",
        "same": "kernel-not-faster",
        "undecided": "undecided",
    }
    return Refusal(code=codes[kernel.verdict], detail=f"{what}: {kernel.reason}")
