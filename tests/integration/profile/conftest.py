"""Runs ``rocm-perf profile`` from outside on small HIP programs, in an empty folder."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.commands import ROOT, SECONDS, HipProgram, rocm_perf_words

# What it does is chosen by its arguments: plain, fork, abort, kill, segv, exit N, hang, …
SCALE = ROOT / "tests" / "integration" / "rocprofv3" / "programs" / "scale.hip"


@pytest.fixture(scope="session")
def build(hip_program: HipProgram) -> HipProgram:
    """build(source, *options): the compiled program; each source is compiled once."""
    return lambda source, *options: hip_program(source, "-O2", *options)


@pytest.fixture(scope="session")
def scale(build: HipProgram) -> Path:
    return build(SCALE, "-lroctx64")


@dataclass
class Run:
    """One call of rocm-perf and the folder it was called in."""

    code: int
    out: bytes
    stderr: str
    place: Path

    @property
    def stdout(self) -> str:
        return self.out.decode()

    @property
    def document(self) -> dict[str, Any]:
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    @property
    def error(self) -> dict[str, Any]:
        found = self.document["error"]
        assert isinstance(found, dict)
        assert found["exit_code"] == self.code
        return found

    @property
    def folders(self) -> list[Path]:
        home = self.place / ".rocm-perf"
        return sorted(path for path in home.iterdir() if path.is_dir() and not path.is_symlink())

    @property
    def folder(self) -> Path:
        (only,) = self.folders
        return only


Profile = Callable[..., Run]


@pytest.fixture
def profile(environment: dict[str, str], tmp_path: Path) -> Profile:
    """profile(*arguments, **variables): runs rocm-perf profile in the test's folder."""

    def run(*arguments: object, place: Path | None = None, stdin: Any = None, **variables: str) -> Run:
        done = subprocess.run(
            rocm_perf_words("profile", *arguments),
            cwd=place or tmp_path,
            env={**environment, **variables},
            stdin=stdin,
            capture_output=True,
            timeout=SECONDS,
        )
        return Run(done.returncode, done.stdout, done.stderr.decode(errors="replace"), place or tmp_path)

    return run


@pytest.fixture
def fake_prefix(environment: dict[str, str], tmp_path: Path) -> Callable[[str], Path]:
    """fake_prefix(script): a ROCm folder whose rocprofv3 is a shell script; $REAL is the real one."""

    def make(script: str) -> Path:
        folder = tmp_path / "fake rocm"
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "hipcc").write_text("#!/bin/sh\nexit 1\n")
        tool = folder / "bin" / "rocprofv3"
        real = Path(environment["ROCM_PATH"]) / "bin" / "rocprofv3"
        tool.write_text(f'#!/bin/sh\nREAL="{real}"\n{script}\n')
        for file in (folder / "bin").iterdir():
            file.chmod(0o755)
        return folder

    return make
