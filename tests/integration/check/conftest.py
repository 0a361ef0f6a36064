"""Builds the programs of this folder with hipcc and checks them from the outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Checked:
    code: int
    document: dict[str, Any]
    stderr: str

    def classes(self) -> list[str]:
        return [defect["defect"] for defect in self.document.get("defects", [])]


@pytest.fixture(scope="session")
def vrocm() -> dict[str, str]:
    from rocm_perf_lab.errors import EnvironmentProblem
    from rocm_perf_lab.vrocm import prefix

    try:
        return {**os.environ, **prefix.environment()}
    except EnvironmentProblem as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="session")
def program(vrocm: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    folder = tmp_path_factory.mktemp("programs")
    built: dict[tuple[str, ...], Path] = {}

    def build(source: str | Path, *flags: str) -> Path:
        key = (str(source), *flags)
        if key not in built:
            out = folder / f"{Path(source).stem}-{len(built)}"
            command = ["hipcc", "-g", "-O2", *flags, str(PROGRAMS / source), "-o", str(out)]
            done = subprocess.run(command, env=vrocm, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, done.stderr
            built[key] = out
        return built[key]

    return build


@pytest.fixture
def check(vrocm: dict[str, str]) -> Callable[..., Checked]:
    """``rocm-perf check --json``; keyword arguments become environment variables."""

    def run(path: Path, *options: str, **variables: str) -> Checked:
        command = [sys.executable, "-m", "rocm_perf_lab", "check", "--json", *options, "--", str(path)]
        env = {**vrocm, **variables}
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
        return Checked(done.returncode, json.loads(done.stdout), done.stderr)

    return run
