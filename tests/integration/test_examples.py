"""Every example compiles, runs on the GPU and passes its own check, at several levels of -O."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS
from tests.tiers import sweep

from rocm_perf_lab.rocm.find import find_prefix

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.hip"))
CASES = [(path.stem, level) for path in EXAMPLES for level in ("-O0", "-O1", "-O3")]
KEPT = {f"{path.stem}-O3" for path in EXAMPLES} | {"reduction-O0", "reduction-O1", "vector_add-O0"}


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 10


@pytest.mark.contract
@pytest.mark.parametrize(("name", "level"), sweep(CASES, keep=KEPT, name="".join))
def test_example_passes(name: str, level: str, tmp_path: Path) -> None:
    environment = {**os.environ, **find_prefix().environment()}
    program = tmp_path / name
    built = subprocess.run(
        ["hipcc", level, str(FOLDER / f"{name}.hip"), "-o", str(program)],
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
