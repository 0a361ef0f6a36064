"""What holds a kernel back: one label, why, how sure, what else it could be, and what there is to gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section

Label = Literal[
    "memory-bandwidth bound",
    "compute-throughput limited",
    "divergence limited",
    "LDS bound",
    "instruction-issue bound",
    "latency bound",
    "under-occupied",
    "launch bound",
    "unknown",
]
Depth = Literal["trace", "counters", "att"]
Certainty = Literal["high", "medium", "low"]


@dataclass(frozen=True, kw_only=True)
class BottleneckFigures(Section):
    """The shares, from 0 to 1, that the label follows from."""

    memory: float | None
    """Of its ceiling, of the L2's or the fabric's traffic the nearer one."""
    compute: float | None
    """Of the time of the SIMDs: that vector or matrix units worked, whichever is more."""
    lanes: float | None
    """Active lanes of vector instructions; 1 where it is matrix units that work."""
    lds: float | None
    """Of the time of the compute units: that their LDS was taken."""
    issue: float | None
    """Of the issue slots of the SIMDs for scalar instructions or branches, whichever is more."""
    occupied: float | None
    """Of the wave slots of the GPU: taken on average."""
    waiting: float | None
    """Of the time of the waves: spent waiting for data, a barrier or instructions."""
    outside: float | None
    """Of the time of a launch, with the idle time before it: that no wave of it ran."""
    sources: dict[str, str]
    """Figure -> the formula or the place it is from."""
    estimates: tuple[str, ...]
    """Figures that are bounds or estimates."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    __pydantic_config__ = STRICT

    figure: str
    """Of BottleneckFigures."""
    value: float
    comparison: Literal["at least", "below"]
    threshold: float
    statement: str


@dataclass(frozen=True, kw_only=True)
class RunnerUp:
    __pydantic_config__ = STRICT

    label: Label
    score: float


@dataclass(frozen=True, kw_only=True)
class LabelChange:
    """The nearest value of one figure, all others kept, from which on the label is another one."""

    __pydantic_config__ = STRICT

    figure: str
    now: float
    at: float
    label: Label


@dataclass(frozen=True, kw_only=True)
class Bottleneck:
    __pydantic_config__ = STRICT

    label: Label
    score: float
    depth: Depth
    """The deepest source that the figures are from."""
    confidence: float
    """From 0 to 1: min(1, margin / clear margin) · completeness."""
    certainty: Certainty
    margin: float
    """Score less the next one's."""
    completeness: float
    """Share of the figures that are known; estimates count half."""
    contenders: tuple[Label, ...]
    """Labels that noise of 1 % could put in its place; empty where none could."""
    evidence: tuple[Evidence, ...]
    runners_up: tuple[RunnerUp, ...]
    not_assessed: tuple[Label, ...]
    """Labels whose figures are missing."""
    changes: tuple[LabelChange, ...]
    """Nearest first; of the 100 kernels that take most time."""


@dataclass(frozen=True, kw_only=True)
class Headroom(Section):
    """How far the kernel is from the nearest ceiling that applies to it."""

    ceiling: str
    """What would hold it back next, if what does now did not."""
    share_of_ceiling: float
    """0 to 1: of it that is used now."""
    fixed_share: float
    """0 to 1: of time_ms, that no wave runs, and that stays whatever the waves do. 0 where it is not known,
    or where the ceiling is one of the whole launch."""
    time_ms: float
    """That the shares are of: the launches of one run; of a launch bound kernel with the idle time, too."""
    floor_ms: float
    """The same at the ceiling: time_ms · min(1, share_of_ceiling + fixed_share)."""
    gain_ms: float
    speedup: float
    """time_ms / floor_ms."""
    derivation: str
