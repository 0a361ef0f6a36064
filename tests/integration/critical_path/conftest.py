"""Traces of programs with known structures, made once for each structure and amount of work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import HipProgram, succeed, virtual_rocm

from rocm_perf_lab.profiling.documents.critical_path import TRACE_OPTIONS

SHAPES = Path(__file__).parent / "shapes.hip"

Traced = Callable[..., Path]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    return virtual_rocm(VROCM_DEVICES="2")


@pytest.fixture(scope="session")
def shapes(hip_program: HipProgram) -> Path:
    return hip_program(SHAPES, "-O2")


@pytest.fixture(scope="session")
def traced(environment: dict[str, str], shapes: Path, tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """traced(shape, rounds, options): the folder that rocprofv3 wrote."""
    home = tmp_path_factory.mktemp("traces")

    def trace(shape: str, rounds: int, options: tuple[str, ...] = TRACE_OPTIONS) -> Path:
        folder = home / f"{shape}-{rounds}{''.join(options)}"
        if not folder.exists():
            command = ("rocprofv3", *options, "-f", "rocpd", "-d", folder, "--", shapes, shape, rounds)
            succeed(*command, environment=environment)
        return folder

    return trace
