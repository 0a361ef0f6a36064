"""Traces of a program by rocprofv3 from PATH, in all formats, and `rocm-perf analyze` as a user runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import HipProgram, RocmPerf, rocm_perf_in, succeed, without_rocm

PROGRAM = Path(__file__).parents[1] / "rocprofv3" / "programs" / "scale.hip"

Traced = Callable[..., Path]
Analyze = RocmPerf


@pytest.fixture(scope="session")
def program(hip_program: HipProgram) -> Path:
    return hip_program(PROGRAM, "-O2", "-lroctx64")


@pytest.fixture(scope="session")
def traced(environment: dict[str, str], program: Path, tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """traced(options, …, mode="plain"): the folder that rocprofv3 wrote into."""
    done: dict[tuple[str, ...], Path] = {}

    def trace(*options: str, mode: str = "plain") -> Path:
        key = (*options, mode)
        if key not in done:
            folder = tmp_path_factory.mktemp("traces")
            command = ("rocprofv3", "-d", folder, *options, "--", program, mode)
            succeed(*command, environment=environment, cwd=folder)
            done[key] = folder
        return done[key]

    return trace


@pytest.fixture
def analyze(tmp_path: Path) -> RocmPerf:
    """analyze(arguments, …): without ROCm in the environment, because none is needed."""
    rocm_perf = rocm_perf_in(without_rocm())
    return lambda *arguments: rocm_perf("analyze", *arguments, cwd=tmp_path)
