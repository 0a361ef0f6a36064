"""Programs of every shape, captured on the virtual GPU and replayed in fresh processes, from outside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import EXAMPLES, HipProgram

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def program(hip_program: HipProgram) -> Callable[[str], Path]:
    """program(name): the compiled program of that name; each is compiled once."""

    def compiled(name: str) -> Path:
        source = next(path for place in (PROGRAMS, EXAMPLES) if (path := place / f"{name}.hip").exists())
        shared = name.startswith("launching")
        options = ("-shared", "-fPIC") if shared else ("-ldl",)
        output = f"lib{name}.so" if shared else name
        return hip_program(source, "-O3", "-g", "-I", str(EXAMPLES), *options, name=output)

    return compiled
