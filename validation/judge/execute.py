"""Runs compiled programs side by side, each with a time limit, and collects the JSON lines they print."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Job:
    label: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    label: str
    lines: tuple[dict[str, Any], ...]
    seconds: float
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
    start = time.monotonic()
    try:
        ran = subprocess.run(
            job.command, env=dict(environment), capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired as late:
        text = late.stdout.decode() if isinstance(late.stdout, bytes) else (late.stdout or "")
        return Outcome(job.label, json_lines(text), limit, f"not done after {limit:.0f} s")
    seconds = time.monotonic() - start
    problem = ""
    if ran.returncode:
        last = ran.stderr.strip().splitlines()
        problem = f"exit {ran.returncode}: {last[-1] if last else 'no message'}"
    return Outcome(job.label, json_lines(ran.stdout), seconds, problem)


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
