"""What can be chosen: parameters with their values, the constraints between them, and the configurations that
meet them.

A configuration is a row of *levels*: for each parameter the position of its value in the parameter's list. A
space that is small enough is listed whole; of a larger one configurations are drawn, and neighbours of good
ones made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.autotuning.expression import Columns, Expression
from rocm_perf_lab.errors import BadInput

Value = bool | int | float | str
Configuration = Mapping[str, Value]
Levels = npt.NDArray[np.int32]

# Spaces with up to so many configurations are listed whole: a few megabytes, a second at most.
LISTED = 200_000
# Of larger ones so many are drawn.
DRAWN = 20_000


@dataclass(frozen=True)
class SpaceParameter:
    name: str
    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise BadInput(f"the parameter {self.name!r} has no values")

    @property
    def numeric(self) -> bool:
        """Numbers with an order and a distance; truth values have none that matters."""
        return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in self.values)

    @cached_property
    def column(self) -> npt.NDArray[Any]:
        """Its values as expressions take them."""
        if all(isinstance(value, (bool, int, float)) for value in self.values):
            return np.array([float(value) for value in self.values])
        column = np.empty(len(self.values), dtype=object)
        column[:] = self.values
        return column

    @cached_property
    def level(self) -> dict[tuple[type, Value], int]:
        return {_key(value): level for level, value in reversed(list(enumerate(self.values)))}

    def level_of(self, value: Value) -> int:
        try:
            return self.level[_key(value)]
        except (KeyError, TypeError):
            raise BadInput(f"{value!r} is no value of the parameter {self.name!r}") from None


def _key(value: Value) -> tuple[type, Value]:
    """1, 1.0 and true are equal in Python; a truth value is another value than a number."""
    return (bool if isinstance(value, bool) else str if isinstance(value, str) else float, value)


@dataclass(frozen=True)
class Space:
    parameters: tuple[SpaceParameter, ...]
    constraints: tuple[Expression, ...] = ()
    listed: Levels | None = None
    """The configurations, where they were given one by one."""
    default: Configuration | None = None

    def __post_init__(self) -> None:
        names = [parameter.name for parameter in self.parameters]
        if not names:
            raise BadInput("the space has no parameters")
        if len(set(names)) != len(names):
            raise BadInput("two parameters of the space have the same name")
        for constraint in self.constraints:
            unknown = sorted(constraint.names - set(names))
            if unknown:
                raise BadInput(
                    f"the constraint {constraint.text!r} names {unknown[0]!r}, which is no parameter"
                )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def product(self) -> int:
        """Configurations before constraints."""
        size = 1
        for parameter in self.parameters:
            size *= len(parameter.values)
        return size

    def configuration(self, levels: Sequence[int] | Levels) -> dict[str, Value]:
        return {
            parameter.name: parameter.values[int(level)]
            for parameter, level in zip(self.parameters, levels, strict=True)
        }

    def levels_of(self, configuration: Configuration) -> tuple[int, ...]:
        missing = [name for name in self.names if name not in configuration]
        if missing:
            raise BadInput(f"a configuration does not say what {missing[0]} is")
        return tuple(parameter.level_of(configuration[parameter.name]) for parameter in self.parameters)

    def columns(self, levels: Levels, names: frozenset[str] | None = None) -> Columns:
        return {
            parameter.name: parameter.column[levels[:, place]]
            for place, parameter in enumerate(self.parameters)
            if names is None or parameter.name in names
        }

    def allowed(self, levels: Levels) -> npt.NDArray[np.bool_]:
        """Which rows are configurations of this space."""
        met = np.ones(len(levels), dtype=bool)
        for constraint in self.constraints:
            met &= constraint.holds(self.columns(levels, constraint.names))
        if self.listed is not None and len(levels):
            keys, known = self.keys(levels), self._listed_keys
            places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            met &= known[places] == keys
        return met

    @cached_property
    def _listed_keys(self) -> npt.NDArray[Any]:
        """In order."""
        assert self.listed is not None
        return np.sort(self.keys(self.listed))

    def keys(self, levels: Levels) -> npt.NDArray[Any]:
        """One comparable value a row."""
        if self.product < 2**62:
            weights = np.ones(len(self.parameters), dtype=np.int64)
            for place in range(len(self.parameters) - 2, -1, -1):
                weights[place] = weights[place + 1] * len(self.parameters[place + 1].values)
            return levels.astype(np.int64) @ weights
        rows = np.ascontiguousarray(levels, dtype=np.int32)
        return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()


@dataclass(frozen=True)
class Pool:
    """Configurations to choose from."""

    levels: Levels
    complete: bool
    """All of the space; else a sample."""


def pool_of(space: Space, seed: int, listed: int = LISTED, drawn: int = DRAWN) -> Pool:
    """All configurations where they are not too many, else a sample; both in an order that repeats."""
    if space.listed is not None:
        kept = space.listed
        if space.constraints:
            kept = kept[Space(space.parameters, space.constraints).allowed(kept)]
        return _checked(Pool(np.ascontiguousarray(kept, dtype=np.int32), complete=True))
    whole = _extended(space, listed, None)
    if whole is not None:
        return _checked(Pool(whole, complete=True))
    sample = _extended(space, drawn, np.random.default_rng([seed, 1]))
    assert sample is not None
    return _checked(Pool(sample, complete=False))


def _checked(pool: Pool) -> Pool:
    if not len(pool.levels):
        raise BadInput("no configuration meets the constraints of the space")
    return pool


def _extended(space: Space, most: int, draw: np.random.Generator | None) -> Levels | None:
    """Rows made parameter by parameter; a constraint is applied as soon as all its parameters are there.

    Where rows become more than ``most``, ``draw`` chooses among them; None without it.
    """
    rows = np.zeros((1, 0), dtype=np.int32)
    waiting = list(space.constraints)
    known: set[str] = set()
    for place, parameter in enumerate(space.parameters):
        count = len(parameter.values)
        # Before constraints have their say, rows may be many more than what is left of them.
        if draw is not None and len(rows) * count > 8 * most:
            rows = rows[np.sort(draw.choice(len(rows), size=max(1, 8 * most // count), replace=False))]
        elif draw is None and len(rows) * count > 40 * most:
            return None
        new = np.tile(np.arange(count, dtype=np.int32), len(rows))
        rows = np.column_stack([np.repeat(rows, count, axis=0), new]).astype(np.int32)
        known.add(parameter.name)
        for constraint in [one for one in waiting if one.names <= known]:
            waiting.remove(constraint)
            columns = {
                other.name: other.column[rows[:, column]]
                for column, other in enumerate(space.parameters[: place + 1])
                if other.name in constraint.names
            }
            rows = rows[constraint.holds(columns)] if columns else rows * bool(constraint.holds({})[0])
    if len(rows) <= most:
        return rows
    return None if draw is None else rows[np.sort(draw.choice(len(rows), size=most, replace=False))]
