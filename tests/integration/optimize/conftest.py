"""The virtual ROCm's compiler and programs, for tests of the optimizer."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.vrocm import prefix

SECONDS = 240

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ROCPROF")}
    return {**clean, **prefix.environment(), "VROCM_TIMING": "off"}


@pytest.fixture(scope="session")
def run(environment: dict[str, str]) -> Run:
    """run(*words): a command that has to succeed."""

    def running(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            list(map(str, words)), env=environment, cwd=cwd, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return running
