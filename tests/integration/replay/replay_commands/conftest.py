"""Captures of small kernels, made once, and the commands that replay them."""

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

SECONDS = 300
SOURCE = Path(__file__).parent / "kernels.hip"


@dataclass(frozen=True)
class Done:
    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> dict[str, Any]:
        found = json.loads(self.stdout)
        assert isinstance(found, dict)
        return found


RocmPerf = Callable[..., Done]
Captures = Callable[..., Path]


@pytest.fixture(scope="session")
def rocm_perf() -> RocmPerf:
    """rocm_perf(*words): one call of the command."""
    unwanted = ("ISOLATE", "HSA_TOOLS", "VROCM_TIMING", "VROCM_GROUP", "VROCM_ACCESS", "ROCPROF")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    environment = {**clean, **prefix.environment()}

    def run(*words: object, place: Path | None = None, **variables: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "rocm_perf_lab", *map(str, words)],
            env={**environment, **variables},
            cwd=place,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("program") / "kernels"
    done = subprocess.run(
        ["hipcc", "-O2", "-g", str(SOURCE), "-o", str(built)],
        env={**os.environ, **prefix.environment()},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return built


@pytest.fixture(scope="session")
def captured(program: Path, rocm_perf: RocmPerf, tmp_path_factory: pytest.TempPathFactory) -> Captures:
    """captured(kernel, dispatch): the capture of one dispatch; made when it is first asked for."""
    home = tmp_path_factory.mktemp("captures")

    def capture(kernel: str, dispatch: int = 0) -> Path:
        folder = home / f"{kernel}_{dispatch}"
        if not folder.exists():
            words = ("capture", "--kernel", f"^{kernel}\\(", "--dispatch", dispatch, "--out", folder)
            done = rocm_perf(*words, "--", program, kernel)
            assert done.code == 0, done.stderr
        return folder

    return capture


@pytest.fixture(scope="session")
def taken_for_real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The virtual ROCm's libraries in a folder that does not look like it: as on a machine with a GPU."""
    folder = tmp_path_factory.mktemp("rocm")
    (folder / "bin").mkdir()
    hipcc = folder / "bin" / "hipcc"
    hipcc.write_text("#!/bin/sh\nexit 1\n")
    hipcc.chmod(0o755)
    (folder / "lib").symlink_to(prefix.materialise() / "lib")
    return folder
