"""Executors of one machine: every task is run once, each GPU has one at a time, errors come through."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from tests.commands import SECONDS

from rocm_perf_lab.autotuning.trial import TrialTask, TuningTrial
from rocm_perf_lab.executors.inline import InlineExecutor
from rocm_perf_lab.executors.local import LocalExecutor
from rocm_perf_lab.profiling.processes.process_group import run


def task(number: int) -> TrialTask:
    return TrialTask(
        number=number, phase="seed", configuration={"n": number}, command=("true",), folder=Path()
    )


def done(one: TrialTask) -> TuningTrial:
    return TuningTrial(number=one.number, phase=one.phase, configuration=one.configuration, device=one.device)


def test_inline_runs_when_asked() -> None:
    executor = InlineExecutor(done)
    assert executor.next(0.0) is None
    executor.submit(task(1))
    ended = executor.next(None)
    assert ended is not None
    assert ended.number == 1


def test_each_gpu_has_one_at_a_time() -> None:
    busy: set[str | None] = set()
    lock = threading.Lock()
    both = threading.Barrier(2)

    def run(one: TrialTask) -> TuningTrial:
        with lock:
            assert one.device not in busy
            busy.add(one.device)
        both.wait(SECONDS)
        with lock:
            busy.remove(one.device)
        return done(one)

    executor = LocalExecutor(run, ["0", "3"])
    assert executor.slots == 2
    for number in range(10):
        executor.submit(task(number))
    ended = [executor.next(SECONDS) for _ in range(10)]
    executor.close()
    assert {trial.number for trial in ended if trial} == set(range(10))
    assert {trial.device for trial in ended if trial} == {"0", "3"}


def test_the_final_is_on_one_gpu() -> None:
    executor = LocalExecutor(done, ["0", "1", "2"])
    devices = set()
    for number in range(8):
        executor.submit(task(number), same_place=True)
        ended = executor.next(SECONDS)
        assert ended is not None
        devices.add(ended.device)
    executor.close()
    assert devices == {"0"}


def test_errors_come_through() -> None:
    def broken(one: TrialTask) -> TuningTrial:
        raise KeyboardInterrupt

    executor = LocalExecutor(broken, [None])
    executor.submit(task(1))
    with pytest.raises(KeyboardInterrupt):
        executor.next(SECONDS)
    executor.close()


def test_nothing_in_time() -> None:
    executor = LocalExecutor(done, [None])
    assert executor.next(0.01) is None
    executor.close()


def test_closing_ends_what_runs(tmp_path: Path) -> None:
    def sleeps(one: TrialTask) -> TuningTrial:
        run(["sleep", "600"], dict(os.environ), stdout=tmp_path / "out", stderr=tmp_path / "err")
        return done(one)

    executor = LocalExecutor(sleeps, [None])
    executor.submit(task(1))
    until = time.monotonic() + SECONDS
    while not _sleeping():
        assert time.monotonic() < until
        time.sleep(0.02)
    executor.close()
    assert not _sleeping()


def _sleeping() -> list[int]:
    """Children of ours that sleep."""
    found = []
    for listed in Path("/proc/self/task").glob("*/children"):
        for child in listed.read_text().split():
            command = Path(f"/proc/{child}/cmdline")
            if command.exists() and command.read_bytes().startswith(b"sleep\x00600"):
                found.append(int(child))
    return found
