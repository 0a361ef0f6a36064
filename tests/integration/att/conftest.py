"""Thread traces of examples, made once by the virtual ROCm's rocprofv3, and rocm-perf att from outside."""

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

from rocm_perf_lab.vrocm import prefix

SECONDS = 120
EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAMS = Path(__file__).parents[1] / "rocprofv3" / "programs"


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("ROCPROF", "VROCM_TRACE"))
    }
    return {**clean, **prefix.environment()}


Build = Callable[[Path], Path]


@pytest.fixture(scope="session")
def build(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The program made from a source, with line information."""
    place = tmp_path_factory.mktemp("programs")

    def built(source: Path) -> Path:
        program = place / source.stem
        if not program.exists():
            done = subprocess.run(
                ["hipcc", "-g", "-O3", str(source), "-o", str(program)],
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
            assert done.returncode == 0, done.stderr
        return program

    return built


Traced = Callable[..., Path]


@pytest.fixture(scope="session")
def traced(build: Build, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """traced(example, *options): the folder that rocprofv3 --att wrote; each is traced once."""
    done: dict[tuple[str, ...], Path] = {}

    def trace(name: str, *options: str) -> Path:
        key = (name, *options)
        if key not in done:
            folder = tmp_path_factory.mktemp(name)
            command = ["rocprofv3", "--att", *options, "-d", str(folder), "--"]
            command.append(str(build(EXAMPLES / f"{name}.hip")))
            run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
            assert run.returncode == 0, run.stderr
            done[key] = folder
        return done[key]

    return trace


@dataclass
class Run:
    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> dict[str, Any]:
        found = json.loads(self.stdout)
        assert isinstance(found, dict)
        return found


Att = Callable[..., Run]


@pytest.fixture
def att(tmp_path: Path) -> Att:
    """att(*arguments): rocm-perf att, with no ROCm around."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("ROC", "HIP", "VROCM"))}

    def run(*arguments: object) -> Run:
        done = subprocess.run(
            [sys.executable, "-m", "rocm_perf_lab", "att", *map(str, arguments)],
            cwd=tmp_path,
            env=bare,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run
