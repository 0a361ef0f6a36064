"""Runs rocprofv3 from PATH on small HIP programs and opens what it wrote."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.commands import HipProgram, run

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def program(hip_program: HipProgram) -> Path:
    """programs/scale.hip: what it does is chosen by its arguments."""
    return hip_program(PROGRAMS / "scale.hip", "-O2", "-lroctx64")


@pytest.fixture(scope="session")
def random_streams(hip_program: HipProgram) -> Path:
    return hip_program(PROGRAMS / "random_streams.hip", "-O2")


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


def profile_in(place: Path, environment: dict[str, str]) -> Profile:
    def start(*options: str, program: list[str | Path], folder: str = "out", **variables: str) -> Run:
        command = ("rocprofv3", "-d", folder, *options, "--", *program)
        result = run(*command, environment={**environment, **variables}, cwd=place)
        return Run(result.returncode, result.stdout, result.stderr, place / folder)

    return start


@pytest.fixture
def profile(environment: dict[str, str], tmp_path: Path) -> Profile:
    """profile(options, …, program=[…]): runs rocprofv3 in the test's folder, with output below out/."""
    return profile_in(tmp_path, environment)


@pytest.fixture(scope="session")
def everything(environment: dict[str, str], program: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The plain program with everything traced, in all formats."""
    profile = profile_in(tmp_path_factory.mktemp("everything"), environment)
    traced = profile("--sys-trace", "--stats", "-f", "rocpd", "csv", "json", "pftrace", program=[program])
    assert traced.code == 0, traced.stderr
    return traced


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
