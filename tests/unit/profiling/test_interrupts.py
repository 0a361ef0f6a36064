"""An interrupt at any moment of the start of a process ends the process, and none is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.processes import process_group as processes
from rocm_perf_lab.profiling.processes.interrupts import held_interrupts


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_while_a_process_starts(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst moment: it runs, and nobody has it in hand yet."""
    started: list[subprocess.Popen[bytes]] = []

    class Popen(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            started.append(self)
            os.kill(os.getpid(), number)

    monkeypatch.setattr(processes.subprocess, "Popen", Popen)
    began = time.monotonic()
    outcome = processes.run(
        ["sleep", "600"], dict(os.environ), stdout=tmp_path / "out", stderr=tmp_path / "err"
    )
    assert outcome.interrupted
    assert time.monotonic() - began < 600
    assert started[0].poll() is not None


def test_one_that_comes_when_nothing_starts_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), held_interrupts():
        os.kill(os.getpid(), signal.SIGINT)


def test_an_error_is_not_hidden_by_one(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem):
        processes.run(["/no/such/program"], {}, stdout=tmp_path / "out", stderr=tmp_path / "err")


def test_handlers_are_put_back_and_what_is_ignored_stays_so() -> None:
    before = signal.getsignal(signal.SIGTERM)
    was = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with held_interrupts() as interrupts:
            interrupts.release()
            os.kill(os.getpid(), signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is before
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, was)


def test_in_another_thread(tmp_path: Path) -> None:
    outcomes: list[processes.ProcessOutcome] = []

    def run() -> None:
        outcomes.append(
            processes.run(["true"], dict(os.environ), stdout=tmp_path / "o", stderr=tmp_path / "e")
        )

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert outcomes[0].succeeded
