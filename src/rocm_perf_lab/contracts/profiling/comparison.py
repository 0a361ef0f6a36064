"""comparison.json: two runs of a program side by side, kernel by kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section

Verdict = Literal["faster", "slower", "same", "undecided"]
Aspect = Literal["origin", "gpu", "clocks", "command", "environment", "filter", "figure", "unfinished"]


@dataclass(frozen=True, kw_only=True)
class TimeComparison(Section):
    """The time of one thing in the runs of both sides."""

    base_runs_ms: tuple[float, ...]
    new_runs_ms: tuple[float, ...]
    base_ms: float
    """Mean over the runs; likewise new_ms."""
    new_ms: float
    ratio: float | None
    """new_ms / base_ms: below 1 is faster."""
    interval_low: float | None
    """Interval of the ratio at ``level``; both ends are the ratio where runs repeat exactly."""
    interval_high: float | None
    level: float
    exact: bool
    """Runs of both sides repeat exactly (or are simulated): the difference is no matter of chance."""
    verdict: Verdict
    reason: str
    """Why this verdict, in words."""


@dataclass(frozen=True, kw_only=True)
class ResourceChange:
    """A property of the compiled kernel or its launches on both sides."""

    __pydantic_config__ = STRICT

    name: str
    base: float | None
    """Null where it is not known; likewise new."""
    new: float | None
    changed: bool | None
    """Null where one of them is not known, or differs no more than the two ways to count may."""


@dataclass(frozen=True, kw_only=True)
class KernelComparison(Section):
    name: str
    status: Literal["both", "new", "removed"]
    base_launches: int | None
    new_launches: int | None
    time: TimeComparison | None
    """Null where only one side has the kernel."""
    base_ms: float | None
    new_ms: float | None
    resources: tuple[ResourceChange, ...]
    regression: bool
    """Slower by more than --fail-on-regression allows."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Something besides the program that the two sides do not have in common."""

    __pydantic_config__ = STRICT

    aspect: Aspect
    what: str
    base: str
    new: str


@dataclass(frozen=True, kw_only=True)
class ComparisonDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    base: str
    new: str
    command: tuple[str, ...]
    """Of the new side."""
    figure: Literal["gpu-time", "wall-time"]
    """What ``total`` is the time of."""
    total: TimeComparison
    kernels: tuple[KernelComparison, ...]
    """By the larger time of both sides, longest first."""
    differences: tuple[Difference, ...]
    """Those that would have been refused and were allowed."""
    notes: tuple[str, ...]
    relevant: float
    """Changes up to this share are no change."""
    fail_on_regression: float | None
    """The share that was given."""
    regressions: tuple[str, ...]
    """``total`` and names of kernels."""
