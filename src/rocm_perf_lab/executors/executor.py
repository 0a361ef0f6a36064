"""What every executor does."""

from __future__ import annotations

from typing import Protocol, TypeVar

from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.executors.task import Task, TaskResult

Taken = TypeVar("Taken", bound=Task, contravariant=True)
Given = TypeVar("Given", bound=TaskResult, covariant=True)


class Executor(Protocol[Taken, Given]):
    @property
    def slots(self) -> int:
        """Tasks that can run at once; it may change."""
        ...

    def prepare(self, control: Taken) -> None:
        """Runs the control on each machine, where there are several: those that differ are not used."""
        ...

    def submit(self, task: Taken, *, same_place: bool = False) -> None:
        """``same_place``: on the one GPU where all such tasks run, so that their times can be compared."""
        ...

    def next(self, timeout_s: float | None) -> Given | None:
        """The next result; None when there is none in time."""
        ...

    def machines(self) -> tuple[Machine, ...]: ...

    def close(self) -> None:
        """Ends what is still running."""
        ...
