"""Programs of examples/bottlenecks, compiled once, and rocm-perf to profile them with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.vrocm import prefix

SECONDS = 240
EXAMPLES = Path(__file__).parents[3] / "examples" / "bottlenecks"

Build = Callable[[str], Path]
Run = Callable[..., str]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ROCPROF")}
    return {
        **clean,
        **prefix.environment(),
        "VROCM_DEVICE": "MI300X",
        "ROCM_PERF_CALIBRATIONS": "/no/calibrations",
    }


@pytest.fixture(scope="session")
def run(environment: dict[str, str]) -> Run:
    """run(*words): what a command that succeeds prints."""

    def running(*words: object) -> str:
        done = subprocess.run(
            list(map(str, words)), env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return running


@pytest.fixture(scope="session")
def build(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Build:
    folder = tmp_path_factory.mktemp("programs")

    def built(name: str) -> Path:
        program = folder / name
        if not program.exists():
            run("hipcc", "-O2", EXAMPLES / f"{name}.hip", "-o", program)
        return program

    return built


@pytest.fixture(scope="session")
def profile(run: Run) -> Run:
    """profile(*words): rocm-perf profile with one run."""
    return lambda *words: run(sys.executable, "-m", "rocm_perf_lab", "profile", "--runs", 1, *words)
