"""Document of ``rocm-perf replay profile``: hardware counters or a thread trace of the replayed kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rocm_perf_lab.contracts.profiling.att import AttDocument
from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class ReplayPass(Section):
    """One fresh process in which the kernel was replayed under rocprofv3."""

    counters: tuple[str, ...]
    time_us: float | None
    """Of the replayed dispatch, in this pass."""
    same_state: bool | None
    """Memory after it was as captured: the pass saw the same work as every other."""
    exact_addresses: bool | None


@dataclass(frozen=True, kw_only=True)
class CounterValue:
    __pydantic_config__ = STRICT

    name: str
    value: float
    """Of one dispatch, summed over the instances of its block."""
    pass_number: int
    """From 1."""


@dataclass(frozen=True, kw_only=True)
class ReplayProfileDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    capture: str
    kernel: str
    gpu: str | None
    counters: tuple[CounterValue, ...]
    passes: tuple[ReplayPass, ...]
    dropped: dict[str, str] = field(default_factory=dict)
    """Counters that were asked for and not collected: why."""
    att: AttDocument | None
    """With --att."""
    folder: str | None
    """Keeps what rocprofv3 wrote; null without --out."""
    warnings: tuple[str, ...]
