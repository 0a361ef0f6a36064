"""The regression: gradients against differences, predictions against formulas, updates against fits anew."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from rocm_perf_lab.autotuning.acquisition import log_expected_improvement
from rocm_perf_lab.autotuning.expression import parse
from rocm_perf_lab.autotuning.model import covariance, gaussian_process
from rocm_perf_lab.autotuning.model.combinations import combinations
from rocm_perf_lab.autotuning.model.encoding import Encoding, Points, encode
from rocm_perf_lab.autotuning.model.gaussian_process import prior, settle, sum_of
from rocm_perf_lab.autotuning.model.mixture import Learner, Mixture, Standard
from rocm_perf_lab.autotuning.model.outlook import Outlook
from rocm_perf_lab.autotuning.space import Space, SpaceParameter, pool_of

SPACE = Space(
    (
        SpaceParameter("a", (1, 2, 3, 4, 6, 8, 12)),
        SpaceParameter("b", ("x", "y", "z")),
        SpaceParameter("c", (False, True)),
        SpaceParameter("d", (16, 32, 64)),
        SpaceParameter("fixed", (5,)),
    ),
    (parse("a * d <= 512"),),
)
LEVELS = pool_of(SPACE, 0).levels
ENCODING = encode(SPACE, LEVELS)
DRAW = np.random.default_rng(11)
SEEN = ENCODING.points(LEVELS[DRAW.choice(len(LEVELS), 20, replace=False)])
TARGETS = DRAW.normal(size=20)


def terms(encoding: Encoding, which: str) -> tuple[covariance.Term, ...]:
    if which == "products":
        return (covariance.smooth(encoding), covariance.products(combinations(encoding)))
    return (covariance.smooth(encoding), getattr(covariance, which)(encoding))


@pytest.mark.parametrize("which", ["agreement", "additive", "products"])
def test_gradient_is_that_of_differences(which: str) -> None:
    used = terms(ENCODING, which)
    centre, width = prior(used)
    theta = centre + 0.3 * DRAW.normal(size=len(centre))

    def badness(at: np.ndarray) -> tuple[float, np.ndarray]:
        return gaussian_process._badness(at, used, SEEN, TARGETS, centre, width)

    differences = scipy.optimize.approx_fprime(theta, lambda at: badness(at)[0], 1e-6)
    assert badness(theta)[1] == pytest.approx(differences, abs=1e-4)


@pytest.mark.parametrize("which", ["agreement", "additive", "products"])
def test_predictions_are_those_of_the_textbook(which: str) -> None:
    used = terms(ENCODING, which)
    fitted = settle(used, prior(used)[0], SEEN, TARGETS)
    points = ENCODING.points(LEVELS)
    noisy = sum_of(used, fitted.theta, SEEN, SEEN) + fitted.noise * np.eye(20)
    across = sum_of(used, fitted.theta, points, SEEN)
    mean, variance = fitted.predict(points)
    assert mean == pytest.approx(across @ np.linalg.solve(noisy, TARGETS), abs=1e-6)
    whole = np.diag(sum_of(used, fitted.theta, points, points))
    assert whole == pytest.approx(np.full(len(points), fitted.variance))
    explained = np.einsum("ij,ji->i", across, np.linalg.solve(noisy, across.T))
    assert variance == pytest.approx(whole - explained, abs=1e-6)


def test_left_out_is_what_a_model_without_it_predicts() -> None:
    used = terms(ENCODING, "additive")
    fitted = settle(used, prior(used)[0], SEEN, TARGETS)
    mean, variance = fitted.left_out()
    for one in (0, 7, 19):
        others = np.array([place for place in range(20) if place != one])
        without = settle(used, prior(used)[0], SEEN.rows(others), TARGETS[others])
        expected, scatter = without.predict(SEEN.rows(slice(one, one + 1)))
        assert mean[one] == pytest.approx(expected[0], abs=1e-6)
        assert variance[one] == pytest.approx(scatter[0] + fitted.noise, abs=1e-6)


def test_outlook_that_is_updated_equals_one_made_anew() -> None:
    times = np.exp(TARGETS)
    worked = [number % 4 != 1 for number in range(20)]
    learner = Learner.of(ENCODING)
    first = learner.learn(SEEN.rows(slice(0, 14)), [t if w else None for t, w in zip(times[:14], worked)])  # noqa: B905
    candidates = ENCODING.points(LEVELS)
    outlook = Outlook(first, candidates, room=10)
    for place in range(14, 20):
        outlook.add(SEEN.rows(slice(place, place + 1)), worked[place])
    valid = np.array(worked)
    updated = outlook.expect(times[valid], ())
    assert first.works is not None
    anew = Mixture(
        tuple(
            settle(one.terms, one.theta, SEEN.rows(np.flatnonzero(valid)), Standard.of(times[valid]).targets)
            for one in first.times
        ),
        Standard.of(times[valid]),
        settle(first.works.terms, first.works.theta, SEEN, _labels(worked)),
        tuple(worked),
    ).expect(candidates)
    assert updated.mean == pytest.approx(anew.mean, abs=2e-3)
    assert updated.variance == pytest.approx(anew.variance, abs=2e-3)
    assert updated.works == pytest.approx(anew.works, abs=2e-3)


def _labels(worked: list[bool]) -> np.ndarray:
    from rocm_perf_lab.autotuning.model.mixture import labels

    return labels(worked)[1]


def test_what_is_under_way_makes_its_surroundings_certain_and_changes_no_mean() -> None:
    mixture = Learner.of(ENCODING).learn(SEEN, list(np.exp(TARGETS)))
    candidates = ENCODING.points(LEVELS)
    outlook = Outlook(mixture, candidates, room=10)
    before = outlook.expect(np.exp(TARGETS), ())
    place = int(np.argmax(before.variance))
    pending: list[Points] = [candidates.rows(slice(place, place + 1))]
    during = outlook.expect(np.exp(TARGETS), pending)
    assert during.mean == pytest.approx(before.mean)
    assert during.variance[place] < 0.2 * before.variance[place]
    after = outlook.expect(np.exp(TARGETS), ())
    assert after.variance == pytest.approx(before.variance)


def test_a_law_is_learned() -> None:
    columns = SPACE.columns(LEVELS)
    times = columns["a"] * columns["d"] * np.where(columns["b"] == "y", 0.5, 1.0) * (1 + columns["c"])
    chosen = np.random.default_rng(0).permutation(len(LEVELS))
    seen, others = chosen[:40], chosen[40:]
    mixture = Learner.of(ENCODING).learn(ENCODING.points(LEVELS[seen]), times[seen].tolist())
    predicted = mixture.expect(ENCODING.points(LEVELS[others])).mean
    assert np.abs(predicted - np.log(times[others])).mean() < 0.05


def test_log_expected_improvement_is_its_integral() -> None:
    mean, deviation, best = 0.3, 0.7, 0.1
    grid = np.linspace(mean - 9 * deviation, best, 400_001)
    density = np.exp(-0.5 * ((grid - mean) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi))
    integral = np.trapezoid((best - grid) * density, grid) if hasattr(np, "trapezoid") else None
    if integral is None:
        integral = float(((best - grid) * density).sum() * (grid[1] - grid[0]))
    found = log_expected_improvement(np.array([mean]), np.array([deviation**2]), best)[0]
    assert found == pytest.approx(np.log(integral), abs=1e-5)


def test_log_expected_improvement_has_an_order_far_from_the_best() -> None:
    means = np.array([-1.0, 0.0, 0.9, 1.1, 5.0, 50.0, 1e3, 1e5, 1e7])
    found = log_expected_improvement(means, np.ones(len(means)), 0.0)
    assert np.all(np.isfinite(found))
    assert np.all(np.diff(found) < 0)


def test_places_of_values() -> None:
    points = ENCODING.points(np.array([[0, 0, 0, 0, 0], [6, 1, 1, 2, 0], [4, 2, 0, 1, 0]], dtype=np.int32))
    # a: log2 scale and the power of two within; b: corners; c: one place; d: log2 alone; then a * d.
    assert points.places.shape[1] == 2 + 3 + 1 + 1 + 1
    assert points.places[:2, 0].tolist() == [0.0, 1.0]
    assert points.places[2, 0] == pytest.approx(np.log2(6) / np.log2(12))
    corners = points.places[:, 2:5]
    assert ((corners[0] - corners[1]) ** 2).sum() == pytest.approx(1.0)
    assert points.hot.sum(axis=1).tolist() == [4.0, 4.0, 4.0]
