"""Spaces: what meets the constraints, listed or drawn, against brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rocm_perf_lab.autotuning.expression import parse
from rocm_perf_lab.autotuning.space import Space, SpaceParameter, pool_of
from rocm_perf_lab.errors import BadInput


def space(values: dict[str, list[object]], *constraints: str) -> Space:
    parameters = tuple(SpaceParameter(name, tuple(listed)) for name, listed in values.items())  # type: ignore[arg-type]
    return Space(parameters, tuple(parse(text) for text in constraints))


def test_lists_what_brute_force_lists() -> None:
    values = {"a": [1, 2, 3, 4], "b": ["x", "y"], "c": [8, 16, 32], "d": [False, True]}
    tuned = space(values, "a * c <= 64", "b == 'x' or d", "c % a == 0")
    pool = pool_of(tuned, 0)
    listed = [tuple(tuned.configuration(row).values()) for row in pool.levels]
    wanted = [
        row
        for row in itertools.product(*values.values())
        if row[0] * row[2] <= 64 and (row[1] == "x" or row[3]) and row[2] % row[0] == 0
    ]
    assert listed == wanted
    assert pool.complete
    assert tuned.allowed(pool.levels).all()


def test_levels_and_configurations_are_inverse() -> None:
    tuned = space({"a": [1, True, 2.5, "1"], "b": [0, False]})
    for row in itertools.product(range(4), range(2)):
        assert tuned.levels_of(tuned.configuration(row)) == row
    with pytest.raises(BadInput, match="is no value"):
        tuned.levels_of({"a": 3, "b": 0})
    with pytest.raises(BadInput, match="does not say what b is"):
        tuned.levels_of({"a": 1})


def test_large_spaces_are_drawn_and_not_listed() -> None:
    tuned = space({f"p{number}": list(range(1, 21)) for number in range(8)}, "p0 * p1 <= 64", "p6 % p7 == 0")
    pool = pool_of(tuned, 3)  # a list of all of them would not come to its end
    assert not pool.complete
    assert 1000 <= len(pool.levels) <= 20_000
    assert tuned.allowed(pool.levels).all()
    assert len(np.unique(tuned.keys(pool.levels))) == len(pool.levels)
    assert (pool.levels == pool_of(tuned, 3).levels).all()
    assert not np.array_equal(pool.levels, pool_of(tuned, 4).levels)
    # Every value of every parameter that the constraints allow occurs.
    assert all(len(np.unique(pool.levels[:, place])) >= 15 for place in range(8))


def test_more_configurations_than_an_integer_counts_have_keys() -> None:
    tuned = space({f"p{number}": list(range(100)) for number in range(12)})
    rows = np.array([[0] * 12, [0] * 11 + [1], [99] * 12], dtype=np.int32)
    assert tuned.product > 2**62
    assert len(np.unique(tuned.keys(rows))) == 3


def test_spaces_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadInput, match="no configuration meets"):
        pool_of(space({"a": [1, 2]}, "a > 3"), 0)
    with pytest.raises(BadInput, match="which is no parameter"):
        space({"a": [1]}, "b > 3")
    with pytest.raises(BadInput, match="has no values"):
        space({"a": []})
    with pytest.raises(BadInput, match="no parameters"):
        space({})


def test_only_listed_rows_are_allowed() -> None:
    parameters = (SpaceParameter("a", (1, 2, 3)), SpaceParameter("b", ("x", "y", "z")))
    listed = np.array([[2, 1], [0, 0], [1, 2]], dtype=np.int32)
    every = np.array(list(itertools.product(range(3), range(3))), dtype=np.int32)
    allowed = every[Space(parameters, (), listed).allowed(every)]
    assert sorted(map(tuple, allowed.tolist())) == sorted(map(tuple, listed.tolist()))


def test_listed_rows_beyond_what_an_integer_counts() -> None:
    parameters = tuple(SpaceParameter(f"p{number}", tuple(range(100))) for number in range(12))
    listed = np.array([[7] * 12, [0] * 12], dtype=np.int32)
    rows = np.array([[0] * 12, [7] * 11 + [8], [7] * 12], dtype=np.int32)
    assert Space(parameters, (), listed).allowed(rows).tolist() == [True, False, True]
