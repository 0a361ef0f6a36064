"""What most tests from outside begin with: the virtual ROCm, programs compiled for it, and the command.

Folders whose tests need another environment have an ``environment`` of their own; the rest follows from it.
"""

from __future__ import annotations

import pytest
from tests.commands import HipProgram, RocmPerf, compiler_into, rocm_perf_in, virtual_rocm


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    return virtual_rocm()


@pytest.fixture(scope="session")
def rocm_perf(environment: dict[str, str]) -> RocmPerf:
    """rocm_perf(*words, cwd=None, **variables): one call of the command, whatever comes of it."""
    return rocm_perf_in(environment)


@pytest.fixture(scope="session")
def hip_program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> HipProgram:
    """hip_program(source, *options, name=None): the program; each is compiled once."""
    return compiler_into(tmp_path_factory.mktemp("programs"), environment)
