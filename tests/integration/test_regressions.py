"""Programs that once failed: each is one source of regressions/, which checks itself and ends with PASS."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS

import vrocm

FOLDER = Path(__file__).parent / "regressions"


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment()}


@pytest.mark.parametrize("source", sorted(FOLDER.glob("*.cu")), ids=lambda path: str(path.stem))
def test_program_passes(source: Path, environment: dict[str, str], tmp_path: Path) -> None:
    program = tmp_path / source.stem
    built = subprocess.run(
        ["hipcc", "-std=c++17", "-O3", "-Wall", str(source), "-o", str(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert built.returncode == 0, built.stderr
    ran = subprocess.run(
        [str(program)],
        env={**environment, "VROCM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines()[-1] == "PASS"
