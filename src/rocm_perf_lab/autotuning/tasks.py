"""Makes the tasks of a tuning: commands with their values put in, folders, limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.autotuning.settings import TuningSettings
from rocm_perf_lab.autotuning.space import Configuration
from rocm_perf_lab.autotuning.template import BUILD, STDOUT
from rocm_perf_lab.autotuning.trial import TrialTask
from rocm_perf_lab.builds.run_build import build_key
from rocm_perf_lab.contracts.changes.autotune import Phase

# What the program printed is known only where it ran; run_trial puts the name in.
STDOUT_MARK = "\0stdout\0"
# Near enough to the best to be measured more than once.
GOOD = 0.10


@dataclass
class TaskMaker:
    settings: TuningSettings
    number: int = 0

    def command(self, configuration: Configuration) -> tuple[str, ...]:
        folder = self._build_folder(configuration)
        return self.settings.command.filled(configuration, {BUILD: str(folder)} if folder else {})

    def task(self, configuration: Configuration, phase: Phase, best: float | None) -> TrialTask:
        """``best`` decides what is worth repeating: values are to be small, or large with --maximize."""
        settings = self.settings
        self.number += 1
        folder = self._build_folder(configuration)
        places = {BUILD: str(folder)} if folder else {}
        good = None if best is None else best * (1 - GOOD if settings.maximize else 1 + GOOD)
        final = phase == "final"
        return TrialTask(
            number=self.number,
            phase=phase,
            configuration=dict(configuration),
            command=settings.command.filled(configuration, places),
            folder=settings.folder / "trials" / f"{self.number:04d}",
            build=settings.build.filled(configuration, places) if settings.build else None,
            build_folder=folder,
            check=settings.check.filled(configuration, {**places, STDOUT: STDOUT_MARK})
            if settings.check and not final
            else None,
            capture=settings.capture,
            objective=settings.objective,
            metric=settings.metric,
            maximize=settings.maximize,
            kernel=settings.kernel,
            timeout_s=settings.timeout_s,
            repeats=1 if final else settings.repeats,
            good=good,
            keep=settings.keep,
        )

    def to_build(self, configuration: Configuration) -> TrialTask:
        """A task that is only built."""
        task = self.task(configuration, "seed", None)
        self.number -= 1
        return task

    def _build_folder(self, configuration: Configuration) -> Path | None:
        if self.settings.build is None:
            return None
        key = build_key(self.settings.build.filled(configuration, {BUILD: "{build}"}))
        return self.settings.folder / "builds" / key
