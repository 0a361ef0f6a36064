"""Importance of parameters: known shares of a law that is learned completely."""

from __future__ import annotations

import numpy as np
import pytest

from rocm_perf_lab.autotuning.effects import effects
from rocm_perf_lab.autotuning.search import Search
from rocm_perf_lab.autotuning.space import Space, SpaceParameter, pool_of


def test_shares_are_those_of_the_law() -> None:
    """log time = 3 f + 1 g with f, g from -1 to 1: 90 % and 10 % of the variance; the third does nothing."""
    space = Space(
        (
            SpaceParameter("f", (1, 2, 4, 8, 16)),
            SpaceParameter("nothing", ("a", "b", "c")),
            SpaceParameter("g", (1, 2, 4, 8, 16)),
            SpaceParameter("fixed", (7,)),
        )
    )
    search = Search(space, pool_of(space, 0), 0)
    for row in map(tuple, search.pool.levels.tolist()):
        search.observe(row, float(np.exp(3 * (row[0] - 2) / 2 + (row[2] - 2) / 2)))
    search.learn_all()
    found = effects(search, 0)
    assert [one.name for one in found] == ["f", "g", "nothing"]
    assert found[0].importance == pytest.approx(0.9, abs=0.04)
    assert found[1].importance == pytest.approx(0.1, abs=0.02)
    assert found[2].importance < 0.01
    values = found[0].values
    assert [one.value for one in values] == [1, 2, 4, 8, 16]
    assert [one.relative for one in values] == pytest.approx(
        [float(np.exp(1.5 * step)) for step in range(5)], rel=0.05
    )
    assert all(one.runs == 15 for one in values)
    assert values[0].best == pytest.approx(float(np.exp(-4.0)))


def test_no_model_no_effects() -> None:
    space = Space((SpaceParameter("a", (1, 2)),))
    assert effects(Search(space, pool_of(space, 0), 0), 0) == ()
