"""Tolerances: the line above all spreads, and what users may write."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.replaying.memory.tolerance import MARGIN, SpreadLine, Tolerance, parse_tolerances

POINTS = st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e3)), min_size=1, max_size=40)


@given(POINTS, st.integers(0, 40))
def test_the_line_lies_above_every_point(points: list[tuple[float, float]], cut: int) -> None:
    line = SpreadLine()
    for part in (points[:cut], points[cut:]):
        line.add(np.array([x for x, _ in part]), np.array([d for _, d in part]))
    found = line.line()
    assert found.atol >= 0
    assert found.rtol >= 0
    for x, d in points:
        assert found.atol + found.rtol * x >= d * (1 - 1e-9)
    learned = line.learned()
    assert (learned.atol, learned.rtol) == (MARGIN * found.atol, MARGIN * found.rtol)


@given(POINTS)
def test_no_allowed_line_is_much_lower(points: list[tuple[float, float]]) -> None:
    """Against a search over lines through pairs of points, which the optimum is among."""
    line = SpreadLine()
    line.add(np.array([x for x, _ in points]), np.array([d for _, d in points]))
    mean = sum(x for x, _ in points) / len(points)
    found = line.line()
    candidates = [(max(d for _, d in points), 0.0)]
    if all(x > 0 for x, d in points if d > 0):
        candidates.append((0.0, max((d / x for x, d in points if d > 0), default=0.0)))
    for x0, d0 in points:
        for x1, d1 in points:
            if x1 - x0 > 1e-9 * max(x0, x1):
                slope = (d1 - d0) / (x1 - x0)
                candidates.append((d0 - slope * x0, slope))
    possible = [
        a + r * mean
        for a, r in candidates
        if a >= 0 and r >= 0 and all(a + r * x >= d * (1 - 1e-12) for x, d in points)
    ]
    # Bins make it too steep by at most 2^(1/8).
    assert found.atol + found.rtol * mean <= min(possible) * 2 ** (1 / 8) * (1 + 1e-6) + 1e-300


def test_a_proportional_spread_gives_a_relative_tolerance() -> None:
    line = SpreadLine()
    x = np.geomspace(1, 1e6, 100)
    line.add(x, x * 1e-6)
    assert line.line().atol < 1e-6
    assert line.line().rtol == pytest.approx(1e-6, rel=0.1)


def test_a_constant_spread_gives_an_absolute_tolerance() -> None:
    line = SpreadLine()
    line.add(np.geomspace(1e-9, 1, 100), np.full(100, 1e-7))
    assert line.line() == Tolerance(0.0, 1e-7)


def test_requests() -> None:
    tolerance = parse_tolerances(1e-5, None, ["out=1e-3,2e-4"])
    assert tolerance.of(["in"]) == Tolerance(1e-5, 0)
    assert tolerance.of(["in", "out"]) == Tolerance(1e-3, 2e-4)
    assert parse_tolerances(None, None, []).of(["out"]) is None
    tolerance.check(["in", "out"])
    with pytest.raises(UsageProblem, match="out"):
        tolerance.check(["in", "result"])


@pytest.mark.parametrize(
    "text", ["out", "out=1", "out=a,b", "out=1,2,3", "out=-1,0", "out=nan,0", "out=inf,0"]
)
def test_bad_requests(text: str) -> None:
    with pytest.raises(UsageProblem):
        parse_tolerances(None, None, [text])
