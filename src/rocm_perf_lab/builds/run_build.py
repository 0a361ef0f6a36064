"""Runs a build: its steps one after another, within limits of time, memory and file size, with what compilers
read in its environment, and able to write where it should only."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.builds import confined
from rocm_perf_lab.builds.environment import allowed
from rocm_perf_lab.errors import EnvironmentProblem, ProgramFailed
from rocm_perf_lab.profiling.processes.limits import ProcessLimits
from rocm_perf_lab.profiling.processes.process_group import run
from vrocm import cache_dir

LONGEST = 300  # characters of a compiler's complaint
_MOST_READ = 1 << 20  # bytes of what it prints; what is wrong is said first
_COMPLAINT = re.compile(r"\berror\b|undefined (?:reference|symbol)")
# Of compilers. Not the folder that these lie in: programs are in others there, the virtual ROCm's, too.
_CACHE_VARIABLES = ("CCACHE_DIR", "SCCACHE_DIR")
_CACHES = ("ccache", "sccache", "clang", "zig", "comgr")
# /dev/shm is left out: it has the memory of other programs.
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "kfd", "dri")


@dataclass(frozen=True, kw_only=True)
class BuildLimits:
    """Chosen: far above what a compiler takes, far below what harms a machine."""

    seconds: float | None = 300.0
    """For all steps together."""
    memory_bytes: int = 16 << 30
    """Of each process, and touched by all of them together."""
    file_bytes: int = 2 << 30
    """Of each file that it writes."""

    @property
    def of_processes(self) -> ProcessLimits:
        return ProcessLimits(
            resident_bytes=self.memory_bytes, private_bytes=self.memory_bytes, file_bytes=self.file_bytes
        )


@dataclass(frozen=True)
class Ran:
    exit_code: int
    """Negative: the signal that ended it."""
    timed_out: bool
    interrupted: bool
    seconds: float
    said: str
    """On stderr, or where that is empty on stdout."""

    @property
    def succeeded(self) -> bool:
        return self.exit_code == 0 and not self.timed_out and not self.interrupted

    @property
    def complaint(self) -> str:
        """The first line of a compiler's that says error; else the last ones."""
        lines = [line.strip() for line in self.said.splitlines() if line.strip()]
        first = next((line for line in lines if _COMPLAINT.search(line)), None)
        return (first or "; ".join(lines[-2:]))[:LONGEST]


def run_build(
    steps: Sequence[Sequence[str]],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: BuildLimits,
    writable: Sequence[Path] | None = None,
    logs: Path | None = None,
    tick: Callable[[], None] | None = None,
) -> Ran:
    """``writable``: it can write below these and in caches of compilers alone; None: wherever the user can.
    ``logs``: a folder that keeps what the last step printed."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rocm-perf-build-") as place:
        kept = logs or Path(place)
        places = None if writable is None else [*writable, Path(place)]
        clean = {**allowed(environment), **({"TMPDIR": place} if places is not None else {})}
        for step in steps:
            _require(step[0], folder, clean)
            left = None if limits.seconds is None else limits.seconds - (time.monotonic() - began)
            try:
                outcome = run(
                    _confined(step, places, clean),
                    clean,
                    stdout=kept / "build.stdout",
                    stderr=kept / "build.stderr",
                    timeout_s=None if left is None else max(left, 0.001),
                    tick=tick,
                    folder=folder,
                    limits=limits.of_processes,
                )
            except ProgramFailed as error:  # too much memory
                return Ran(-signal.SIGKILL, False, False, time.monotonic() - began, error.cause)
            said = _read(outcome.stderr) or _read(outcome.stdout)
            if not outcome.succeeded:
                break
    return Ran(outcome.exit_code, outcome.timed_out, outcome.interrupted, time.monotonic() - began, said)


def _require(program: str, folder: Path, environment: Mapping[str, str]) -> None:
    there = (
        os.access(folder / program, os.X_OK)
        if "/" in program
        else shutil.which(program, path=environment.get("PATH")) is not None
    )
    if not there:
        raise EnvironmentProblem(
            f"the build needs {program}, which cannot be run", "name the compiler with --build"
        )


def _read(log: Path) -> str:
    with log.open("rb") as file:
        return file.read(_MOST_READ).decode(errors="replace").strip()


def _confined(
    step: Sequence[str], writable: Sequence[Path] | None, environment: Mapping[str, str]
) -> list[str]:
    if writable is None or not confined.version():
        return list(step)
    ours = cache_dir(environment)
    with contextlib.suppress(OSError):  # from inside it could not be made
        ours.mkdir(parents=True, exist_ok=True)
    named = [environment[name] for name in _CACHE_VARIABLES if environment.get(name, "").startswith("/")]
    caches = [str(ours), *named, *(f"{_cache_home(environment)}/{name}" for name in _CACHES)]
    places = [*map(str, writable), *caches, *(f"/dev/{name}" for name in _DEVICES)]
    return [sys.executable, "-I", "-S", confined.__file__, *places, "--", *step]


def _cache_home(environment: Mapping[str, str]) -> str:
    return environment.get("XDG_CACHE_HOME") or f"{environment.get('HOME', '')}/.cache"


def build_key(command: Sequence[str]) -> str:
    """Of a command, the working folder, and the contents of the files that it names."""
    digest = hashlib.sha256(json.dumps([str(Path.cwd()), *command]).encode())
    for word in command:
        path = Path(word)
        try:
            if path.is_file():
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        except (OSError, ValueError):
            continue
    return digest.hexdigest()[:16]
