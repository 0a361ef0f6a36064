"""Every example compiles, runs on the GPU and passes its own check, at several levels of -O."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from tests.commands import SECONDS

from rocm_perf_lab.rocm.find import find_prefix

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.hip"))
LEVELS = ("-O0", "-O1", "-O3")
AT_ALL_LEVELS = ("reduction", "softmax", "vector_add")


def case(source: Path, level: str) -> ParameterSet:
    in_default_tier = level == "-O3" or source.stem in AT_ALL_LEVELS
    marks = () if in_default_tier else (pytest.mark.survey,)
    return pytest.param(source, level, marks=marks, id=f"{source.stem}-{level}")


CASES = [case(source, level) for source in EXAMPLES for level in LEVELS]


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 10


@pytest.mark.contract
@pytest.mark.parametrize(("source", "level"), CASES)
def test_example_passes(source: Path, level: str, tmp_path: Path) -> None:
    environment = {**os.environ, **find_prefix().environment()}
    program = tmp_path / source.stem
    built = subprocess.run(
        ["hipcc", level, str(source), "-o", str(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([str(program)], env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "PASS" in ran.stdout
    assert ran.stderr == ""
