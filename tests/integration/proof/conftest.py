"""Programs of every shape, captured on the virtual GPU and replayed in fresh processes, from outside."""

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

SECONDS = 240
ROOT = Path(__file__).parents[3]
PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ISOLATE", "HSA_TOOLS", "VROCM_TRACE", "ROCPROF"))
    }
    return {**clean, **prefix.environment()}


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


Run_ = Callable[..., Run]


@pytest.fixture(scope="session")
def rocm_perf(environment: dict[str, str]) -> Run_:
    """rocm_perf(*words): one call of the command."""

    def run(*words: str | Path, place: Path | None = None, **variables: str) -> Run:
        done = subprocess.run(
            [sys.executable, "-m", "rocm_perf_lab", *map(str, words)],
            env={**environment, **variables},
            cwd=place,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """program(name): the compiled program of that name; each is compiled once."""
    folder = tmp_path_factory.mktemp("programs")

    def compiled(name: str) -> Path:
        shared = name.startswith("launching")
        output = folder / (f"lib{name}.so" if shared else name)
        if not output.exists():
            source = next(
                place / f"{name}.hip"
                for place in (PROGRAMS, ROOT / "examples")
                if (place / f"{name}.hip").exists()
            )
            options = ["-shared", "-fPIC"] if shared else ["-ldl"]
            done = subprocess.run(
                [
                    "hipcc",
                    "-O3",
                    "-g",
                    "-I",
                    str(ROOT / "examples"),
                    str(source),
                    *options,
                    "-o",
                    str(output),
                ],
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
            assert done.returncode == 0, done.stderr
        return output

    return compiled
