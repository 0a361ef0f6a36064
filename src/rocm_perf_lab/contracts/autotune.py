"""recorded-search.json: how well the search does in a space that was measured before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class SearchQuality:
    """optimum / best found after so many evaluations, over the seeds: 1 is the best configuration of the
    space."""

    __pydantic_config__ = STRICT

    evaluations: int
    median: float
    lower_quartile: float
    upper_quartile: float
    worst: float
    mean: float
    random_median: float
    """What choosing at random gives, computed over all choices."""


@dataclass(frozen=True, kw_only=True)
class SeedOutcome:
    """One search."""

    __pydantic_config__ = STRICT

    seed: int
    best: float
    """optimum / best found."""
    found_after: int
    """Evaluations until then."""
    failed: int
    """Evaluations of configurations that failed."""


@dataclass(frozen=True, kw_only=True)
class RecordedSearchDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    file: str
    format: str
    objective: str
    device: str | None
    kernel: str | None
    parameters: dict[str, int]
    """Name and number of values."""
    configurations: int
    failing: int
    within_1_percent: int
    """Configurations so near to the best; likewise within_5_percent."""
    within_5_percent: int
    evals: int
    seed_phase: int
    """Evaluations of each search before the model chooses."""
    seeds: tuple[int, ...]
    quality: tuple[SearchQuality, ...]
    """For each number of evaluations from 1 on."""
    searches: tuple[SeedOutcome, ...]
    median_suggestion_ms: float
    median_r2: float | None
    """Of log time, each configuration predicted from all the others."""
