"""What is asked of ``rocm-perf analyze --each``: the options of ``analyze``, and where traces are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rocm_perf_lab.executors.request import EXECUTORS, deadline_option, scheduler_option, workers_option
from rocm_perf_lab.profiling.documents.request import AnalyzeRequest
from rocm_perf_lab.requests.option import choice

if TYPE_CHECKING:
    from rocm_perf_lab.trace_batch.task import TraceResult, TraceTask


@dataclass(frozen=True, kw_only=True)
class AnalyzeEachRequest(AnalyzeRequest):
    executor: Literal["inline", "local", "dask"] = choice("inline", EXECUTORS, None)
    workers: int | None = workers_option()
    scheduler: str | None = scheduler_option()
    deadline: float | None = deadline_option()
    tell: Callable[[TraceTask, TraceResult, int, int], None] | None = None
