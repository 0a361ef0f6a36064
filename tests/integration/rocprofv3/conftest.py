"""Runs rocprofv3 from PATH on small HIP programs and opens what it wrote."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rocm_perf_lab.vrocm import prefix

SECONDS = 120
PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("ROCPROF", "VROCM_TRACE"))
    }
    return {**clean, **prefix.environment()}


def build(source: Path, folder: Path, environment: dict[str, str], *options: str) -> Path:
    built = folder / source.stem
    result = subprocess.run(
        ["hipcc", "-O2", str(source), *options, "-o", str(built)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert result.returncode == 0, result.stderr
    return built


@pytest.fixture(scope="session")
def program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """programs/scale.hip: what it does is chosen by its arguments."""
    return build(PROGRAMS / "scale.hip", tmp_path_factory.mktemp("programs"), environment, "-lroctx64")


@pytest.fixture(scope="session")
def random_streams(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(PROGRAMS / "random_streams.hip", tmp_path_factory.mktemp("programs"), environment)


@dataclass
class Run:
    """One call of rocprofv3 and the folder it wrote into."""

    code: int
    stdout: str
    stderr: str
    folder: Path

    def files(self, pattern: str) -> list[Path]:
        return sorted(self.folder.rglob(pattern))

    def file(self, pattern: str) -> Path:
        found = self.files(pattern)
        assert len(found) == 1, f"{pattern}: {found}; {self.stderr}"
        return found[0]


Profile = Callable[..., Run]


def _profile_in(place: Path, environment: dict[str, str]) -> Profile:
    def run(*options: str, program: list[str | Path], folder: str = "out", **variables: str) -> Run:
        command = ["rocprofv3", "-d", folder, *options, "--", *map(str, program)]
        result = subprocess.run(
            command,
            cwd=place,
            env={**environment, **variables},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return Run(result.returncode, result.stdout, result.stderr, place / folder)

    return run


@pytest.fixture
def profile(environment: dict[str, str], tmp_path: Path) -> Profile:
    """profile(options, …, program=[…]): runs rocprofv3 in the test's folder, with output below out/."""
    return _profile_in(tmp_path, environment)


@pytest.fixture(scope="session")
def everything(environment: dict[str, str], program: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The plain program with everything traced, in all formats."""
    profile = _profile_in(tmp_path_factory.mktemp("everything"), environment)
    run = profile("--sys-trace", "--stats", "-f", "rocpd", "csv", "json", "pftrace", program=[program])
    assert run.code == 0, run.stderr
    return run


@pytest.fixture
def query() -> Iterator[Callable[..., list[tuple[object, ...]]]]:
    """query(database, sql): all rows."""
    connections: list[sqlite3.Connection] = []

    def ask(database: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
        connections.append(sqlite3.connect(f"file:{database}?mode=ro", uri=True))
        return connections[-1].execute(sql, values).fetchall()

    yield ask
    for connection in connections:
        connection.close()
