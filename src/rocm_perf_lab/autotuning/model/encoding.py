"""Configurations as numbers for the regression: places on scales for each parameter, and which level each one
has.

A numeric parameter is a place on a log2 scale (kernels care about ratios of sizes, not differences) and,
where values are not all powers of two, a second place for the power of two that divides them (alignment
matters on GPUs). Any other parameter is a corner of a simplex: all its values are equally far apart. What the
author compares in constraints (threads of a group, bytes of LDS) is a place on a scale of its own. Which
parameters may be sizes of tiles is known here, too: their products and ratios are directions on these scales.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.autotuning.space import Levels, Space, SpaceParameter

Floats = npt.NDArray[np.float64]

# Kernels over single levels need a table of levels by levels: neighbours of a long list share an entry.
MOST_LEVELS = 64
LEAST_OCTAVES = 2.0  # of a tile size; chosen


@dataclass(frozen=True)
class Points:
    """Configurations, encoded."""

    places: Floats
    """Rows by scales, each from 0 to 1."""
    hot: Floats
    """Rows by levels of all parameters: 1 where the row has the level."""
    figures: Floats
    """Rows by what compiled code tells, about 0 to 1; no columns where nothing is compiled."""
    trust: Floats
    """For each row how far its figures are to be believed: 1 where it was compiled."""

    def __len__(self) -> int:
        return len(self.places)

    def rows(self, which: npt.NDArray[np.intp] | slice) -> Points:
        return Points(self.places[which], self.hot[which], self.figures[which], self.trust[which])

    def joined(self, other: Points) -> Points:
        return Points(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.hot, other.hot]),
            np.concatenate([self.figures, other.figures]),
            np.concatenate([self.trust, other.trust]),
        )


@dataclass(frozen=True)
class Tile:
    """A parameter that may be a size, which makes sense in products and ratios."""

    scale: int
    """Where it is, on a logarithmic scale."""
    octaves: float
    """How often it doubles from its least to its largest value."""


@dataclass(frozen=True)
class Encoding:
    tables: tuple[Floats, ...]
    """For each parameter that varies: its levels by its scales."""
    coarse: tuple[npt.NDArray[np.int32], ...]
    """For each of them: the entry of each level."""
    columns: tuple[int, ...]
    """Which parameters of the space these are."""
    derived: Callable[[Levels], Floats]
    derived_count: int
    tiles: tuple[Tile, ...]

    @property
    def scale_groups(self) -> npt.NDArray[np.intp]:
        """For each scale the length it is measured by: corners of one parameter share theirs."""
        groups: list[int] = []
        for table in self.tables:
            first = max(groups, default=-1) + 1
            corners = table.shape[1] > 2
            groups += [first + (0 if corners else place) for place in range(table.shape[1])]
        first = max(groups, default=-1) + 1
        return np.array([*groups, *range(first, first + self.derived_count)], dtype=np.intp)

    @property
    def level_owner(self) -> npt.NDArray[np.intp]:
        """For each level (column of ``hot``) the parameter it is of."""
        counts = [int(coarse.max()) + 1 for coarse in self.coarse]
        return np.repeat(np.arange(len(counts)), counts)

    @property
    def level_distance(self) -> Floats:
        """Squared distances between levels of one parameter on its scales; infinite between parameters."""
        owner = self.level_owner
        squared = np.full((len(owner), len(owner)), np.inf)
        for number, (table, coarse) in enumerate(zip(self.tables, self.coarse, strict=True)):
            count = int(coarse.max()) + 1
            mean = np.array([table[coarse == entry].mean(axis=0) for entry in range(count)])
            block = np.flatnonzero(owner == number)
            squared[np.ix_(block, block)] = ((mean[:, None, :] - mean[None, :, :]) ** 2).sum(axis=2)
        return squared

    def points(self, levels: Levels) -> Points:
        places = [table[levels[:, column]] for table, column in zip(self.tables, self.columns, strict=True)]
        places.append(self.derived(levels))
        owner = self.level_owner
        hot = np.zeros((len(levels), len(owner)))
        rows = np.arange(len(levels))
        first = 0
        for coarse, column in zip(self.coarse, self.columns, strict=True):
            hot[rows, first + coarse[levels[:, column]]] = 1.0
            first += int(coarse.max()) + 1
        nothing = np.zeros((len(levels), 0))
        return Points(np.concatenate(places, axis=1), hot, nothing, np.zeros(len(levels)))


def encode(space: Space, sample: Levels) -> Encoding:
    """The encoding of a space; ``sample`` shows which parameters vary and how far derived figures reach."""
    varying = [place for place in range(len(space.parameters)) if np.ptp(sample[:, place]) > 0]
    chosen = [space.parameters[place] for place in varying]
    derived, count = _derived(space, sample)
    tables = tuple(_table(parameter) for parameter in chosen)
    return Encoding(
        tables=tables,
        coarse=tuple(_coarse(parameter) for parameter in chosen),
        columns=tuple(varying),
        derived=derived,
        derived_count=count,
        tiles=_tiles(chosen, tables),
    )


def _tiles(parameters: Sequence[SpaceParameter], tables: Sequence[Floats]) -> tuple[Tile, ...]:
    """Numbers above zero, three at least, that reach over two octaves at least: flags and choices do not."""
    found, scale = [], 0
    for parameter, table in zip(parameters, tables, strict=True):
        if parameter.numeric and len(set(parameter.values)) > 2 and parameter.column.min() > 0:
            octaves = float(np.ptp(np.log2(parameter.column)))
            if octaves >= LEAST_OCTAVES:
                found.append(Tile(scale, octaves))
        scale += table.shape[1]
    return tuple(found)


def _table(parameter: SpaceParameter) -> Floats:
    if not parameter.numeric:
        if len(parameter.values) == 2:
            return np.array([[0.0], [1.0]])
        return np.asarray(np.eye(len(parameter.values)) / np.sqrt(2))  # corners at distance 1
    values = np.array([float(value) for value in parameter.values])
    scales = [_spread(_stretched(values))]
    whole = np.all(values == np.round(values)) and np.all(values >= 0)
    if whole and len(values) > 2:
        scale = _power_in(values)
        if np.ptp(scale) > 0 and len({*zip(scale, strict=True)}) > 1 and not _powers_of_two(values):
            scales.append(_spread(scale))
    return np.column_stack(scales)


def _stretched(values: Floats) -> Floats:
    """On a log2 scale, if need be shifted by the smallest value above zero; plain where there are
    negatives."""
    if values.min() < 0:
        return values
    if values.min() == 0:
        above = values[values > 0]
        return np.log2(values + above.min()) if len(above) else values
    return np.log2(values)


def _powers_of_two(values: Floats) -> bool:
    above = values[values > 0]
    return bool(np.all(np.log2(above) == np.round(np.log2(above))))


def _power_in(values: Floats) -> Floats:
    """Which power of two divides each number; of zero that of the largest number."""
    numbers = values.astype(np.int64)
    powers = np.array([(number & -number).bit_length() - 1 if number else -1 for number in numbers.tolist()])
    return np.where(powers < 0, powers.max(), powers).astype(float)


def _spread(values: Floats) -> Floats:
    reach = np.ptp(values)
    return (values - values.min()) / reach if reach > 0 else np.zeros_like(values)


def _coarse(parameter: SpaceParameter) -> npt.NDArray[np.int32]:
    count = len(parameter.values)
    order = np.argsort(np.argsort(parameter.column)) if parameter.numeric else np.arange(count)
    return (order * min(count, MOST_LEVELS) // count).astype(np.int32)


def _derived(space: Space, sample: Levels) -> tuple[Callable[[Levels], Floats], int]:
    """What is compared in constraints, each on a log2 scale where it is never negative."""
    kept = []
    for side in {side.text: side for one in space.constraints for side in one.sides()}.values():
        value = np.asarray(side.of(space.columns(sample, side.names)))
        if value.dtype.kind != "f" or not np.all(np.isfinite(value)) or np.ptp(value) == 0:
            continue
        logarithmic = bool(value.min() > 0)
        value = np.log2(value) if logarithmic else value
        kept.append((side, logarithmic, float(value.min()), float(np.ptp(value))))

    def derived(levels: Levels) -> Floats:
        found = np.zeros((len(levels), len(kept)))
        for place, (side, logarithmic, least, reach) in enumerate(kept):
            value = np.asarray(side.of(space.columns(levels, side.names)), dtype=float)
            with np.errstate(all="ignore"):
                value = np.log2(value) if logarithmic else value
            found[:, place] = np.clip(np.nan_to_num((value - least) / reach), -1.0, 2.0)
        return found

    return derived, len(kept)
