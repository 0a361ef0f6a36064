"""Scatter of runs against the textbook's formulas."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.analysis.stability import ADVICE, bootstrap_interval, stability
from rocm_perf_lab.contracts.text import to_text

samples_of_time = st.lists(st.floats(1e-6, 1e6), min_size=2, max_size=20)


@given(samples_of_time)
def test_formulas(samples: list[float]) -> None:
    found = stability(samples, "measured")
    count = len(samples)
    mean = math.fsum(samples) / count
    stddev = math.sqrt(math.fsum((sample - mean) ** 2 for sample in samples) / (count - 1))
    assert found.mean_ms == pytest.approx(mean, rel=1e-12)
    assert found.stddev_ms == pytest.approx(stddev, rel=1e-6, abs=1e-9 * mean)
    assert found.cv == pytest.approx(stddev / mean, rel=1e-6, abs=1e-9)
    ordered = sorted(samples)
    median = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    distances = sorted(abs(sample - median) for sample in samples)
    assert found.median_ms == pytest.approx(median)
    assert found.mad_ms == pytest.approx((distances[(count - 1) // 2] + distances[count // 2]) / 2)
    assert found.samples_ms == tuple(samples)
    assert found.interval_low_ms is not None
    assert found.interval_high_ms is not None
    assert (
        min(samples) * (1 - 1e-12)
        <= found.interval_low_ms
        <= found.interval_high_ms
        <= max(samples) * (1 + 1e-12)
    )


@given(samples_of_time)
def test_the_same_samples_give_the_same_figures(samples: list[float]) -> None:
    random.seed()
    assert stability(samples, "measured") == stability(list(samples), "measured")


@pytest.mark.parametrize(
    ("spread", "word"),
    [(0.0, "stable"), (0.0499, "stable"), (0.0501, "moderate"), (0.0999, "moderate"), (0.1001, "unstable")],
)
def test_classes(spread: float, word: str) -> None:
    # Of 1 - d, 1, 1 + d the mean is 1 and the sample standard deviation d.
    found = stability([1 - spread, 1, 1 + spread], "measured")
    assert found.cv == pytest.approx(spread)
    assert found.classification == word
    assert found.advice == (ADVICE if word == "unstable" else ())


def test_equal_runs_give_their_value_back() -> None:
    found = stability([0.006343] * 3, "simulated")
    assert (found.mean_ms, found.stddev_ms, found.cv, found.mad_ms) == (0.006343, 0, 0, 0)
    assert (found.interval_low_ms, found.interval_high_ms) == (0.006343, 0.006343)
    assert "repeats exactly" in found.advice[0]
    assert stability([1.0, 1.0], "measured").advice == ()


def test_one_run_says_nothing_of_scatter() -> None:
    found = stability([2.5], "measured")
    assert (found.mean_ms, found.cv, found.classification, found.interval_low_ms) == (2.5, None, None, None)
    to_text(found)  # every null has its reason


def test_no_time_at_all() -> None:
    found = stability([0, 0], "measured")
    assert found.cv is None
    assert found.missing["cv"]
    to_text(found)


def test_outliers_are_shown_and_kept() -> None:
    found = stability([1.0, 1.01, 0.99, 1.02, 5.0, 0.98], "measured")
    assert found.outliers == (4,)
    assert found.max_ms == 5.0
    assert stability([1.0, 1.01, 5.0], "measured").outliers == ()  # three runs do not tell


@pytest.mark.parametrize(
    "samples", [[1.0, 2.0], [1.0, 5.0, 6.5], [3.0, 1.0, 4.0, 1.5], [2.0, 7.0, 1.0, 8.0, 2.5]]
)
def test_interval_of_few_runs_against_all_draws(samples: list[float]) -> None:
    count = len(samples)
    means = sorted(math.fsum(draw) / count for draw in itertools.product(samples, repeat=count))
    low, high = bootstrap_interval(samples)
    assert low == pytest.approx(means[math.ceil(0.025 * len(means)) - 1])
    assert high == pytest.approx(means[math.ceil(0.975 * len(means)) - 1])


def test_interval_covers_the_mean_about_as_often_as_it_says() -> None:
    choose = random.Random(3)
    covered = 0
    for _ in range(200):
        low, high = bootstrap_interval([choose.gauss(10, 1) for _ in range(25)])
        covered += low <= 10 <= high
    assert 0.86 <= covered / 200 <= 0.99  # percentile bootstrap of 25 samples: a little under 95 %


def test_nothing_to_judge() -> None:
    with pytest.raises(ValueError, match="sample"):
        stability([], "measured")
