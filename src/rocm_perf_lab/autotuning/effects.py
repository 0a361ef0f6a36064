"""Which parameters matter, and what each of their values does: asked of the model, over the whole space."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocm_perf_lab.autotuning.search import Row, Search
from rocm_perf_lab.contracts.changes.autotune import ParameterEffect, ValueEffect

SAMPLE = 2000


def effects(search: Search, seed: int) -> tuple[ParameterEffect, ...]:
    """By importance: the share of the variance of predicted log time that is gone when a parameter is known.

    For each parameter its value is drawn anew in configurations drawn at random, all else left; half the mean
    square of what that changes, over the variance, is Sobol's total index (Jansen, 1999).
    """
    if search.mixture is None:
        return ()
    draw = np.random.default_rng([seed, 3])
    pool = search.pool.levels
    listed = pool[draw.permutation(len(pool))[:SAMPLE]]
    expected = search.mixture.expect(search.points(listed)).mean
    levels = pool[draw.integers(len(pool), size=SAMPLE)]
    plain = search.mixture.expect(search.points(levels)).mean
    whole = float(np.var(plain))
    best = _best_by_value(search.tried)
    found = []
    for place, parameter in enumerate(search.space.parameters):
        if len(parameter.values) < 2:
            continue
        shuffled = levels.copy()
        shuffled[:, place] = pool[draw.integers(len(pool), size=SAMPLE), place]
        changed = search.mixture.expect(search.points(shuffled)).mean
        importance = 0.5 * float(np.mean((changed - plain) ** 2)) / whole if whole > 0 else 0.0
        means = {
            level: float(expected[listed[:, place] == level].mean())
            for level in range(len(parameter.values))
            if (listed[:, place] == level).any()
        }
        least = min(means.values())
        found.append(
            ParameterEffect(
                name=parameter.name,
                importance=importance,
                values=tuple(
                    ValueEffect(
                        value=parameter.values[level],
                        relative=float(np.exp(mean - least)),
                        runs=best.get((place, level), (0, None))[0],
                        best=best.get((place, level), (0, None))[1],
                    )
                    for level, mean in means.items()
                ),
            )
        )
    return tuple(sorted(found, key=lambda one: -one.importance))


def _best_by_value(tried: Mapping[Row, float | None]) -> dict[tuple[int, int], tuple[int, float | None]]:
    found: dict[tuple[int, int], tuple[int, float | None]] = {}
    for row, time in tried.items():
        for place, level in enumerate(row):
            runs, best = found.get((place, level), (0, None))
            better = time if best is None else best if time is None else min(best, time)
            found[place, level] = (runs + 1, better)
    return found
