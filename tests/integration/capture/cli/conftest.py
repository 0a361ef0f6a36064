"""A program built with and without debug information."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import HipProgram

SOURCE = Path(__file__).parent / "stages.hip"


@pytest.fixture(scope="session")
def programs(hip_program: HipProgram) -> dict[str, Path]:
    return {
        "plain": hip_program(SOURCE, "-O2"),
        "debug": hip_program(SOURCE, "-O2", "-g", name="stages-g"),
    }
