"""Trials one after the other, in this process."""

from __future__ import annotations

from rocm_perf_lab.autotune.executors.executor import RunTrial
from rocm_perf_lab.autotune.trial import Task, Trial
from rocm_perf_lab.contracts.autotune import Machine


class InlineExecutor:
    slots = 1

    def __init__(self, run_trial: RunTrial) -> None:
        self._run = run_trial
        self._waiting: list[Task] = []

    def prepare(self, control: Task) -> None:
        pass  # one machine

    def submit(self, task: Task, *, same_place: bool = False) -> None:
        self._waiting.append(task)

    def next(self, timeout_s: float | None) -> Trial | None:
        return self._run(self._waiting.pop(0)) if self._waiting else None

    def machines(self) -> tuple[Machine, ...]:
        return ()

    def close(self) -> None:
        self._waiting.clear()
