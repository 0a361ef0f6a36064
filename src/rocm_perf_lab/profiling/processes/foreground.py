"""Runs a program that has our input and output as its own, and ends it where it has to end."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.processes.interrupts import held_interrupts
from rocm_perf_lab.profiling.processes.process_group import attend


@dataclass(frozen=True)
class RunEnd:
    exit_code: int
    """Negative: the signal that ended it."""
    timed_out: bool
    interrupted: bool
    wall_s: float


def run_in_foreground(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    timeout_s: float | None = None,
    to_stderr: bool = False,
    quiet: bool = False,
    folder: Path | None = None,
) -> RunEnd:
    """``to_stderr``: what it prints goes there, stdout is ours. ``quiet``: nothing of it is shown. It runs in
    ``folder``, or in ours."""
    sys.stdout.flush()
    sys.stderr.flush()
    began = time.monotonic()
    own_stdout = sys.stderr.fileno() if to_stderr else None
    with held_interrupts() as interrupts:
        try:
            process = subprocess.Popen(
                list(command),
                env=dict(environment),
                cwd=folder,
                stdout=subprocess.DEVNULL if quiet else own_stdout,
                stderr=subprocess.DEVNULL if quiet else None,
                start_new_session=True,
            )
        except OSError as error:
            raise EnvironmentProblem(
                f"{command[0]} cannot be started: {error.strerror}", "run it by itself first"
            ) from error
        timed_out, interrupted = attend(process, interrupts, began, timeout_s)
    return RunEnd(process.returncode, timed_out, interrupted, time.monotonic() - began)
