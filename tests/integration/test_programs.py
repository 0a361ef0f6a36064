"""Whole programs in the style of published HIP benchmarks: built by make with hipcc, run, self-checked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS, rocm_perf_words
from tests.tiers import sweep
from tests.wanted import wanted

from rocm_perf_lab.rocm.find import find_prefix

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.cu"))
CASES = [(name, optimize) for name in PROGRAMS for optimize in ("yes", "no")]
KEPT = {f"{name} yes" for name in PROGRAMS} | {"black_scholes no", "lu no"}


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    wanted("make")
    return {**os.environ, **find_prefix().environment()}


@pytest.mark.contract
@pytest.mark.parametrize(("name", "optimize"), sweep(CASES, keep=KEPT, name=" ".join))
def test_program_passes(name: str, optimize: str, environment: dict[str, str], tmp_path: Path) -> None:
    built = subprocess.run(
        ["make", "-C", str(FOLDER), f"OUT={tmp_path}", f"OPTIMIZE={optimize}", f"{tmp_path}/{name}"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert built.returncode == 0, built.stderr
    for threads in ("1", "2") if optimize == "yes" else ("2",):
        ran = subprocess.run(
            [str(tmp_path / name)],
            env={**environment, "VROCM_THREADS": threads},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert ran.stdout.splitlines()[-1] == "PASS"
        assert ran.stderr == ""
    if optimize == "yes" and find_prefix().kind == "virtual":
        checked = subprocess.run(
            rocm_perf_words("check", str(tmp_path / name)),
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr
