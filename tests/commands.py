"""How tests run commands: in processes of their own, with or without the virtual ROCm, and without variables
of whoever runs the tests that change what commands do."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import vrocm
from vrocm import isolated

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
SECONDS = 600  # at most: on a machine ten times as slow, or as busy, what takes a minute has to pass
_ROCM = ("HIP", "HSA", "ISOLATE", "LD_LIBRARY_PATH", "ROCM", "ROCPROF", "VROCM")
_STEERING = (
    *("HIPCC", "HSA_", "ISOLATE", "ROCM_PERF", "ROCPROF", "VROCM_ACCESS", "VROCM_CHECK"),
    *("VROCM_DEVICE", "VROCM_GROUP", "VROCM_RESULTS", "VROCM_TIMING", "VROCM_TRACE"),
)


class Done(subprocess.CompletedProcess[str]):
    @property
    def code(self) -> int:
        return self.returncode

    @property
    def document(self) -> dict[str, Any]:
        """What a command with --json printed."""
        found = json.loads(self.stdout)
        assert isinstance(found, dict)
        return found


RocmPerf = Callable[..., Done]
HipProgram = Callable[..., Path]


def virtual_rocm(**more: str) -> dict[str, str]:
    """The environment of somebody who uses the virtual ROCm."""
    # A calibration that the user has made would change the ceilings.
    own = {"ROCM_PERF_CALIBRATIONS": "/no/calibrations"}
    return {**_without(_STEERING), **vrocm.environment(), **own, **more}


def without_rocm() -> dict[str, str]:
    """The environment of somebody who has none."""
    return {**_without(_ROCM), "PATH": "/usr/bin:/bin"}


def _without(beginnings: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(beginnings)}


def rocm_perf_words(*words: object) -> list[str]:
    return isolated.command_line("rocm_perf_lab", *map(str, words))


def run(
    *words: object, environment: Mapping[str, str], cwd: Path | None = None, seconds: float = SECONDS
) -> Done:
    """Without a terminal and with nothing to read."""
    done = subprocess.run(
        list(map(str, words)),
        env=environment,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    return Done(done.args, done.returncode, done.stdout, done.stderr)


def succeed(*words: object, environment: Mapping[str, str], cwd: Path | None = None) -> Done:
    done = run(*words, environment=environment, cwd=cwd)
    assert done.returncode == 0, f"{done.args}: {done.stdout}{done.stderr}"
    return done


def rocm_perf_in(environment: Mapping[str, str]) -> RocmPerf:
    """rocm_perf(*words, cwd=None, **variables): one call of the command, whatever comes of it."""

    def call(*words: object, cwd: Path | None = None, **variables: str) -> Done:
        return run(*rocm_perf_words(*words), environment={**environment, **variables}, cwd=cwd)

    return call


def compiler_into(folder: Path, environment: Mapping[str, str]) -> HipProgram:
    """compiled(source, *options, name=None): the program; each is compiled once."""
    known: dict[tuple[str, ...], Path] = {}

    def compiled(source: Path, *options: str, name: str | None = None) -> Path:
        key = (str(source), *options, name or "")
        if key not in known:
            place = folder / str(len(known))
            place.mkdir()
            succeed("hipcc", source, *options, "-o", place / (name or source.stem), environment=environment)
            known[key] = place / (name or source.stem)
        return known[key]

    return compiled
