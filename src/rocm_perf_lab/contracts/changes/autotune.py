"""tuning.json: the fastest configuration and how it was found; recorded-search.json: how well the search
does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.contracts.profiling.comparison import Verdict
from rocm_perf_lab.contracts.section import STRICT, Section

Value = bool | int | float | str
# baseline: what is in use today; seed: spread over the space; confirm: chosen by the model among those it did
# not prune; final: the best, the runner-up and the baseline once more, in turns.
Phase = Literal["baseline", "seed", "confirm", "final"]
# As in the T4 format; launch: it was not run because its code object says that it cannot be; worker: whoever
# ran it was lost; environment: nothing can be run here.
TrialFailure = Literal[
    "compile", "runtime", "timeout", "correctness", "constraints", "launch", "worker", "environment"
]
TuningWarning = Literal["low_model_confidence"]


@dataclass(frozen=True, kw_only=True)
class TrialRecord:
    """One trial. What is null was not measured: ``failure`` and ``message`` say why."""

    __pydantic_config__ = STRICT

    number: int
    phase: Phase
    configuration: dict[str, Value]
    value: float | None
    """Median of the samples; ms, or the figure of --metric."""
    samples: tuple[float, ...]
    failure: TrialFailure | None
    message: str
    predicted: float | None
    """What the model expected before it ran; null where no model chose it."""
    seconds: float
    """That the trial took, its build with it."""
    build_seconds: float | None
    """Null where nothing was built."""
    host: str
    device: str | None
    static: dict[str, float]
    """What the compiled kernel needs: registers, LDS, scratch, spills, occupancy."""


@dataclass(frozen=True, kw_only=True)
class Candidate(Section):
    """A configuration with what it takes."""

    configuration: dict[str, Value]
    command: tuple[str, ...]
    value: float
    """Median of the samples."""
    samples: tuple[float, ...]
    """Of its first trial and of the final."""
    interval_low: float | None
    """Of the mean, at 95 %."""
    interval_high: float | None


@dataclass(frozen=True, kw_only=True)
class Confirmation(Section):
    """The best configuration against another, measured in turns."""

    rounds: int
    best: tuple[float, ...]
    other: tuple[float, ...]
    speedup: float
    """Above 1: the best is better."""
    speedup_low: float | None
    """Interval at 95 %, both comparisons of a tuning together."""
    speedup_high: float | None
    verdict: Verdict
    reason: str


@dataclass(frozen=True, kw_only=True)
class ModelQuality:
    """How well the model predicts configurations that it was not shown: each from all the others."""

    __pydantic_config__ = STRICT

    observations: int
    r2: float
    """Of log time."""
    rank_correlation: float
    threshold: float
    """Of r2: below it the warning is low_model_confidence."""
    figures: tuple[str, ...]
    """What compiled code tells that predictions take into account, besides the parameters; empty where
    nothing is compiled."""


@dataclass(frozen=True, kw_only=True)
class ValueEffect:
    __pydantic_config__ = STRICT

    value: Value
    relative: float
    """Predicted time over that of the best value of this parameter, the others being anything."""
    runs: int
    best: float | None
    """Measured with this value; null where nothing was, or nothing worked."""


@dataclass(frozen=True, kw_only=True)
class ParameterEffect:
    __pydantic_config__ = STRICT

    name: str
    importance: float
    """Share of the scatter of predicted log time that it takes part in; interactions count for each of
    theirs."""
    values: tuple[ValueEffect, ...]


@dataclass(frozen=True, kw_only=True)
class Pruned(Section):
    """Configurations that were not run, and why."""

    factor: float
    by_constraints: int
    predicted_slower: int | None
    """Than factor x the best; of the sample, where the space is too large to be listed."""
    expected_to_fail: int | None
    not_reached: int | None
    """Neither: the evaluations or the time were used up before."""
    not_compiled: int
    """Their build failed."""
    not_launchable: int
    """Built and not run: what their code object needs no workgroup can have."""


@dataclass(frozen=True, kw_only=True)
class TuningDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    objective: Literal["gpu-time", "wall", "metric"]
    maximize: bool
    metric: str | None
    kernel: str | None
    command_template: tuple[str, ...]
    build_template: tuple[str, ...] | None
    check_template: tuple[str, ...] | None
    parameters: dict[str, tuple[Value, ...]]
    constraints: tuple[str, ...]
    configurations: int | None
    """That meet the constraints."""
    product: int
    """Before constraints."""
    seed: int
    evals: int
    budget_s: float | None
    evaluated: int
    """Configurations tried, those that failed too."""
    failed: dict[str, int]
    """How many of them, by kind."""
    stopped: Literal["evals", "budget", "space", "pruned"]
    """Why no more were tried."""
    best: Candidate
    baseline: Candidate | None
    runner_up: Candidate | None
    speedup: float | None
    """Of the best over the baseline."""
    against_baseline: Confirmation | None
    against_runner_up: Confirmation | None
    model: ModelQuality | None
    warning: TuningWarning | None
    effects: tuple[ParameterEffect, ...]
    """By importance."""
    pruned: Pruned
    machines: tuple[Machine, ...]
    trials: tuple[TrialRecord, ...]
    """In the order they ended."""
    seconds: float
    warnings: tuple[str, ...]


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
