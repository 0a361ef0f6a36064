"""Runs compiled programs side by side, each with a time limit, and collects the JSON lines they print."""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WALL_LIMIT = 20  # times the limit of processor time, for programs that hang


@dataclass(frozen=True)
class Job:
    label: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    label: str
    lines: tuple[dict[str, Any], ...]
    seconds: float  # of processor time
    problem: str  # empty when the program ended well


def json_lines(text: str) -> tuple[dict[str, Any], ...]:
    found = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:
                continue  # a line cut off by the time limit
    return tuple(found)


def run_one(job: Job, environment: Mapping[str, str], limit: float) -> Outcome:
    """Runs a program for at most `limit` seconds of processor time: a busy machine judges no differently."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            job.command, env=dict(environment), stdout=output, stderr=errors, text=True
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 5))
        late = threading.Timer(limit * WALL_LIMIT, process.kill)
        late.start()
        _, status, used = os.wait4(process.pid, 0)
        late.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        text, messages = output.read(), errors.read().strip().splitlines()
    problem = ""
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        problem = f"not done after {limit:.0f} s"
    elif process.returncode:
        problem = f"exit {process.returncode}: {messages[-1] if messages else 'no message'}"
    return Outcome(job.label, json_lines(text), used.ru_utime + used.ru_stime, problem)


def run_all(
    jobs: Sequence[Job],
    environment: Mapping[str, str],
    limit: float,
    processes: int,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Outcome]:
    say = progress or (lambda text: print(text, file=sys.stderr, flush=True))
    outcomes: dict[str, Outcome] = {}
    with ThreadPoolExecutor(processes) as pool:
        waiting = [pool.submit(run_one, job, environment, limit) for job in jobs]
        for done in as_completed(waiting):
            outcome = done.result()
            outcomes[outcome.label] = outcome
            note = f"  {outcome.problem}" if outcome.problem else ""
            say(f"[{len(outcomes)}/{len(jobs)}] {outcome.label}  {outcome.seconds:.1f} s{note}")
    return outcomes


def program_command(binary: Path, *arguments: str) -> tuple[str, ...]:
    return (str(binary), *arguments)
