"""Builds a variant of the program for a configuration, once: the same command on the same files is not run
again."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.builds.run_build import BuildLimits, run_build

RECORD = "build.json"


@dataclass(frozen=True)
class BuiltVariant:
    ok: bool
    message: str
    seconds: float
    cached: bool


def build(
    command: tuple[str, ...], folder: Path, environment: Mapping[str, str], timeout_s: float | None
) -> BuiltVariant:
    """Runs the build unless it was run before; a failure is remembered, too."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        record = folder / RECORD
        if record.is_file():
            known = json.loads(record.read_text())
            return BuiltVariant(known["ok"], known["message"], known["seconds"], cached=True)
        done = run_build(
            [command],
            folder=Path.cwd(),
            environment=environment,
            limits=BuildLimits(seconds=timeout_s),
            logs=folder,
        )
        if done.interrupted:
            raise KeyboardInterrupt
        said = "" if done.succeeded else done.complaint
        if done.timed_out:
            said = f"stopped after {done.seconds:.0f} s; {said}".rstrip("; ")
        built = BuiltVariant(done.succeeded, said, done.seconds, cached=False)
        record.write_text(json.dumps({"ok": built.ok, "message": built.message, "seconds": built.seconds}))
        return built


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Others that want the same build wait."""
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
