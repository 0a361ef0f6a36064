"""Errors and verdicts: plain data in, plain data out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .execute import Outcome
from .sources import Figure, Pair, Row

FAILED_ERROR = 1.0  # what a row counts for that gave no time


@dataclass(frozen=True)
class RowResult:
    program: str
    size: str
    subset: str
    measured_ms: float
    min_ms: float
    max_ms: float
    simulated_ms: float | None
    error: float  # |simulated - measured| / measured
    seconds: float  # of processor time on the host
    problem: str

    @property
    def inside_measured_range(self) -> bool:
        return self.simulated_ms is not None and self.min_ms <= self.simulated_ms <= self.max_ms

    @property
    def signed_percent(self) -> float | None:
        if self.simulated_ms is None:
            return None
        return 100 * (self.simulated_ms / self.measured_ms - 1)


@dataclass(frozen=True)
class Summary:
    rows: int
    failed: int
    median: float
    p90: float
    worst: float


@dataclass(frozen=True)
class FigureResult:
    figure: Figure
    value: float | None

    @property
    def inside(self) -> bool:
        return self.value is not None and self.figure.low <= self.value <= self.figure.high


@dataclass(frozen=True)
class PairResult:
    pair: Pair
    winner_ms: float | None
    loser_ms: float | None

    @property
    def ratio(self) -> float | None:
        return self.loser_ms / self.winner_ms if self.winner_ms and self.loser_ms else None

    @property
    def right(self) -> bool:
        return self.ratio is not None and self.ratio >= self.pair.at_least


def row_result(row: Row, subset: str, outcome: Outcome) -> RowResult:
    simulated = next((float(line["avg_ms"]) for line in outcome.lines if "avg_ms" in line), None)
    problem = outcome.problem or ("" if simulated is not None else "printed no time")
    if outcome.problem:
        simulated = None
    error = FAILED_ERROR if simulated is None else abs(simulated - row.avg_ms) / row.avg_ms
    return RowResult(
        row.program,
        row.size,
        subset,
        row.avg_ms,
        row.min_ms,
        row.max_ms,
        simulated,
        error,
        outcome.seconds,
        problem,
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie; between two neighbours in proportion."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def summary(results: Sequence[RowResult]) -> Summary:
    errors = [result.error for result in results]
    return Summary(
        len(results),
        sum(1 for result in results if result.simulated_ms is None),
        quantile(errors, 0.5),
        quantile(errors, 0.9),
        max(errors, default=math.nan),
    )


def figure_results(figures: Sequence[Figure], lines: Sequence[Mapping[str, Any]]) -> list[FigureResult]:
    values = {line["name"]: float(line["value"]) for line in lines if "value" in line}
    return [FigureResult(figure, values.get(figure.name)) for figure in figures]


def pair_results(pairs: Sequence[Pair], lines: Sequence[Mapping[str, Any]]) -> list[PairResult]:
    times = {(line["pair"], line["variant"]): float(line["ms"]) for line in lines if "ms" in line}
    return [
        PairResult(pair, times.get((pair.name, pair.winner)), times.get((pair.name, pair.loser)))
        for pair in pairs
    ]


def as_document(results: Sequence[RowResult]) -> list[dict[str, Any]]:
    return [asdict(result) for result in results]
