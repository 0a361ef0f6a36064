"""Builds the programs of this folder against the virtual ROCm and runs them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import SECONDS
from tests.wanted import wanted

PROGRAMS = Path(__file__).parent / "programs"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def vrocm() -> dict[str, str]:
    """The environment of the virtual ROCm."""
    from vrocm import environment

    return {**os.environ, **environment()}


def _checked(command: list[str], env: dict[str, str]) -> None:
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


@pytest.fixture(scope="session")
def host_program(vrocm: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Builds a program that needs no kernel with the system compiler alone."""
    folder = tmp_path_factory.mktemp("host")
    root = Path(vrocm["ROCM_PATH"])

    def build(name: str) -> Path:
        out = folder / name
        flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread", f"-I{root / 'include'}"]
        link = [f"-L{root / 'lib'}", "-lamdhip64", f"-Wl,-rpath-link,{root / 'lib'}"]
        _checked(["g++", *flags, str(PROGRAMS / f"{name}.cpp"), "-o", str(out), *link], vrocm)
        return out

    return build


@pytest.fixture(scope="session")
def hip_program(vrocm: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Builds a program with hipcc; each source once a session."""
    folder = tmp_path_factory.mktemp("device")
    built: dict[tuple[str, ...], Path] = {}

    def build(source: str, *flags: str) -> Path:
        key = (source, *flags)
        if key not in built:
            out = folder / f"{Path(source).stem}-{len(built)}"
            _checked(["hipcc", "-O2", *flags, str(PROGRAMS / source), "-o", str(out)], vrocm)
            built[key] = out
        return built[key]

    return build


@pytest.fixture
def run(vrocm: dict[str, str]) -> Run:
    """Runs a program; extra keyword arguments become environment variables."""

    def execute(program: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        env = {**vrocm, **variables}
        command = [str(program), *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=SECONDS)

    return execute


@pytest.fixture(scope="session")
def c_compiler() -> str:
    return wanted("gcc")
