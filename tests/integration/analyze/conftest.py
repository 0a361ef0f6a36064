"""Traces of a program by rocprofv3 from PATH, in all formats, and `rocm-perf analyze` as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.vrocm import prefix

SECONDS = 120
PROGRAM = Path(__file__).parents[1] / "rocprofv3" / "programs" / "scale.hip"
REAL_DATABASE = Path(__file__).parents[4] / "shared" / "data" / "rocpd" / "flydsl_146104_results.db"

Traced = Callable[..., Path]
Analyze = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("ROCPROF", "VROCM_TRACE"))
    }
    return {**clean, **prefix.environment()}


@pytest.fixture(scope="session")
def program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("programs") / "scale"
    result = subprocess.run(
        ["hipcc", "-O2", str(PROGRAM), "-lroctx64", "-o", str(built)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert result.returncode == 0, result.stderr
    return built


@pytest.fixture(scope="session")
def traced(environment: dict[str, str], program: Path, tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """traced(options, …, mode="plain"): the folder that rocprofv3 wrote into."""
    done: dict[tuple[str, ...], Path] = {}

    def trace(*options: str, mode: str = "plain") -> Path:
        key = (*options, mode)
        if key not in done:
            folder = tmp_path_factory.mktemp("traces")
            command = ["rocprofv3", "-d", str(folder), *options, "--", str(program), mode]
            result = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=SECONDS, cwd=folder
            )
            assert result.returncode == 0, result.stderr
            done[key] = folder
        return done[key]

    return trace


@pytest.fixture
def analyze(tmp_path: Path) -> Analyze:
    """analyze(arguments, …): without ROCm in the environment, because none is needed."""
    bare = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ROCM", "VROCM", "HIP", "HSA", "LD_"))
    }

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rocm_perf_lab", "analyze", *map(str, arguments)],
            env={**bare, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=tmp_path,
        )

    return run
