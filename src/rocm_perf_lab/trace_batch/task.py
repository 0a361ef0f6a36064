"""One trace that is to be analysed, and what came of it. Both travel between processes and machines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.contracts.failure import Failure, failure_document
from rocm_perf_lab.errors import EnvironmentProblem, TimedOut
from rocm_perf_lab.executors import task


@dataclass(frozen=True, kw_only=True)
class TraceTask(task.Task):
    trace: Path
    options: tuple[str, ...] = ()
    """Of ``rocm-perf analyze``."""


@dataclass(frozen=True, kw_only=True)
class TraceResult(task.TaskResult):
    folder: Path | None = None
    """With the documents; it is another than the task's where that was tried twice. None where it failed."""
    error: Failure | None = None
    seconds: float = 0.0

    @property
    def problem(self) -> str:
        return self.error.cause if self.error else ""


def given_up(one: TraceTask, loss: task.Loss, message: str) -> TraceResult:
    error = TimedOut(message) if loss == "timeout" else EnvironmentProblem(message)
    return TraceResult(number=one.number, error=failure_document(error).error)
