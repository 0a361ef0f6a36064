"""Builds a variant of the program for a configuration, once: the same command on the same files is not run
again."""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.profile.processes import run
from rocm_perf_lab.profile.run_rocprof import last_words

RECORD = "build.json"
LONGEST = 300  # characters of a message


@dataclass(frozen=True)
class Built:
    ok: bool
    message: str
    seconds: float
    cached: bool


def build_key(command: tuple[str, ...]) -> str:
    """Of the command before its folder is known, and of the contents of the files that it names."""
    digest = hashlib.sha256(json.dumps([str(Path.cwd()), *command]).encode())
    for word in command:
        path = Path(word)
        try:
            if path.is_file():
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        except (OSError, ValueError):
            continue
    return digest.hexdigest()[:16]


def build(
    command: tuple[str, ...], folder: Path, environment: Mapping[str, str], timeout_s: float | None
) -> Built:
    """Runs the build unless it was run before; a failure is remembered, too."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        record = folder / RECORD
        if record.is_file():
            known = json.loads(record.read_text())
            return Built(known["ok"], known["message"], known["seconds"], cached=True)
        began = time.monotonic()
        logs = folder / "build.stdout", folder / "build.stderr"
        outcome = run(command, environment, stdout=logs[0], stderr=logs[1], timeout_s=timeout_s)
        if outcome.interrupted:
            raise KeyboardInterrupt
        said = "" if outcome.succeeded else _complaint(logs)
        if outcome.timed_out:
            said = f"stopped after {outcome.wall_s:.0f} s; {said}".rstrip("; ")
        built = Built(outcome.succeeded, said, time.monotonic() - began, cached=False)
        record.write_text(json.dumps({"ok": built.ok, "message": built.message, "seconds": built.seconds}))
        return built


def _complaint(logs: tuple[Path, Path]) -> str:
    """The first line of a compiler's that says error; else the last that were printed."""
    lines = logs[1].read_text(errors="replace").splitlines()
    first = next((line.strip()[:LONGEST] for line in lines if re.search(r"\berror\b", line)), None)
    return first or last_words(logs[1], 2) or last_words(logs[0], 2)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Others that want the same build wait."""
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
