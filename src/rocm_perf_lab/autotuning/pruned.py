"""Configurations that were not run, and why not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocm_perf_lab.autotuning.search import Search
from rocm_perf_lab.autotuning.space import Space
from rocm_perf_lab.contracts.changes.autotune import Pruned, TrialFailure

# Counted as predicted to be slower when they are expected to take so many times as long as the best. Chosen.
FACTOR = 1.5
NO_MODEL = "nothing worked, so that there is no model"


def pruned(search: Search, factor: float | None, never_run: Mapping[TrialFailure, int]) -> Pruned:
    used = factor if factor is not None else FACTOR
    space, pool = search.space, search.pool
    outside = space.product - len(pool.levels) if pool.complete else 0
    if search.mixture is None or search.best is None:
        missing = dict.fromkeys(("predicted_slower", "expected_to_fail", "not_reached"), NO_MODEL)
        return Pruned(
            origin="derived",
            missing=missing,
            factor=used,
            by_constraints=outside,
            predicted_slower=None,
            expected_to_fail=None,
            not_reached=None,
            not_compiled=never_run.get("compile", 0),
            not_launchable=never_run.get("launch", 0),
        )
    left = pool.levels[~np.isin(space.keys(pool.levels), _tried_keys(search, space))]
    slower = failing = 0
    for first in range(0, len(left), 10_000):  # a table of all at once would be large
        expected = search.mixture.expect(search.points(left[first : first + 10_000]))
        fails = expected.works < 0.5
        failing += int(fails.sum())
        slower += int((~fails & (expected.mean > np.log(used * search.best[1]))).sum())
    return Pruned(
        origin="derived",
        factor=used,
        by_constraints=outside,
        predicted_slower=slower,
        expected_to_fail=failing,
        not_reached=len(left) - slower - failing,
        not_compiled=never_run.get("compile", 0),
        not_launchable=never_run.get("launch", 0),
    )


def _tried_keys(search: Search, space: Space) -> np.ndarray:
    """Of those that were built and not run, too, which are counted by themselves."""
    return np.asarray(space.keys(np.array([*search.tried, *search.impossible], dtype=np.int32)))
