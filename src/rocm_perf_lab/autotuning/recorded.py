"""Searches in a recorded space: what the strategy would have found after so many runs, over many seeds."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rocm_perf_lab.autotuning.confidence import confidence
from rocm_perf_lab.autotuning.formats.recording import Recording
from rocm_perf_lab.autotuning.search import SEEDS, Search
from rocm_perf_lab.autotuning.space import Pool
from rocm_perf_lab.contracts.changes.autotune import RecordedSearchDocument, SearchQuality, SeedOutcome


@dataclass(frozen=True)
class RecordedSearch:
    """One search."""

    seed: int
    reached: tuple[float, ...]
    """optimum / best found, after each evaluation; 0 while nothing has worked."""
    failed: int
    suggestion_ms: tuple[float, ...]
    r2: float | None


def replay(recording: Recording, evals: int, seed: int, seeds: int = SEEDS) -> RecordedSearch:
    """Runs the search against the recording; a configuration that failed counts as an evaluation."""
    times = dict(zip(map(tuple, recording.levels.tolist()), recording.times, strict=True))
    search = Search(recording.space, Pool(recording.levels, complete=True), seed, seeds)
    optimum, best, failed = recording.optimum, float("inf"), 0
    reached, cost = [], []
    for _ in range(min(evals, len(times))):
        began = time.perf_counter()
        row = search.suggest()
        cost.append((time.perf_counter() - began) * 1e3)
        assert row is not None
        took = times[row]
        search.observe(row, took)
        failed += took is None
        best = min(best, took) if took is not None else best
        reached.append(optimum / best)
    figures = confidence(search.mixture)
    return RecordedSearch(seed, tuple(reached), failed, tuple(cost), figures.r2 if figures else None)


def replay_all(
    recording: Recording, file: Path, evals: int, seeds: Sequence[int], first: int, workers: int
) -> RecordedSearchDocument:
    """The document of searches with different seeds."""
    return _document(recording, file, evals, first, list(_replays(recording, evals, seeds, first, workers)))


def _replays(
    recording: Recording, evals: int, seeds: Sequence[int], first: int, workers: int
) -> Iterator[RecordedSearch]:
    count = len(seeds)
    if workers <= 1 or count == 1:
        yield from (replay(recording, evals, seed, first) for seed in seeds)
        return
    # Processes of their own start: what runs in one must not depend on what this one has done before.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, count), mp_context=context) as pool:
        yield from pool.map(replay, [recording] * count, [evals] * count, seeds, [first] * count)


def _document(
    recording: Recording, file: Path, evals: int, first: int, replays: list[RecordedSearch]
) -> RecordedSearchDocument:
    reached = np.array([one.reached for one in replays])
    valid = [took for took in recording.times if took is not None]
    cost = [ms for one in replays for ms in one.suggestion_ms]
    explained = [one.r2 for one in replays if one.r2 is not None]
    missing = {}
    if not explained:
        missing["median_r2"] = "no search made enough evaluations for a model"
    if recording.device is None:
        missing["device"] = "the file does not say"
    if recording.kernel is None:
        missing["kernel"] = "the file does not say"
    return RecordedSearchDocument(
        origin="derived",
        missing=missing,
        file=file.name,
        format=recording.format,
        objective=recording.objective,
        device=recording.device,
        kernel=recording.kernel,
        parameters={parameter.name: len(parameter.values) for parameter in recording.space.parameters},
        configurations=len(recording.times),
        failing=len(recording.times) - len(valid),
        within_1_percent=sum(took <= 1.01 * recording.optimum for took in valid),
        within_5_percent=sum(took <= 1.05 * recording.optimum for took in valid),
        evals=evals,
        seed_phase=first,
        seeds=tuple(one.seed for one in replays),
        quality=tuple(
            _quality(number + 1, reached[:, number], recording) for number in range(reached.shape[1])
        ),
        searches=tuple(_outcome(one) for one in replays),
        median_suggestion_ms=float(np.median(cost)),
        median_r2=float(np.median(explained)) if explained else None,
    )


def _quality(evaluations: int, reached: np.ndarray, recording: Recording) -> SearchQuality:
    low, median, high = (float(one) for one in np.quantile(reached, (0.25, 0.5, 0.75)))
    return SearchQuality(
        evaluations=evaluations,
        median=median,
        lower_quartile=low,
        upper_quartile=high,
        worst=float(reached.min()),
        mean=float(reached.mean()),
        random_median=random_median(recording, evaluations),
    )


def random_median(recording: Recording, evaluations: int) -> float:
    """The median of optimum / best over all random choices of so many configurations, exactly.

    The best is at most the k-th of the space with the probability that not all choices are behind it.
    """
    times = sorted(time if time is not None else float("inf") for time in recording.times)
    total = len(times)
    behind = 1.0  # the probability that none of the first k was chosen
    for place in range(total):
        behind *= max(0.0, 1.0 - evaluations / (total - place))
        if behind <= 0.5:
            return recording.optimum / times[place]
    return recording.optimum / times[-1]


def _outcome(one: RecordedSearch) -> SeedOutcome:
    final = one.reached[-1]
    return SeedOutcome(
        seed=one.seed,
        best=final,
        found_after=next(number + 1 for number, value in enumerate(one.reached) if value == final),
        failed=one.failed,
    )
