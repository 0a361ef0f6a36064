"""unfinished.json: what a run is to be, in its folder from the first byte until all documents are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.profiling.profile import Pass
from rocm_perf_lab.contracts.section import STRICT

# What may follow the timing passes.
Further = Literal["counters", "critical path", "thread traces"]


@dataclass(frozen=True, kw_only=True)
class UnfinishedRun:
    __pydantic_config__ = STRICT

    schema_version: Literal["1.0"] = "1.0"
    runs: int
    """Timing passes that were asked for."""
    further: tuple[Further, ...] = ()
    """What was asked for besides and is not there as a whole."""
    passes: tuple[Pass, ...] = ()
    """Those that have ended and are no reason for the run to fail."""
