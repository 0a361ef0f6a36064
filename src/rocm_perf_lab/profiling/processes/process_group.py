"""Runs one command with its output in files, in a process group of its own that can be ended as a whole."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import IO

from rocm_perf_lab.errors import EnvironmentProblem, ProgramFailed
from rocm_perf_lab.profiling.processes.interrupts import Interrupts, held_interrupts
from rocm_perf_lab.profiling.processes.limits import ProcessLimits, in_force, watching

TICK_SECONDS = 0.2
# A tool that is asked to end writes what it has; one that does not end in this time is killed.
GRACE_SECONDS = 10.0
KILLED_SECONDS = 5.0


@dataclass(frozen=True)
class ProcessOutcome:
    exit_code: int  # negative: the signal that ended it
    timed_out: bool
    interrupted: bool
    wall_s: float
    stdout: Path
    stderr: Path

    @property
    def succeeded(self) -> bool:
        return self.exit_code == 0 and not self.timed_out and not self.interrupted


def run(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    stdout: Path,
    stderr: Path,
    timeout_s: float | None = None,
    show: bool = False,
    tick: Callable[[], None] | None = None,
    meanwhile: Callable[[], None] | None = None,
    folder: Path | None = None,
    limits: ProcessLimits | None = None,
) -> ProcessOutcome:
    """Runs a command to its end, its time limit or Ctrl-C, in ``folder`` or in ours.

    ``show`` passes what it prints on to our stderr as it comes; ``tick`` is called a few times a second,
    ``meanwhile`` once, as soon as the command runs.
    """
    with (
        stdout.open("wb") as out,
        stderr.open("wb") as err,
        _standard_input() as stdin,
        held_interrupts() as interrupts,
    ):
        echo = _Echo([stdout, stderr]) if show else None
        began = time.monotonic()
        try:
            process = subprocess.Popen(
                list(command),
                env=dict(environment),
                cwd=folder,
                stdin=stdin,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            raise EnvironmentProblem(f"{command[0]} cannot be started: {error.strerror}") from error
        calls = [echo.copy if echo else None, tick]
        timed_out, interrupted = attend(process, interrupts, began, timeout_s, calls, meanwhile, limits)
        wall_s = time.monotonic() - began
        if echo:
            echo.copy()
    return ProcessOutcome(process.returncode, timed_out, interrupted, wall_s, stdout, stderr)


def attend(
    process: subprocess.Popen[bytes],
    interrupts: Interrupts,
    began: float,
    timeout_s: float | None,
    calls: Sequence[Callable[[], None] | None] = (),
    meanwhile: Callable[[], None] | None = None,
    limits: ProcessLimits | None = None,
) -> tuple[bool, bool]:
    """Waits for the end of a process that leads a session of its own; where its time is up or the user
    interrupts, its whole group is ended. Says which of these two it was. Too much memory is an error.
    ``interrupts`` have been held since before it was started.
    """
    interrupted = timed_out = False
    watch = watching(limits or in_force(), process.pid)
    try:
        interrupts.release()
        if meanwhile:
            meanwhile()
        timed_out = not _wait(process, began, timeout_s, [*calls, watch])
    except KeyboardInterrupt:
        interrupted = True
    except BaseException:  # of meanwhile or a call: nothing is left running behind an error
        _end_group(process, signal.SIGTERM)
        raise
    if timed_out or interrupted:
        _end_group(process, signal.SIGINT if interrupted else signal.SIGTERM)
    if watch is not None and watch.exceeded is not None:
        raise ProgramFailed(
            f"it was ended: it took {watch.exceeded / 2**30:.1f} GiB of memory, and "
            f"{watch.limits.resident_bytes / 2**30:.1f} GiB are allowed"
        )
    return timed_out, interrupted


def _wait(
    process: subprocess.Popen[bytes],
    began: float,
    timeout_s: float | None,
    calls: Sequence[Callable[[], None] | None],
) -> bool:
    """Waits for the end; false when the time is up."""
    busy = [call for call in calls if call]
    with _end_of(process) as ended:
        while True:
            left = None if timeout_s is None else began + timeout_s - time.monotonic()
            if left is not None and left <= 0:
                return False
            pause = left if not busy else TICK_SECONDS if left is None else min(left, TICK_SECONDS)
            if ended(pause):
                return True
            for call in busy:
                call()


@contextlib.contextmanager
def _end_of(process: subprocess.Popen[bytes]) -> Iterator[Callable[[float | None], bool]]:
    """A function that waits so many seconds and says whether the process has ended.

    Through a file descriptor of the process, because Popen.wait with a limit sleeps up to 50 ms too long.
    """
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # a kernel without it
        descriptor = -1

    def by_descriptor(seconds: float | None) -> bool:
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        if not poller.poll(None if seconds is None else max(0, seconds) * 1000):
            return False
        process.wait()
        return True

    def by_waiting(seconds: float | None) -> bool:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    try:
        yield by_descriptor if descriptor >= 0 else by_waiting
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _end_group(process: subprocess.Popen[bytes], first: signal.Signals) -> None:
    """Asks all processes of the group to end, and kills those that do not."""
    asked: list[tuple[signal.Signals, float]] = [(first, GRACE_SECONDS)]
    if first != signal.SIGTERM:
        asked.append((signal.SIGTERM, GRACE_SECONDS))
    asked.append((signal.SIGKILL, KILLED_SECONDS))
    for number, seconds in asked:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        try:
            if _group_ends(process, seconds):
                break
        except KeyboardInterrupt:  # again: no more patience
            continue
    process.wait()


def _group_ends(process: subprocess.Popen[bytes], seconds: float) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        process.poll()
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return process.returncode is not None
        time.sleep(0.02)
    return False


@contextlib.contextmanager
def _standard_input() -> Iterator[IO[bytes] | int]:
    """What a program reads: our own input if that is a file, from its beginning in every pass; else nothing.

    A pipe or a terminal can be read only once, so that passes would differ.
    """
    try:
        is_file = S_ISREG(os.fstat(0).st_mode)
    except OSError:
        is_file = False
    if not is_file:
        yield subprocess.DEVNULL
        return
    with contextlib.suppress(OSError):
        os.lseek(0, 0, os.SEEK_SET)
    yield 0


class _Echo:
    """Copies what is appended to files to our stderr, byte for byte."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.positions = dict.fromkeys(paths, 0)

    def copy(self) -> None:
        for path, position in self.positions.items():
            with path.open("rb") as file:
                file.seek(position)
                text = file.read()
            if text:
                sys.stderr.buffer.write(text)
                sys.stderr.buffer.flush()
                self.positions[path] = position + len(text)
