"""Two variants of a program, profiled once each, and the command that compares them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.vrocm import prefix

SECONDS = 120
SOURCE = Path(__file__).parent / "vary.hip"

RocmPerf = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def rocm_perf() -> RocmPerf:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ROCPROF")},
        **prefix.environment(),
        "ROCM_PERF_CALIBRATIONS": "/no/calibrations",
    }

    def run(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rocm_perf_lab", *map(str, arguments)],
            env={**environment, **variables},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    return run


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same file name in two folders, as two checkouts of one project have it."""
    built = {}
    for variant, name in enumerate(("before", "after")):
        built[name] = tmp_path_factory.mktemp(name) / "vary"
        done = subprocess.run(
            ["hipcc", "-O2", f"-DVARIANT={variant}", str(SOURCE), "-o", str(built[name])],
            env={**os.environ, **prefix.environment()},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stderr
    return built


@pytest.fixture(scope="session")
def runs(
    programs: dict[str, Path], rocm_perf: RocmPerf, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """before, after; larger: before with another argument; other_gpu: before on an MI300A."""
    home = tmp_path_factory.mktemp("runs")
    cases: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
        "before": ("before", (), {}),
        "after": ("after", (), {}),
        "larger": ("before", ("16",), {}),
        "other_gpu": ("before", (), {"VROCM_DEVICE": "MI300A"}),
    }
    for name, (program, arguments, variables) in cases.items():
        done = rocm_perf(
            "profile", "--runs", 2, "--out", home / name, programs[program], *arguments, **variables
        )
        assert done.returncode == 0, done.stderr
    return {name: home / name for name in cases}
