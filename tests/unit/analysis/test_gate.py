"""The gate: intervals that hold, a control experiment that says "same", wins that are found."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable

import pytest

from rocm_perf_lab.analysis.gate import (
    LOOKS,
    Judgement,
    _skipped,
    decide,
    enough,
    judge,
    turns,
)
from rocm_perf_lab.analysis.gate_regressions import Regression

Measure = Callable[[str], float]


def experiment(choose: random.Random, ratio: float, sigma: float, spikes: float = 0.03) -> Measure:
    """A kernel on a machine that warms up, drifts, scatters, and is disturbed now and then."""
    state = {"drift": 0.0, "runs": 0}

    def measure(side: str) -> float:
        state["runs"] += 1
        state["drift"] = 0.95 * state["drift"] + choose.gauss(0, sigma / 3)
        warm_up = 0.04 * math.exp(-state["runs"] / 6)
        disturbed = choose.uniform(0.05, 0.5) if choose.random() < spikes else 0.0
        noise = math.exp(choose.gauss(0, sigma) + state["drift"] + warm_up + disturbed)
        return (ratio if side == "variant" else 1.0) * 0.37 * noise

    return measure


def run_gate(measure: Measure, improvement: float = 0.02) -> Judgement:
    """As the loop does it: take turns, look, take more."""
    times: dict[str, list[float]] = {"baseline": [], "variant": []}
    order = iter(turns(LOOKS[-1]))
    for pairs in LOOKS:
        while min(len(side) for side in times.values()) < pairs:
            for side in itertools.islice(order, 2):
                times[side].append(measure(side))
        found = judge(times["baseline"], times["variant"], origin="measured", improvement=improvement)
        if enough(found):
            break
    return found


@pytest.mark.parametrize("sigma", [0.003, 0.01, 0.02])
def test_the_control_experiment_says_same(sigma: float) -> None:
    choose = random.Random(f"control {sigma}")
    verdicts = [run_gate(experiment(choose, 1.0, sigma)).verdict for _ in range(300)]
    assert verdicts.count("same") >= 0.95 * len(verdicts)


@pytest.mark.parametrize(("sigma", "spikes"), [(0.05, 0.1), (0.2, 0.2)])
def test_noise_alone_is_rarely_a_difference(sigma: float, spikes: float) -> None:
    choose = random.Random(f"noise {sigma}")
    verdicts = [run_gate(experiment(choose, 1.0, sigma, spikes)).verdict for _ in range(300)]
    assert verdicts.count("win") + verdicts.count("loss") <= 0.05 * len(verdicts)


@pytest.mark.parametrize(("ratio", "verdict"), [(0.9, "win"), (0.95, "win"), (1.06, "loss")])
def test_differences_are_found(ratio: float, verdict: str) -> None:
    choose = random.Random(f"difference {ratio}")
    found = [run_gate(experiment(choose, ratio, 0.015)) for _ in range(100)]
    assert sum(one.verdict == verdict for one in found) >= 95
    covered = sum(
        one.low is not None and one.high is not None and one.low <= ratio <= one.high for one in found
    )
    assert covered >= 95


def test_a_gain_below_what_was_asked_for_is_no_win() -> None:
    choose = random.Random(5)
    found = [run_gate(experiment(choose, 0.97, 0.003), improvement=0.05).verdict for _ in range(50)]
    assert found.count("win") == 0


@pytest.mark.parametrize("pairs", [6, 9, 12])
@pytest.mark.parametrize("error", [0.05, 0.0125])
def test_rank_sums_are_those_of_all_signs(pairs: int, error: float) -> None:
    """Against the definition: all ways to put signs on the ranks."""
    sums = [
        sum(rank for rank, on in zip(range(1, pairs + 1), signs, strict=True) if on)
        for signs in itertools.product((0, 1), repeat=pairs)
    ]
    allowed = [
        k
        for k in range(len(sums).bit_length() * pairs)
        if 2 * sum(total <= k for total in sums) / len(sums) <= error
    ]
    assert _skipped(pairs, error) == (max(allowed) if allowed else None)


def test_many_pairs_use_the_normal_distribution() -> None:
    near, beyond = _skipped(128, 0.05), _skipped(129, 0.05)
    assert near is not None
    assert beyond is not None
    assert 0 <= beyond - near <= 80


def test_the_simulator_repeats() -> None:
    found = judge([2.0, 2.0], [1.9, 1.9], origin="simulated")
    assert (found.verdict, found.exact, found.low, found.high) == ("win", True, 0.95, 0.95)
    assert judge([2.0], [2.0], origin="simulated").verdict == "same"
    assert judge([2.0], [2.1], origin="simulated").verdict == "loss"
    assert judge([2.0], [1.0], origin="measured").verdict == "undecided"
    assert judge([2.0, 2.0], [1.0, 1.1], origin="simulated").verdict == "undecided"


def test_turns_cancel_a_steady_drift() -> None:
    order = turns(4)
    assert order == ("baseline", "variant", "variant", "baseline") * 2
    places = {side: sum(at for at, who in enumerate(order) if who == side) for side in order}
    assert places["baseline"] == places["variant"]


@pytest.mark.parametrize(("old", "new"), [([], []), ([1.0], [1.0, 2.0]), ([0.0], [1.0]), ([1.0], [-1.0])])
def test_what_is_no_measurement(old: list[float], new: list[float]) -> None:
    with pytest.raises(ValueError, match=r"pairs|above 0"):
        judge(old, new, origin="measured")


def judged(ratio: float, reach: float = 0.0) -> Judgement:
    if reach == 0:
        return judge([1.0], [ratio], origin="simulated")
    new = [ratio * math.exp(reach * (-1) ** n * (1 + n / 64)) for n in range(9)]
    return judge([1.0] * 9, new, origin="measured")


GROWN = Regression(resource="spills", before=0, after=2, refused="registers-spilled", statement="0 to 2")
REPORTED = Regression(resource="lds", before=1, after=2, refused=None, statement="1 to 2")


@pytest.mark.parametrize(
    ("kernel", "whole", "regressions", "codes"),
    [
        (judged(0.9), judged(0.99), [], []),
        (judged(0.9), judged(0.99), [REPORTED], []),
        (judged(0.9), judged(0.99), [GROWN], ["registers-spilled"]),
        (judged(0.9), judged(1.0), [], ["whole-not-faster"]),
        (judged(0.9), judged(1.05), [], ["whole-not-faster"]),
        (judged(0.99), judged(0.99), [], ["kernel-not-faster"]),
        (judged(1.1), judged(0.99), [], ["kernel-slower"]),
        (judged(0.95, 0.3), judged(0.99), [], ["undecided"]),
        (judged(0.9), judged(0.98, 0.3), [], ["undecided"]),
        (judged(0.9), judge([1.0], [0.9], origin="measured"), [], ["undecided"]),
        (judged(1.1), judged(1.1), [GROWN], ["registers-spilled", "kernel-slower", "whole-not-faster"]),
    ],
)
def test_decisions(
    kernel: Judgement, whole: Judgement, regressions: list[Regression], codes: list[str]
) -> None:
    found = decide(kernel, whole, regressions)
    assert [refusal.code for refusal in found.refusals] == codes
    assert found.accepted == (not codes)
    assert found.reported == tuple(each for each in regressions if each is REPORTED)
