"""A program built with and without debug information, and the commands that capture it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.capture.tools_library import tools_library
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.vrocm import prefix

SECONDS = 240
SOURCE = Path(__file__).parent / "stages.hip"

RocmPerf = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    try:
        tools_library()
    except EnvironmentProblem as problem:
        pytest.skip(problem.cause)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ISOLATE", "HSA_"))}
    return {**kept, **prefix.environment()}


@pytest.fixture(scope="session")
def rocm_perf(environment: dict[str, str]) -> RocmPerf:
    def run(*words: object, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rocm_perf_lab", *map(str, words)],
            env={**environment, **variables},
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    return run


@pytest.fixture(scope="session")
def programs(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("programs")
    built = {"plain": folder / "stages", "debug": folder / "stages-g"}
    for name, options in (("plain", ["-O2"]), ("debug", ["-O2", "-g"])):
        done = subprocess.run(
            ["hipcc", *options, str(SOURCE), "-o", str(built[name])],
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stderr
    return built
