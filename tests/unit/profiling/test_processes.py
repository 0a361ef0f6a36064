"""A command in a process group of its own: output, time limits, signals."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tests.commands import SECONDS

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.processes import process_group as processes
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome, run


def shell(script: str, place: Path, timeout_s: float | None = None) -> ProcessOutcome:
    return run(
        ["sh", "-c", script], os.environ, stdout=place / "out", stderr=place / "err", timeout_s=timeout_s
    )


def test_output_and_exit_code(tmp_path: Path) -> None:
    outcome = shell("printf out; printf err >&2; exit 3", tmp_path)
    assert (outcome.exit_code, outcome.timed_out, outcome.succeeded) == (3, False, False)
    assert (outcome.stdout.read_text(), outcome.stderr.read_text()) == ("out", "err")


def test_signal(tmp_path: Path) -> None:
    assert shell("kill -9 $$", tmp_path).exit_code == -9


def test_wall_time(tmp_path: Path) -> None:
    began = time.monotonic()
    outcome = shell("sleep 0.2", tmp_path, timeout_s=SECONDS)
    assert outcome.succeeded
    assert 0.2 <= outcome.wall_s <= time.monotonic() - began


def test_time_limit(tmp_path: Path) -> None:
    outcome = shell("echo before; exec sleep 600", tmp_path, timeout_s=1)
    assert outcome.timed_out
    assert not outcome.succeeded
    assert outcome.wall_s < 600
    assert outcome.stdout.read_text() == "before\n"


def test_the_whole_group_ends_even_if_it_does_not_want_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "GRACE_SECONDS", 0.3)
    script = (
        f"trap '' TERM; (trap '' TERM; exec sleep 300) & echo $! > {tmp_path}/child; sleep 300; sleep 300"
    )
    outcome = shell(script, tmp_path, timeout_s=1)
    assert outcome.timed_out
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + SECONDS
    while _alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_child_in_the_background_is_not_waited_for(tmp_path: Path) -> None:
    began = time.monotonic()
    assert shell(f"sleep 600 & echo $! > {tmp_path}/child", tmp_path).succeeded
    assert time.monotonic() - began < 600
    os.kill(int((tmp_path / "child").read_text()), 9)


def test_without_process_descriptors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    assert shell("exit 0", tmp_path, timeout_s=SECONDS).succeeded
    assert shell("sleep 300", tmp_path, timeout_s=0.2).timed_out


def test_tick_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "TICK_SECONDS", 0.05)
    ticks: list[float] = []

    def tick() -> None:
        ticks.append(time.monotonic())
        if len(ticks) == 3:
            (tmp_path / "enough").touch()

    command = ["sh", "-c", f"while [ ! -e {tmp_path}/enough ]; do sleep 0.02; done"]
    run(command, os.environ, stdout=tmp_path / "o", stderr=tmp_path / "e", timeout_s=SECONDS, tick=tick)
    assert len(ticks) >= 3


def test_what_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot be started"):
        run([str(tmp_path / "no")], os.environ, stdout=tmp_path / "o", stderr=tmp_path / "e")
