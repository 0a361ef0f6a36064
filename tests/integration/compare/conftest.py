"""Two variants of a program, profiled once each."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import HipProgram, RocmPerf

SOURCE = Path(__file__).parent / "vary.hip"


@pytest.fixture(scope="session")
def programs(hip_program: HipProgram) -> dict[str, Path]:
    """The same file name in two folders, as two checkouts of one project have it."""
    return {
        name: hip_program(SOURCE, "-O2", f"-DVARIANT={variant}")
        for variant, name in enumerate(("before", "after"))
    }


@pytest.fixture(scope="session")
def runs(
    programs: dict[str, Path], rocm_perf: RocmPerf, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """before, after; larger: before with another argument; other_gpu: before on an MI300A."""
    home = tmp_path_factory.mktemp("runs")
    cases: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
        "before": ("before", (), {}),
        "after": ("after", (), {}),
        "larger": ("before", ("16",), {}),
        "other_gpu": ("before", (), {"VROCM_DEVICE": "MI300A"}),
    }
    for name, (program, arguments, variables) in cases.items():
        done = rocm_perf(
            "profile", "--runs", 2, "--out", home / name, programs[program], *arguments, **variables
        )
        assert done.returncode == 0, done.stderr
    return {name: home / name for name in cases}
