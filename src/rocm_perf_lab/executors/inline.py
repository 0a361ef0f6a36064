"""Tasks one after the other, in this process."""

from __future__ import annotations

from typing import Generic

from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.executors.task import AnyResult, AnyTask, Run


class InlineExecutor(Generic[AnyTask, AnyResult]):
    slots = 1

    def __init__(self, run: Run[AnyTask, AnyResult]) -> None:
        self._run = run
        self._waiting: list[AnyTask] = []

    def prepare(self, control: AnyTask) -> None:
        pass  # one machine

    def submit(self, task: AnyTask, *, same_place: bool = False) -> None:
        self._waiting.append(task)

    def next(self, timeout_s: float | None) -> AnyResult | None:
        return self._run(self._waiting.pop(0)) if self._waiting else None

    def machines(self) -> tuple[Machine, ...]:
        return ()

    def close(self) -> None:
        self._waiting.clear()
