"""The search: which configuration to run next, given what earlier ones took. The same seed gives the same
sequence."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.autotuning.acquisition import log_expected_improvement
from rocm_perf_lab.autotuning.candidates import candidates
from rocm_perf_lab.autotuning.confidence import confidence
from rocm_perf_lab.autotuning.model.encoding import Floats, Points, encode
from rocm_perf_lab.autotuning.model.figures import NAMES, FigureScales, coordinates
from rocm_perf_lab.autotuning.model.mixture import Expected, Learner, Mixture, chance, labels
from rocm_perf_lab.autotuning.model.outlook import Outlook
from rocm_perf_lab.autotuning.space import Levels, Pool, Space

Row = tuple[int, ...]

SEEDS = 6
# The model is fitted at each step as long as that is quick and each observation matters much, then whenever a
# twelfth more has been observed.
REFIT_ALWAYS = 40
REFIT_SHARE = 12
LEAST_BETWEEN = 5
# Neighbours of so many of the best are candidates in spaces too large to be scored whole.
BEST = 5
# Of another tuning of the space the first to be tried are among so many of its best.
TRANSFERRED = 20
LIKELY = 8
# Beyond so many observations the model learns from the best of them and a sample of the others.
LEARNED = 400
# Where configurations fail, further seeds are drawn, and among the likeliest to work the farthest is taken.
# Chosen on spaces of several kinds (benchmarks/autotune_spaces.py).
DRAWN_SEEDS = 16
LIKELY_SEEDS = 3


class Search:
    """Suggests configurations and learns from what they took; several may be under way at once."""

    def __init__(
        self, space: Space, pool: Pool, seed: int, seeds: int = SEEDS, prune_factor: float | None = None
    ) -> None:
        """With ``prune_factor`` nothing is suggested that a model which can be believed expects to take so
        many times as long as the best."""
        self.space, self.pool, self.prune_factor = space, pool, prune_factor
        self.tried: dict[Row, float | None] = {}
        self.under_way: dict[Row, Points] = {}
        self.mixture: Mixture | None = None
        self.likely: list[Row] = []
        """What might be suggested after the last suggestion, most likely first."""
        self.all_pruned = False
        """The last suggestion was none because everything left was pruned."""
        self._draw = np.random.default_rng([seed, 2])
        self._encoding = encode(space, pool.levels)
        self._learner = Learner.of(self._encoding)
        self._first = self._seeds(seeds)
        self._order = iter(self._draw.permutation(len(pool.levels)).tolist())
        self._outlook: Outlook | None = None
        self._candidates: Levels = pool.levels[:0]
        self._open = np.zeros(0, dtype=bool)
        self._place: dict[Row, int] = {}
        self._fresh: list[tuple[Row, float | None]] = []
        self.impossible: set[Row] = set()
        """Known not to work without having been run."""
        self._told: dict[Row, Floats] = {}
        self._scales: FigureScales | None = None

    @property
    def seeds(self) -> tuple[Row, ...]:
        """Those of the first that are still to come."""
        return tuple(self._first)

    @property
    def figures(self) -> tuple[str, ...]:
        """What compiled code tells that the model takes into account."""
        return self._scales.varying if self._scales is not None else ()

    def points(self, levels: Levels) -> Points:
        """Configurations as the model sees them."""
        points = self._encoding.points(levels)
        if self._scales is None:
            return points
        figures, trust = self._scales.expected(points)
        for place, row in enumerate(map(tuple, levels.tolist())):
            if row in self._told:
                figures[place] = self._scales.exact(self._told[row], figures[place])
                trust[place] = 1.0
        return replace(points, figures=figures, trust=trust)

    def learn_figures(self, row: Row, figures: Mapping[str, float]) -> None:
        """What the code object of a configuration tells, whether it was run or not."""
        if figures:
            self._told[row] = coordinates(figures)

    def exclude(self, row: Row) -> None:
        """One that is known to fail without a run: it is learned from, and not suggested any more."""
        self.impossible.add(row)
        self._first = [other for other in self._first if other != row]
        self._outlook = None

    def learn_all(self) -> None:
        """Fits the model to everything that was observed, for those who ask it afterwards."""
        if any(time is not None for time in self.tried.values()):
            self._look_anew()

    @property
    def seeding(self) -> bool:
        """The next suggestion is one of the first, which no model of times chooses."""
        return bool(self._first) or all(time is None for time in self.tried.values())

    @property
    def best(self) -> tuple[Row, float] | None:
        found = [(row, time) for row, time in self.tried.items() if time is not None]
        return min(found, key=lambda one: one[1]) if found else None

    def suggest(self) -> Row | None:
        """What to run next; None when everything was tried or is under way."""
        row = self._suggested()
        if row is not None:
            self.begin(row)
        return row

    def predicted(self, row: Row) -> tuple[float, float] | None:
        """What the model expects it to take, and the chance that it works; None before there is a model."""
        if self.mixture is None:
            return None
        expected = self.mixture.expect(self.points(_levels(row)))
        return float(np.exp(expected.mean[0])), float(expected.works[0])

    def shortlist(self, count: int) -> list[Row]:
        """The most promising, the best first; none of them is under way by that. Before there is a model:
        what would be suggested."""
        row = self._suggested()
        if row is None:
            return []
        return [row] if self.seeding or self.mixture is None else [row, *self.likely[: count - 1]]

    def best_of(self, rows: Sequence[Row]) -> Row:
        """The most promising of a few, by what is known of them by now."""
        if self.mixture is None or len(rows) == 1:
            return rows[0]
        expected = self.mixture.expect(self.points(np.array(rows, dtype=np.int32)))
        best = float(np.log(min(time for time in self.tried.values() if time is not None)))
        score = log_expected_improvement(expected.mean, expected.variance, best)
        return rows[int(np.argmax(score + np.log(np.maximum(expected.works, 1e-12))))]

    def learn_before(self, known: Mapping[Row, float | None]) -> None:
        """Begins with the best configurations of another tuning instead of some that are spread over the
        space."""
        ranked = sorted((time, row) for row, time in known.items() if time is not None)
        places = self._encoding.points(
            np.array([row for _, row in ranked[:TRANSFERRED]], dtype=np.int32)
        ).places
        kept = [ranked[place][1] for place in spread(places, max(1, len(self._first) // 2))]
        self._first = [*kept, *(row for row in self._first if row not in kept)][
            : max(len(self._first), len(kept))
        ]

    def begin(self, row: Row) -> None:
        """A run that is under way, suggested or not."""
        self.under_way[row] = self.points(_levels(row))
        self._first = [other for other in self._first if other != row]

    def observe(self, row: Row, time: float | None) -> None:
        """What it took, or None where it failed. A second time for the same configuration replaces the
        first."""
        self._first = [other for other in self._first if other != row]
        self.under_way.pop(row, None)
        again = row in self.tried
        self.tried[row] = time
        if again:
            self._outlook = None
        else:
            self._fresh.append((row, time))

    def forget(self, row: Row) -> None:
        """A run that came to nothing and may be suggested again."""
        self.under_way.pop(row, None)

    def _seeds(self, count: int) -> list[Row]:
        some = self._draw.permutation(len(self.pool.levels))[:1000]
        rows = self.pool.levels[some]
        return [_row(rows[place]) for place in spread(self._encoding.points(rows).places, count)]

    def _suggested(self) -> Row | None:
        times = [time for time in self.tried.values() if time is not None]
        if self._failed and (self._first or not times):
            return self._likely_to_work()
        if self._first:
            return self._first[0]
        if not times:
            return next((row for row in map(self._pooled, self._order) if self._is_new(row)), None)
        if self._stale():
            self._look_anew()
        assert self._outlook is not None
        for row, time in self._fresh:
            self._outlook.add(self.points(_levels(row)), time is not None)
            if time is not None:
                self._learned.append(time)
        self._fresh = []
        for row in (*self.tried, *self.under_way):
            if row in self._place:
                self._open[self._place[row]] = False
        if not self._open.any():
            return None
        self.all_pruned = False
        expected = self._outlook.expect(np.array(self._learned), list(self.under_way.values()))
        best = float(np.log(min(times)))
        waiting = [expected.mean[self._place[row]] for row in self.under_way if row in self._place]
        score = log_expected_improvement(expected.mean, expected.variance, min([best, *waiting]))
        wanted = self._open & self._unpruned(expected, best)
        if not wanted.any():
            self.all_pruned = True
            return None
        score = np.where(wanted, score + np.log(np.maximum(expected.works, 1e-12)), -np.inf)
        self.likely = [_row(self._candidates[place]) for place in np.argsort(-score)[1 : LIKELY + 1]]
        return _row(self._candidates[int(np.argmax(score))])

    @property
    def _failed(self) -> bool:
        return bool(self.impossible) or any(time is None for time in self.tried.values())

    def _likely_to_work(self) -> Row | None:
        """Once something failed, the first ones are no longer those that are farthest apart, which are
        extreme in many ways: of some drawn at random it is, among those most likely to work, the one that is
        farthest from what was tried."""
        count = len(self.pool.levels)
        drawn = self._draw.choice(count, size=min(count, 10 * DRAWN_SEEDS), replace=False)
        new = (row for row in map(self._pooled, (*drawn.tolist(), *range(count))) if self._is_new(row))
        rows = list(itertools.islice(new, DRAWN_SEEDS))
        self._first = self._first[1:]
        if not rows:
            return None
        seen = [*self.tried, *self.impossible]
        worked = [self.tried.get(row) is not None for row in seen]
        points = self.points(np.array(rows, dtype=np.int32))
        labelled = self._learner.learn_failures(self.points(np.array(seen, dtype=np.int32)), worked)
        works = chance(labels(worked)[0], *labelled.predict(points))
        likely = np.argsort(-works, kind="stable")[:LIKELY_SEEDS]
        taken = self.points(np.array([*seen, *self.under_way], dtype=np.int32)).places
        away = ((points.places[likely, None, :] - taken[None, :, :]) ** 2).sum(axis=2).min(axis=1)
        return rows[int(likely[np.argmax(away)])]

    def _unpruned(self, expected: Expected, best: float) -> npt.NDArray[np.bool_]:
        """Those that may still be good: all of them, unless pruning was asked for and the model is sure."""
        believed = confidence(self.mixture) if self.prune_factor is not None else None
        if self.prune_factor is None or believed is None or believed.low:
            return np.ones(len(self._candidates), dtype=bool)
        return np.asarray(expected.mean - np.sqrt(expected.variance) <= best + np.log(self.prune_factor))

    def _pooled(self, place: int) -> Row:
        return _row(self.pool.levels[place])

    def _is_new(self, row: Row) -> bool:
        return row not in self.tried and row not in self.under_way and row not in self.impossible

    def _stale(self) -> bool:
        tried = len(self.tried)
        if self._outlook is None or tried < REFIT_ALWAYS:
            return self._outlook is None or bool(self._fresh)
        if not self._outlook.knows_failures() and any(time is None for _, time in self._fresh):
            return True
        return tried - self._looked >= self._between(self._looked)

    @staticmethod
    def _between(observed: int) -> int:
        """Observations until the next fit."""
        return max(LEAST_BETWEEN, observed // REFIT_SHARE)

    def _look_anew(self) -> None:
        """Fits the model and scores candidates with it."""
        rows = self._rows_to_learn()
        self._scale_figures()
        seen = self.points(np.array([*rows, *self.impossible], dtype=np.int32))
        times = [*(self.tried[row] for row in rows), *[None] * len(self.impossible)]
        self.mixture = self._learner.learn(seen, times)
        ranked = sorted((time, row) for row, time in self.tried.items() if time is not None)
        self.under_way = {row: self.points(_levels(row)) for row in self.under_way}
        taken = np.array([*self.tried, *self.under_way, *self.impossible], dtype=np.int32)
        best = [row for _, row in ranked[:BEST]]
        self._candidates = candidates(self.space, self.pool, taken, best, self._draw)
        self._place = {row: place for place, row in enumerate(map(tuple, self._candidates.tolist()))}
        self._open = np.ones(len(self._candidates), dtype=bool)
        room = self._between(len(self.tried)) + len(self.under_way) + 64
        self._outlook = Outlook(self.mixture, self.points(self._candidates), room)
        self._learned = [time for row in rows if (time := self.tried[row]) is not None]
        self._looked, self._fresh = len(self.tried), []

    def _scale_figures(self) -> None:
        """Coordinates of what compiled code tells, over what was compiled so far."""
        if not self._told:
            return
        if self._scales is None:
            self._learner = Learner.of(self._encoding, len(NAMES))
        rows = list(self._told)[-LEARNED:]
        seen = self._encoding.points(np.array(rows, dtype=np.int32))
        self._scales = FigureScales.of(self._learner.plain, seen, [self._told[row] for row in rows])

    def _rows_to_learn(self) -> list[Row]:
        rows = list(self.tried)
        if len(rows) <= LEARNED:
            return rows
        ranked = sorted(rows, key=lambda row: (self.tried[row] is None, self.tried[row] or 0.0))
        kept = set(ranked[: LEARNED // 2])
        others = [row for row in rows if row not in kept]
        drawn = self._draw.choice(len(others), size=LEARNED - len(kept), replace=False)
        kept.update(others[place] for place in drawn)
        return [row for row in rows if row in kept]


def _row(levels: Levels | Sequence[int]) -> Row:
    return tuple(int(level) for level in levels)


def _levels(row: Row) -> Levels:
    return np.array([row], dtype=np.int32)


def spread(places: Floats, count: int) -> list[int]:
    """Rows far from each other: the first one, then each time the one farthest from those chosen before."""
    chosen = [0]
    nearest = ((places - places[0]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(places)):
        nearest[chosen] = -1.0
        following = int(np.argmax(nearest))
        chosen.append(following)
        nearest = np.minimum(nearest, ((places - places[following]) ** 2).sum(axis=1))
    return chosen
