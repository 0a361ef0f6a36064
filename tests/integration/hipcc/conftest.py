"""Runs hipcc as build scripts do: from PATH, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import SECONDS

import vrocm

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HIPCC_")}
    return {**clean, **vrocm.environment()}


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Run:
    """run(command, …) in the test's folder; the result has text in stdout and stderr."""

    def start(*command: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    return start


@pytest.fixture
def hipcc(run: Run) -> Run:
    """hipcc(arguments, …), which must succeed."""

    def compile_(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        result = run("hipcc", *arguments, text=text)
        assert result.returncode == 0, result.stderr
        return result

    return compile_


class Place:
    """A folder with sources, and a cache of its own that says what became of each command line."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.cache = folder.with_name(f"{folder.name}-cache")
        self.log = folder.with_name(f"{folder.name}-log")
        self.variables = {**environment, "VROCM_CACHE": str(self.cache), "VROCM_CACHE_LOG": str(self.log)}
        # The device library takes long: it is everybody's.
        self.cache.mkdir()
        home = Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        for library in (home / "rocm-perf-lab" / "vrocm").glob("devicelib-*"):
            (self.cache / library.name).symlink_to(library)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def hipcc(self, *words: str, cwd: str = ".", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["hipcc", *words],
            cwd=self.folder / cwd,
            env={**self.variables, **variables},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    def became(self, *words: str, cwd: str = ".", **variables: str) -> str:
        """taken, kept or not kept"""
        done = self.hipcc(*words, cwd=cwd, **variables)
        assert done.returncode == 0, done.stderr
        return self.last()

    def last(self) -> str:
        return self.log.read_text().splitlines()[-1].partition(":")[0]

    def says(self, program: str = "app", cwd: str = ".") -> str:
        command = [str(self.folder / cwd / program)]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=SECONDS
        ).stdout.strip()
