"""Thread traces of examples, made once by the virtual ROCm's rocprofv3, and rocm-perf att from outside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import EXAMPLES, HipProgram, RocmPerf, rocm_perf_in, succeed, without_rocm

PROGRAMS = Path(__file__).parents[1] / "rocprofv3" / "programs"

Build = Callable[[Path], Path]
Traced = Callable[..., Path]
Att = RocmPerf


@pytest.fixture(scope="session")
def build(hip_program: HipProgram) -> Build:
    """The program made from a source, with line information."""
    return lambda source: hip_program(source, "-g", "-O3")


@pytest.fixture(scope="session")
def traced(build: Build, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """traced(example, *options): the folder that rocprofv3 --att wrote; each is traced once."""
    done: dict[tuple[str, ...], Path] = {}

    def trace(name: str, *options: str) -> Path:
        key = (name, *options)
        if key not in done:
            folder = tmp_path_factory.mktemp(name)
            program = build(EXAMPLES / f"{name}.hip")
            succeed("rocprofv3", "--att", *options, "-d", folder, "--", program, environment=environment)
            done[key] = folder
        return done[key]

    return trace


@pytest.fixture
def att(tmp_path: Path) -> Att:
    """att(*arguments): rocm-perf att, with no ROCm around."""
    rocm_perf = rocm_perf_in(without_rocm())
    return lambda *arguments: rocm_perf("att", *arguments, cwd=tmp_path)
