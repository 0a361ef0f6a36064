"""What every executor does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rocm_perf_lab.autotune.trial import Task, Trial
from rocm_perf_lab.contracts.autotune import Machine

RunTrial = Callable[[Task], Trial]


class Executor(Protocol):
    @property
    def slots(self) -> int:
        """Trials that can run at once; it may change."""
        ...

    def prepare(self, control: Task) -> None:
        """Runs the control on each machine, where there are several: those that differ are not used."""
        ...

    def submit(self, task: Task, *, same_place: bool = False) -> None:
        """``same_place``: on the one GPU where all such tasks run, so that their times can be compared."""
        ...

    def next(self, timeout_s: float | None) -> Trial | None:
        """The next trial that ends; None when none does in time."""
        ...

    def machines(self) -> tuple[Machine, ...]: ...

    def close(self) -> None:
        """Ends what is still running."""
        ...
