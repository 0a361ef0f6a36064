"""Tasks on the GPUs of this machine: one at a time on each, which is the only one that its program sees.

A task is a process that is waited for, so that threads are enough here. What hangs is ended by its own time
limit.
"""

from __future__ import annotations

import queue
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Generic

from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.executors.children import end_children
from rocm_perf_lab.executors.task import AnyResult, AnyTask, Run

# That tasks have to come to an end when they are stopped.
PATIENCE_SECONDS = 10.0


class LocalExecutor(Generic[AnyTask, AnyResult]):
    def __init__(self, run: Run[AnyTask, AnyResult], devices: Sequence[str | None]) -> None:
        """One worker for each of ``devices``; None is a worker that sees all GPUs."""
        self._run = run
        self._ended: queue.Queue[AnyResult | BaseException] = queue.Queue()
        self._tasks: queue.Queue[AnyTask | None] = queue.Queue()
        self._first_tasks: queue.Queue[AnyTask | None] = queue.Queue()
        self.slots = len(devices)
        self._wake = threading.Condition()
        self._closed = False
        self._busy = 0
        self._threads = [
            threading.Thread(target=self._work, args=(place, device), daemon=True)
            for place, device in enumerate(devices)
        ]
        for thread in self._threads:
            thread.start()

    def prepare(self, control: AnyTask) -> None:
        pass  # one machine

    def submit(self, task: AnyTask, *, same_place: bool = False) -> None:
        with self._wake:
            (self._first_tasks if same_place else self._tasks).put(task)
            self._wake.notify_all()

    def next(self, timeout_s: float | None) -> AnyResult | None:
        try:
            ended = self._ended.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if isinstance(ended, BaseException):
            raise ended
        return ended

    def machines(self) -> tuple[Machine, ...]:
        return ()

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        until = time.monotonic() + PATIENCE_SECONDS
        asked: set[int] = set()
        while self._busy and time.monotonic() < until:
            # Again, since a task whose run was ended may begin another; nobody twice, who would be disturbed
            # in clearing up.
            asked |= end_children(signal.SIGTERM, asked)
            time.sleep(0.05)
        if self._busy:
            end_children(signal.SIGKILL, frozenset())

    def _work(self, place: int, device: str | None) -> None:
        while (task := self._take(place)) is not None:
            self._ended.put(self._result(task if device is None else replace(task, device=device)))
            with self._wake:
                self._busy -= 1

    def _result(self, task: AnyTask) -> AnyResult | BaseException:
        """An error of a thread is raised where its result is awaited."""
        try:
            return self._run(task)
        except BaseException as problem:
            return problem

    def _take(self, place: int) -> AnyTask | None:
        mine = [self._first_tasks, self._tasks] if place == 0 else [self._tasks]
        with self._wake:
            while not self._closed:
                for waiting in mine:
                    if not waiting.empty():
                        self._busy += 1
                        return waiting.get()
                self._wake.wait()
        return None
