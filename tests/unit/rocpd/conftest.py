"""Small databases from the generator of the benchmarks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))


@pytest.fixture
def database(tmp_path: Path) -> Callable[..., Path]:
    """database(dispatches=…, …): a new file with all processes in it."""
    from trace_generator import Shape, write_trace

    made: list[Path] = []

    def make(**shape: Any) -> Path:
        made.append(tmp_path / f"{len(made) + 1}_results.db")
        write_trace(made[-1], Shape(**{"dispatches": 50, **shape}))
        return made[-1]

    return make
