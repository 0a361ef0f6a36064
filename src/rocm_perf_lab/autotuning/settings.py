"""What the user asked of a tuning."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocm_perf_lab.autotuning.space import Configuration, Space
from rocm_perf_lab.autotuning.template import Template
from rocm_perf_lab.autotuning.trial import Objective


@dataclass(frozen=True, kw_only=True)
class TuningSettings:
    space: Space
    command: Template
    folder: Path
    build: Template | None = None
    check: Template | None = None
    capture: Path | None = None
    """Instead of the program a captured dispatch is replayed."""
    objective: Objective = "gpu-time"
    metric: str | None = None
    maximize: bool = False
    kernel: str | None = None
    baseline: Configuration | None = None
    evals: int = 50
    budget_s: float | None = None
    seed: int = 0
    seeds: int = 6
    prune_factor: float | None = None
    repeats: int = 5
    """Runs of one that is near the best, at most."""
    rounds: int = 7
    """Of the final."""
    timeout_s: float | None = None
    build_jobs: int = 1
    """Builds at once; more than those that are measured next."""
    batch: int | None = None
    """Suggestions made together and waited for together; None: as soon as a worker is free."""
    keep: bool = False

    def about(self) -> dict[str, Any]:
        """What the results of trials depend on."""
        return {
            "parameters": {one.name: list(one.values) for one in self.space.parameters},
            "constraints": [one.text for one in self.space.constraints],
            "configurations": None if self.space.listed is None else self.space.listed.tolist(),
            "command": list(self.command.words),
            "build": list(self.build.words) if self.build else None,
            "check": list(self.check.words) if self.check else None,
            "capture": str(self.capture) if self.capture else None,
            "objective": self.objective,
            "metric": self.metric,
            "maximize": self.maximize,
            "kernel": self.kernel,
        }
