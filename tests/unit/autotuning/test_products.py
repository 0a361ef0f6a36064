"""Products and ratios of tile sizes: which parameters have them; they are learned where they matter."""

from __future__ import annotations

import numpy as np
import pytest

from rocm_perf_lab.autotuning.model import process
from rocm_perf_lab.autotuning.model.combinations import MOST_TILES, combinations
from rocm_perf_lab.autotuning.model.encoding import Encoding, encode
from rocm_perf_lab.autotuning.model.mixture import Learner
from rocm_perf_lab.autotuning.search import Search
from rocm_perf_lab.autotuning.space import Space, SpaceParameter, Value, pool_of

POWERS = (1, 2, 4, 8, 16, 32, 64, 128)


def encoded(**values: tuple[Value, ...]) -> tuple[Space, Encoding]:
    space = Space(tuple(SpaceParameter(name, choices) for name, choices in values.items()))
    return space, encode(space, pool_of(space, 0).levels)


@pytest.mark.parametrize(
    ("values", "tile"),
    [
        ((16, 32, 64), True),
        ((1, 2, 3, 4), True),
        ((0.5, 1.0, 4.0), True),
        ((96, 24, 48), True),
        (("16", "32", "64"), False),
        ((False, True), False),
        ((0, 1, 2, 4), False),  # nothing times zero
        ((1, 16), False),  # a switch
        ((64, 80, 96), False),  # hardly differ
        ((-4, 4, 8), False),
        ((32, 32, 32), False),
    ],
)
def test_what_may_be_a_size(values: tuple[Value, ...], tile: bool) -> None:
    _, encoding = encoded(words=("x", "y", "z"), size=values, other=POWERS)
    assert len(encoding.tiles) == 1 + tile
    assert combinations(encoding).shape[1] == (2 if tile else 0)


def test_combinations_are_products_and_ratios() -> None:
    space, encoding = encoded(m=POWERS, flag=(0, 1), n=(3, 6, 12, 24), k=(1, 4))
    found = combinations(encoding)
    levels = pool_of(space, 0).levels
    columns = space.columns(levels)
    values = encoding.points(levels).places @ found
    for place, expected in enumerate((columns["m"] * columns["n"], columns["m"] / columns["n"])):
        slope, _ = np.polyfit(np.log2(expected.astype(float)), values[:, place], 1)
        assert np.corrcoef(np.log2(expected.astype(float)), values[:, place])[0, 1] == pytest.approx(1.0)
        assert slope == pytest.approx(1 / 10)  # seven octaves of m and three of n
    assert np.ptp(values, axis=0) == pytest.approx([1.0, 1.0])


def test_many_parameters_stay_cheap() -> None:
    space = Space(tuple(SpaceParameter(f"p{number}", POWERS) for number in range(30)))
    encoding = encode(space, np.array([[0] * 30, [7] * 30], dtype=np.int32))
    pairs, triples = MOST_TILES * (MOST_TILES - 1), 4 * MOST_TILES * (MOST_TILES - 1) * (MOST_TILES - 2) // 6
    assert combinations(encoding).shape[1] == pairs + triples


SIZES, ENCODING = encoded(m=POWERS, n=POWERS, threads=(32, 64, 128, 256, 512), order=("row", "column"))
LEVELS = pool_of(SIZES, 0).levels


def work_per_thread(by_shape: float) -> np.ndarray:
    columns = SIZES.columns(LEVELS)
    work = np.log2((columns["m"] * columns["n"] / columns["threads"]).astype(float))
    shape = np.log2((columns["m"] / columns["n"]).astype(float))
    return np.asarray(
        1 + 0.5 * np.abs(work - 2) + by_shape * np.abs(shape - 2) + 0.3 * (columns["order"] == "column")
    )


def without_products(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST", 0)


def test_a_ratio_of_three_is_chosen_and_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    times = work_per_thread(0.0)
    order = np.random.default_rng(1).permutation(len(LEVELS))
    seen, others = order[:25], order[25:]

    def missed() -> tuple[float, list[int]]:
        learner = Learner.of(ENCODING)
        mixture = learner.learn(ENCODING.points(LEVELS[seen]), times[seen].tolist())
        predicted = mixture.expect(ENCODING.points(LEVELS[others])).mean
        return float(np.sqrt(np.mean((predicted - np.log(times[others])) ** 2))), learner.times[1].chosen

    error, chosen = missed()
    direction = combinations(ENCODING)[:, chosen[0]]
    assert np.sign(direction[:3]).tolist() == [1.0, 1.0, -1.0]
    without_products(monkeypatch)
    plain, none = missed()
    assert none == []
    assert error < 0.75 * plain


def test_what_has_no_products_gets_none() -> None:
    columns = SIZES.columns(LEVELS)
    apart = 1 + 0.3 * np.abs(np.log2(columns["m"]) - 3) + 0.2 * np.abs(np.log2(columns["n"]) - 5)
    order = np.random.default_rng(2).permutation(len(LEVELS))[:30]
    learner = Learner.of(ENCODING)
    learner.learn(ENCODING.points(LEVELS[order]), apart[order].tolist())
    assert learner.times[1].chosen == []


def test_a_law_of_a_product_needs_fewer_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    times = dict(zip(map(tuple, LEVELS.tolist()), work_per_thread(0.1).tolist(), strict=True))

    def needed(seed: int) -> int:
        search = Search(SIZES, pool_of(SIZES, seed), seed)
        for count in range(1, 41):
            row = search.suggest()
            assert row is not None
            search.observe(row, times[row])
            if times[row] == min(times.values()):
                return count
        return 41

    with_products = [needed(seed) for seed in range(3)]
    without_products(monkeypatch)
    assert np.mean(with_products) < 0.7 * np.mean([needed(seed) for seed in range(3)])
