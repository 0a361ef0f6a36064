"""Ratios and verdicts: known answers, exact runs, and how often equal things are called different."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.analysis.compare_times import ERROR_LEVEL, compare_times
from rocm_perf_lab.analysis.student_t import quantile


@pytest.mark.parametrize(
    ("probability", "freedom", "value"),
    # Tables of Student's t, as in any textbook.
    [(0.975, 1, 12.706), (0.975, 2, 4.303), (0.975, 10, 2.228), (0.995, 4, 4.604), (0.975, 1e7, 1.960)],
)
def test_quantiles(probability: float, freedom: float, value: float) -> None:
    assert quantile(probability, freedom) == pytest.approx(value, abs=6e-4)


def test_one_degree_of_freedom_is_cauchy() -> None:
    for probability in (0.6, 0.9, 0.99, 0.9999):
        assert quantile(probability, 1) == pytest.approx(math.tan(math.pi * (probability - 0.5)), rel=1e-6)


@pytest.mark.parametrize(
    ("base", "new", "verdict"),
    [
        ((10.0, 10.1, 9.9), (5.0, 5.1, 4.9), "faster"),
        ((10.0, 10.1, 9.9), (12.0, 12.1, 11.9), "slower"),
        ((10.0, 10.001, 9.999), (10.002, 10.001, 10.003), "same"),
        ((10.0, 11.0, 9.0), (10.3, 11.3, 9.3), "undecided"),
        ((10.0,), (20.0,), "undecided"),  # one run on hardware
        ((0.0, 0.0), (1.0, 1.0), "undecided"),  # no ratio
        ((0.0, 1.0), (2.0, 2.0), "undecided"),  # a run without it
    ],
)
def test_verdicts(base: tuple[float, ...], new: tuple[float, ...], verdict: str) -> None:
    found = compare_times(base, new, origin="measured")
    assert found.verdict == verdict
    if found.interval_low is not None and found.interval_high is not None:
        assert found.ratio is not None
        assert found.interval_low <= found.ratio <= found.interval_high
    else:
        assert found.missing["interval_low"]


@pytest.mark.parametrize(
    ("new", "verdict"), [(10.0, "same"), (10.09, "same"), (10.2, "slower"), (9.8, "faster"), (9.95, "same")]
)
@pytest.mark.parametrize("runs", [1, 3])
def test_simulated_runs_are_exact(new: float, verdict: str, runs: int) -> None:
    found = compare_times((10.0,) * runs, (new,) * runs, origin="simulated")
    assert found.exact
    assert found.verdict == verdict
    assert found.ratio == found.interval_low == found.interval_high == pytest.approx(new / 10)


def test_what_is_relevant_can_be_told() -> None:
    assert compare_times((10.0, 10.0), (10.4, 10.4), origin="measured", relevant=0.05).verdict == "same"


Draw = Callable[[random.Random], float]


def normal(chance: random.Random) -> float:
    return chance.gauss(10, 0.3)


def skewed(chance: random.Random) -> float:
    return 10 * chance.lognormvariate(0, 0.1)


def with_outliers(chance: random.Random) -> float:
    return chance.gauss(10, 0.05) + (3 if chance.random() < 0.1 else 0)


def false_alarms(draw: Draw, runs: int, trials: int) -> int:
    """How often two sides of the same distribution are called different."""
    chance = random.Random(20250131)

    def side() -> list[float]:
        return [draw(chance) for _ in range(runs)]

    return sum(
        compare_times(side(), side(), origin="measured", relevant=0.0).verdict in ("faster", "slower")
        for _ in range(trials)
    )


def test_equal_things_are_seldom_called_different() -> None:
    """Over all kinds of scatter the rate is below the level; of none is it evidently above.

    In 250 trials at a rate of 5 % more than 24 false alarms have a chance of less than 1 in 1000.
    """
    trials = 250
    alarms = [false_alarms(draw, runs, trials) for draw in (normal, skewed, with_outliers) for runs in (3, 8)]
    assert sum(alarms) / (trials * len(alarms)) < ERROR_LEVEL
    assert max(alarms) <= 24


def test_many_kernels_do_not_add_up_to_false_alarms() -> None:
    """Of 40 comparisons with 20 equal kernels each, at most one in twenty has any alarm."""
    chance = random.Random(5)
    alarms = 0
    for _ in range(40):
        verdicts = {
            compare_times(
                [normal(chance) for _ in range(4)],
                [normal(chance) for _ in range(4)],
                origin="measured",
                comparisons=20,
                relevant=0.0,
            ).verdict
            for _ in range(20)
        }
        alarms += bool(verdicts & {"faster", "slower"})
    assert alarms / 40 <= ERROR_LEVEL


def test_real_differences_are_found() -> None:
    chance = random.Random(9)
    found = sum(
        compare_times(
            [chance.gauss(10, 0.2) for _ in range(5)],
            [chance.gauss(11, 0.2) for _ in range(5)],
            origin="measured",
        ).verdict
        == "slower"
        for _ in range(60)
    )
    assert found >= 57  # 10 % of difference is five standard deviations


times = st.lists(st.floats(0.01, 1000), min_size=2, max_size=6)


@settings(max_examples=60)
@given(times, times)
def test_there_and_back(base: list[float], new: list[float]) -> None:
    """Whichever side comes first: the verdict turns around, the interval holds the ratio."""
    there = compare_times(base, new, origin="measured")
    back = compare_times(new, base, origin="measured")
    assert there.ratio is not None
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert not {there.verdict, back.verdict} >= {"faster", "same"}
    assert (there.verdict, back.verdict) not in (("faster", "faster"), ("slower", "slower"))
    assert there.interval_low is not None
    assert there.interval_high is not None
    assert there.interval_low <= there.ratio * (1 + 1e-12)
    assert there.interval_high >= there.ratio * (1 - 1e-12)
    assert compare_times(base, new, origin="measured") == there
