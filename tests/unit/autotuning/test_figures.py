"""Coordinates of what compiled code tells: known, expected, and of use to the search."""

from __future__ import annotations

import numpy as np
import pytest

from rocm_perf_lab.autotuning.model.figures import NAMES, FigureScales, coordinates
from rocm_perf_lab.autotuning.search import Row, Search
from rocm_perf_lab.autotuning.space import Space, SpaceParameter, pool_of

NUMBERS = Space((SpaceParameter("m", (1, 2, 4, 8, 16, 32)), SpaceParameter("n", (1, 2, 4, 8, 16, 32))))
WORDS = Space(
    (
        SpaceParameter("a", tuple(f"a{n}" for n in range(10))),
        SpaceParameter("b", tuple(f"b{n}" for n in range(10))),
    )
)


def test_coordinates() -> None:
    found = dict(
        zip(NAMES, coordinates({"arch_vgprs": 100, "accum_vgprs": 27, "occupancy": 0.5}), strict=True)
    )
    assert found["vgprs"] == 7.0  # log2 of 128
    assert found["occupancy"] == 0.5
    assert np.isnan(found["lds"])


def test_what_was_not_compiled_is_expected_from_what_was() -> None:
    """Registers grow with the tile: those of tiles in between lie in between."""
    search = Search(NUMBERS, pool_of(NUMBERS, 0), 0)
    for row in ((0, 0), (2, 2), (3, 1), (5, 5), (1, 4), (4, 3)):
        tile = NUMBERS.configuration(row)
        registers = 16.0 * int(tile["m"]) * int(tile["n"])
        search.learn_figures(row, {"arch_vgprs": registers, "sgprs": 30.0})
        search.observe(row, registers)
    search.learn_all()
    place = list(NAMES).index("vgprs")
    rows = np.array([(0, 0), (1, 1), (3, 3), (5, 5)], dtype=np.int32)
    found = search.points(rows).figures
    assert np.all(np.diff(found[:, place]) > 0)
    assert found[0, place] == pytest.approx(0.0)
    assert found[3, place] == pytest.approx(1.0)
    assert search.figures == ("vgprs",)  # scalar registers are the same in all
    trust = search.points(rows).trust
    assert trust[0] == trust[3] == 1.0
    assert 0.5 < trust[2] < 1.0


def test_nothing_compiled_nothing_changes() -> None:
    search = Search(NUMBERS, pool_of(NUMBERS, 0), 0)
    search.learn_figures((0, 0), {})
    search.observe((0, 0), 1.0)
    search.learn_all()
    assert search.figures == ()
    assert search.points(np.array([(0, 0)], dtype=np.int32)).figures.shape == (1, 0)


def _runs_until_good(seed: int, told: bool) -> int:
    """Time goes with registers, which were drawn for each pair of words."""
    registers = np.random.default_rng(5).integers(16, 256, size=(10, 10))
    search = Search(WORDS, pool_of(WORDS, seed), seed)
    good = np.sort(registers.ravel())[2]

    def look(row: Row) -> None:
        if told:
            search.learn_figures(row, {"arch_vgprs": float(registers[row])})

    for number in range(1, 31):
        rows = search.shortlist(4)
        for row in rows:
            look(row)
        row = search.best_of(rows)
        look(row)
        search.begin(row)
        search.observe(row, float(registers[row]))
        if registers[row] <= good:
            return number
    return 31


def test_figures_shorten_the_search() -> None:
    with_them = [_runs_until_good(seed, True) for seed in range(3)]
    without = [_runs_until_good(seed, False) for seed in range(3)]
    assert np.median(with_them) < 0.75 * np.median(without)


def test_the_impossible_is_not_suggested() -> None:
    small = Space((SpaceParameter("m", (1, 2, 4)), SpaceParameter("n", (1, 2, 4))))
    search = Search(small, pool_of(small, 0), 0)
    gone = {(2, 2), (2, 1)}
    for row in gone:
        search.exclude(row)
    seen = set()
    while (row := search.suggest()) is not None:
        seen.add(row)
        search.observe(row, 1.0 + sum(row))
    assert len(seen) == 9 - 2
    assert not seen & gone


def test_figures_that_some_lack() -> None:
    """A code object of another compiler may tell less."""
    search = Search(NUMBERS, pool_of(NUMBERS, 0), 0)
    terms = search._learner.plain
    seen = search.points(np.array([(0, 0), (1, 1)], dtype=np.int32))
    scales = FigureScales.of(terms, seen, [coordinates({"sgprs": 10.0}), coordinates({"arch_vgprs": 10.0})])
    figures, trust = scales.expected(seen)
    assert np.all(np.isfinite(figures))
    assert np.all(trust == 0)  # two variants prove nothing
    assert np.all(np.isfinite(scales.exact(coordinates({"sgprs": 10.0}), figures[0])))
