"""dag.json: what the end-to-end time of an execution depended on. Times are nanoseconds since begin_ns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section

GapCause = Literal[
    "launch-bound", "sync", "copy", "nothing to do", "order", "other gpu", "not traced", "not examined"
]
StepKind = Literal["kernel", "copy", "call", "host", "delay", "several"]


@dataclass(frozen=True, kw_only=True)
class Share:
    """A part of the time from begin to end."""

    __pydantic_config__ = STRICT

    what: str
    ns: int
    share: float


@dataclass(frozen=True, kw_only=True)
class SlackRange:
    """Of all launches of a kernel."""

    __pydantic_config__ = STRICT

    least_ns: int
    median_ns: int
    most_ns: int


@dataclass(frozen=True, kw_only=True)
class Criticality(Section):
    """What a kernel, or the copies of one direction, mean for the end-to-end time."""

    name: str
    kind: Literal["kernel", "copy"]
    launches: int
    total_ns: int
    on_path_launches: int
    on_path_ns: int
    """Time that the critical path spends in its launches."""
    weight: float
    """on_path_ns over the span."""
    total_slack: SlackRange
    """How much later a launch could end without the end being later."""
    free_slack: SlackRange
    """How much later a launch could end without anything being later."""
    critical_launches: int
    """Launches without total slack."""
    overlapped_ns: int
    """Of total_ns: while other work of the same GPU went on too."""
    overlap_potential_ns: int | None
    """What the whole would take less if its launches took no time: no more than that can be hidden."""
    gain_at_2x_ns: int | None
    """What the whole would take less if its launches took half the time."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the critical path, or several in a row where the path is long."""

    __pydantic_config__ = STRICT

    kind: StepKind
    name: str
    """Kernel, copy or call; for a delay the type of the dependency."""
    start_ns: int
    end_ns: int
    steps: int = 1
    inferred: bool = False
    """Whether the dependency that led here was inferred."""


@dataclass(frozen=True, kw_only=True)
class Path:
    __pydantic_config__ = STRICT

    steps: int
    """All of them, before any were put together."""
    aggregated: bool
    """Whether consecutive steps were put together to keep the document small."""
    shown: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A time in which a GPU ran no kernel."""

    __pydantic_config__ = STRICT

    start_ns: int
    end_ns: int
    cause: GapCause
    before: str
    """The kernel that ended the gap."""


@dataclass(frozen=True, kw_only=True)
class GpuIdle:
    """One GPU from its first kernel to its last."""

    __pydantic_config__ = STRICT

    agent: int
    busy_ns: int
    """At least one kernel ran."""
    idle_ns: int
    gaps: int
    causes: tuple[Share, ...]
    """idle_ns by cause; share is of idle_ns."""
    longest: tuple[Gap, ...]


@dataclass(frozen=True, kw_only=True)
class EdgeStatistics:
    """The dependencies of one type."""

    __pydantic_config__ = STRICT

    type: str
    count: int
    certain: int
    likely: int
    possible: int
    contradicted: int
    """Left out because the observed times deny them."""
    median_delay_ns: int
    """Over those that determined when their target came."""
    on_path: int
    on_path_ns: int


@dataclass(frozen=True, kw_only=True)
class DagDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    databases: tuple[str, ...]
    host_calls: bool
    """Whether the trace has the host's calls; without them most dependencies are inferred."""
    begin_ns: int
    """The trace's clock at its first kernel, copy or call."""
    span_ns: int
    """From the first kernel, copy or call to the end of the last."""
    critical_path_ns: int
    """Of the critical path: the time in kernels and copies."""
    longest_chain_ns: int | None
    """The longest chain of dependent kernels and copies if nothing else took time."""
    breakdown: tuple[Share, ...]
    """The critical path by what it was spent in; the sum is span_ns."""
    processes: int
    works: int
    calls: int
    kernels: tuple[Criticality, ...]
    """By time on the critical path."""
    copies: tuple[Criticality, ...]
    path: Path
    gpus: tuple[GpuIdle, ...]
    edges: tuple[EdgeStatistics, ...]
    inferred_share: float
    """Of the dependencies between different works and calls: those that are not certain."""
    unknown: tuple[str, ...]
    """What the trace does not tell, and what that means for the figures."""


@dataclass(frozen=True, kw_only=True)
class RankedKernel(Section):
    """What making one kernel faster would mean for the whole."""

    name: str
    launches: int
    total_ns: int
    on_path_ns: int
    gain_ns: int | None
    """What the whole would take less, from a replay."""
    at_most_ns: int
    """What its time on the critical path would shrink by: the gain cannot be more."""


@dataclass(frozen=True, kw_only=True)
class WhatIfDocument(Section):
    """What ``rocm-perf whatif --json`` prints."""

    schema_version: Literal["1.0"] = "1.0"
    databases: tuple[str, ...]
    changes: tuple[str, ...]
    affected: int
    """Launches, copies and calls that the changes concern."""
    span_ns: int
    predicted_ns: int
    gain_ns: int
    speedup: float
    """span_ns / predicted_ns."""
    on_path_ns: int
    """Time of what is concerned on the critical path: no more can be gained by making it faster alone."""
    inferred_share: float
    """Of the dependencies between different works and calls: those that are not certain."""
    ranking: tuple[RankedKernel, ...]
    """Where no change was named: every kernel made faster by itself, the largest gain first."""
    ranking_speedup: float | None
    assumptions: tuple[str, ...]
