"""What an executor is given, and what it gives back: those who use one say more in classes of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar


@dataclass(frozen=True, kw_only=True)
class Task:
    number: int
    folder: Path
    """Where it may write; made by whoever runs it."""
    device: str | None = None
    """The GPU that it is to see alone; put in by the executor."""


@dataclass(frozen=True, kw_only=True)
class TaskResult:
    number: int
    """Of the task."""
    host: str = ""
    """The machine it ran on."""

    @property
    def control_figure(self) -> float | None:
        """By which machines are compared, where this is the result of a control; None where it failed."""
        return None

    @property
    def problem(self) -> str:
        """Why there is no such figure."""
        return ""


AnyTask = TypeVar("AnyTask", bound=Task)
AnyResult = TypeVar("AnyResult", bound=TaskResult)

Run = Callable[[AnyTask], AnyResult]
"""Runs a task where it is called. What the task does wrong is a result, not an error."""

Loss = Literal["worker", "timeout"]
GiveUp = Callable[[AnyTask, Loss, str], AnyResult]
"""The result of a task whose worker was lost, or did not answer in time, too often."""
