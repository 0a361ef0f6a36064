"""Builds ahead: variants that are likely to be wanted soon are built while others are measured."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from enum import Enum
from pathlib import Path

from rocm_perf_lab.autotuning.build import BuiltVariant, build
from rocm_perf_lab.autotuning.compiled import Compiled, compiled
from rocm_perf_lab.autotuning.trial import TrialTask
from rocm_perf_lab.errors import RocmPerfError
from rocm_perf_lab.profiling.processes.environment import pass_environment
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.rocm.find import find_prefix


class Unbuilt(Enum):
    NOT_YET = "it was not built yet"
    FAILED = "its build failed"


class BuildAhead:
    """A trial that wants a build which is under way waits for it (``build`` locks its folder)."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="build") if jobs > 1 else None
        self._known: dict[Path, Future[BuiltVariant | None]] = {}

    def want(self, tasks: Sequence[TrialTask]) -> None:
        for task in tasks:
            folder = task.build_folder
            if self._pool is not None and folder is not None and folder not in self._known:
                self._known[folder] = self._pool.submit(_build, task)

    def look_at(self, task: TrialTask, *, waiting: bool) -> Compiled | Unbuilt:
        """What a variant compiles to, or why that is not known; one is waited for only if it was wanted."""
        assert task.build_folder is not None
        building = self._known.get(task.build_folder)
        if building is None or not (waiting or building.done()):
            return Unbuilt.NOT_YET
        built = building.result()
        return compiled(task.build_folder, task.kernel) if built and built.ok else Unbuilt.FAILED

    def wait(self) -> None:
        wait(self._known.values())

    @property
    def idle(self) -> int:
        """Builds that could be started at once."""
        return self.jobs - sum(not future.done() for future in self._known.values())

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def _build(task: TrialTask) -> BuiltVariant | None:
    """What goes wrong here goes wrong again in the trial, which tells of it."""
    assert task.build is not None
    assert task.build_folder is not None
    with contextlib.suppress(RocmPerfError, OSError, KeyboardInterrupt):
        environment = pass_environment(ProfileRequest(task.command), find_prefix())
        return build(task.build, task.build_folder, environment, task.timeout_s)
    return None
