"""Builds the programs of this folder with hipcc and checks them from the outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.commands import HipProgram, RocmPerf

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Checked:
    code: int
    document: dict[str, Any]
    stderr: str

    def classes(self) -> list[str]:
        return [defect["defect"] for defect in self.document.get("defects", [])]


@pytest.fixture(scope="session")
def program(hip_program: HipProgram) -> Callable[..., Path]:
    """Where no line is looked at, without debug information: that compiles faster."""

    def compiled(source: str, *flags: str, lines: bool = True) -> Path:
        return hip_program(PROGRAMS / source, *(["-g"] if lines else []), "-O2", *flags)

    return compiled


@pytest.fixture
def check(rocm_perf: RocmPerf) -> Callable[..., Checked]:
    """``rocm-perf check --json``; keyword arguments become environment variables."""

    def run(path: Path, *options: str, **variables: str) -> Checked:
        done = rocm_perf("check", "--json", *options, "--", path, **variables)
        return Checked(done.code, done.document, done.stderr)

    return run
