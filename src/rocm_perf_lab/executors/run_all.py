"""Runs a list of tasks: as many at once as the executor has room for, each as soon as there is room."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.executors.executor import Executor
from rocm_perf_lab.executors.task import AnyResult, AnyTask

# How long a cluster may have no workers.
PATIENCE_SECONDS = 120.0


def run_all(executor: Executor[AnyTask, AnyResult], tasks: Iterable[AnyTask]) -> Iterator[AnyResult]:
    """Results in the order they come. The executor is closed at the end, whatever ends it."""
    waiting, under_way = list(tasks)[::-1], 0
    try:
        while waiting or under_way:
            if not under_way:
                wait_for_slots(executor)
            while waiting and under_way < executor.slots:
                executor.submit(waiting.pop())
                under_way += 1
            result = executor.next(1.0)
            if result is not None:
                under_way -= 1
                yield result
    finally:
        executor.close()


def wait_for_slots(
    executor: Executor[Any, Any], *, remedy: str = "start workers", kept: str | None = None
) -> None:
    """All workers may be gone: others may come."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not executor.slots:
        if time.monotonic() > until:
            raise EnvironmentProblem(f"no worker has been there for {PATIENCE_SECONDS:.0f} s", remedy, kept)
        executor.next(1.0)
