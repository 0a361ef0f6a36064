"""One case of a suite: what is to be replayed, and what came of it. Both travel between processes."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from pathlib import Path

from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.contracts.failure import Failure, failure_document
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import EnvironmentProblem, TimedOut
from rocm_perf_lab.executors import task
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest


@dataclass(frozen=True, kw_only=True)
class Case(task.Task):
    name: str
    capture: Path
    """A folder, or a file that was exported."""
    variants: tuple[Path, ...] = ()
    """Files of which the first that has the kernel takes the place of the captured code."""
    runs: int
    iterations: int
    """Of the timing; 0: no time is taken."""
    compared: bool = False
    """There is a baseline to compare times with: a variant's need not be compared with the original's."""
    tolerance: ToleranceRequest = field(default_factory=ToleranceRequest)
    timeout_s: float | None = None
    control: bool = False
    """Only timed, to compare machines."""


@dataclass(frozen=True, kw_only=True)
class CaseResult(task.TaskResult):
    name: str
    kernel: str | None = None
    gpu: str | None = None
    digest: str | None = None
    variant: Path | None = None
    origin: Origin = "measured"
    validation: ValidationDocument | None = None
    samples_ms: tuple[float, ...] = ()
    error: Failure | None = None
    seconds: float = 0.0
    device: str | None = None

    @property
    def control_figure(self) -> float | None:
        return statistics.median(self.samples_ms) if self.samples_ms else None

    @property
    def problem(self) -> str:
        return self.error.cause if self.error else ""


def given_up(one: Case, loss: task.Loss, message: str) -> CaseResult:
    """The result of a case whose worker was lost too often."""
    remedy = "look at the log of the workers; the other cases are not concerned"
    error = TimedOut(message, remedy) if loss == "timeout" else EnvironmentProblem(message, remedy)
    return CaseResult(number=one.number, name=one.name, error=failure_document(error).error)
