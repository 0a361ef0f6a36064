"""Traces of programs with known structures, made once for each structure and amount of work."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.profile.critical import TRACE_OPTIONS
from rocm_perf_lab.vrocm import prefix

SECONDS = 120
SHAPES = Path(__file__).parent / "shapes.hip"

Traced = Callable[..., Path]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ROCPROF", "VROCM_TRACE", "ROCM_PERF"))
    }
    return {**clean, **prefix.environment(), "VROCM_DEVICES": "2"}


@pytest.fixture(scope="session")
def shapes(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("critical_path") / "shapes"
    done = subprocess.run(
        ["hipcc", "-O2", str(SHAPES), "-o", str(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="session")
def traced(environment: dict[str, str], shapes: Path, tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """traced(shape, rounds, options): the folder that rocprofv3 wrote."""
    home = tmp_path_factory.mktemp("traces")

    def trace(shape: str, rounds: int, options: tuple[str, ...] = TRACE_OPTIONS) -> Path:
        folder = home / f"{shape}-{rounds}{''.join(options)}"
        if not folder.exists():
            done = subprocess.run(
                [
                    "rocprofv3",
                    *options,
                    "-f",
                    "rocpd",
                    "-d",
                    str(folder),
                    "--",
                    str(shapes),
                    shape,
                    str(rounds),
                ],
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
            assert done.returncode == 0, done.stderr
        return folder

    return trace
