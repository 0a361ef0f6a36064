"""analyses.json: many traces, each analysed by itself; the documents of each lie beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.failure import Failure
from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class AnalysedTrace(Section):
    """One trace, and what matters most of its profile.json."""

    trace: str
    folder: str | None
    """With profile.json, roofline.json and analysis.json, beside analyses.json; null where it failed."""
    gpu: str | None
    runs: int | None
    """Executions that tell time."""
    gpu_time_ms: float | None
    """Mean over the executions."""
    kernels: int | None
    hottest: str | None
    """The kernel with most GPU time; likewise its share."""
    share: float | None
    warnings: int | None
    unfinished: tuple[str, ...] = ()
    """Of a run folder that is not finished: why, and what is missing."""
    error: Failure | None
    seconds: float
    """That the analysis took."""
    host: str


@dataclass(frozen=True, kw_only=True)
class AnalysesDocument:
    __pydantic_config__ = STRICT

    schema_version: Literal["1.0"] = "1.0"
    traces: tuple[AnalysedTrace, ...]
    """In the order they were named."""
    analysed: int
    failed: int
    exit_code: int
    """Of the first trace that failed; 0 where none did."""
    machines: tuple[Machine, ...]
    seconds: float
