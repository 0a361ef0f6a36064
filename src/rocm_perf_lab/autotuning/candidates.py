"""Configurations that a suggestion is chosen from: all that are left of a small space; of a large one some
drawn at random and the neighbours of the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocm_perf_lab.autotuning.space import Levels, Pool, Space

# Scored at once: what takes a suggestion to tens of milliseconds.
MOST = 10_000
DRAWN = 7_000


def candidates(
    space: Space, pool: Pool, tried: Levels, best: Sequence[Sequence[int]], draw: np.random.Generator
) -> Levels:
    """Configurations not tried yet, ``best`` being those whose neighbours are of interest, in random
    order."""
    levels = pool.levels
    if not pool.complete or len(levels) > MOST:
        some = levels[draw.choice(len(levels), size=min(DRAWN, len(levels)), replace=False)]
        near = [neighbours(space, row) for row in best]
        levels = np.concatenate([some, *near])
        _, first = np.unique(space.keys(levels), return_index=True)
        levels = levels[np.sort(first)][:MOST]
        levels = levels[space.allowed(levels)]
    left = levels[~np.isin(space.keys(levels), space.keys(tried))] if len(tried) else levels
    return left[draw.permutation(len(left))]


def neighbours(space: Space, row: Sequence[int]) -> Levels:
    """One parameter changed to any of its values, or two to the next value up or down."""
    here = np.array(row, dtype=np.int32)
    counts = [len(parameter.values) for parameter in space.parameters]
    changed = []
    for place, count in enumerate(counts):
        for level in range(count):
            if level != here[place]:
                other = here.copy()
                other[place] = level
                changed.append(other)
    steps = [
        (place, here[place] + step)
        for place, count in enumerate(counts)
        for step in (-1, 1)
        if 0 <= here[place] + step < count
    ]
    for number, (place, level) in enumerate(steps):
        for second, other_level in steps[number + 1 :]:
            if second != place:
                other = here.copy()
                other[place], other[second] = level, other_level
                changed.append(other)
    return np.array(changed, dtype=np.int32).reshape(-1, len(counts))
