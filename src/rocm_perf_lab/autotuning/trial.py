"""One trial: what is to be run, and what came of it. Both travel between processes and machines."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rocm_perf_lab.autotuning.space import Value
from rocm_perf_lab.contracts.changes.autotune import Phase, TrialFailure
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.executors import task

Objective = Literal["gpu-time", "wall", "metric"]


@dataclass(frozen=True, kw_only=True)
class TrialTask(task.Task):
    phase: Phase
    configuration: Mapping[str, Value]
    command: tuple[str, ...]
    build: tuple[str, ...] | None = None
    build_folder: Path | None = None
    check: tuple[str, ...] | None = None
    capture: Path | None = None
    """Replayed with the variant that was built, instead of a run of the program."""
    objective: Objective = "gpu-time"
    metric: str | None = None
    """Regular expression; its first group is the figure."""
    maximize: bool = False
    kernel: str | None = None
    timeout_s: float | None = None
    runs: int = 1
    """At least."""
    repeats: int = 1
    """At most, for one that is good."""
    good: float | None = None
    """Repeated up to ``repeats`` times when its first run is at most this; None: always."""
    keep: bool = False
    """Traces too."""


@dataclass(frozen=True, kw_only=True)
class TuningTrial(task.TaskResult):
    phase: Phase
    configuration: Mapping[str, Value]
    samples: tuple[float, ...] = ()
    """Of the objective, in the order they were taken; ms for times."""
    failure: TrialFailure | None = None
    message: str = ""
    origin: Origin = "measured"
    started: str = ""
    """ISO 8601, UTC."""
    seconds: float = 0.0
    build_seconds: float | None = None
    device: str | None = None
    static: Mapping[str, float] = field(default_factory=dict)
    """What the compiled kernel needs, known before it ran."""
    predicted: float | None = None
    """What the model expected before it ran."""

    @property
    def value(self) -> float | None:
        """The median: one run that was disturbed does not make it."""
        return statistics.median(self.samples) if self.samples and self.failure is None else None

    @property
    def control_figure(self) -> float | None:
        return self.value

    @property
    def problem(self) -> str:
        return self.message


def given_up(one: TrialTask, loss: task.Loss, message: str) -> TuningTrial:
    """The trial whose worker was lost too often."""
    return TuningTrial(
        number=one.number,
        phase=one.phase,
        configuration=one.configuration,
        failure=loss,
        message=message,
    )
