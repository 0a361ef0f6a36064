"""Captures of small kernels, made once, and the commands that replay them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import HipProgram, RocmPerf

import vrocm

SOURCE = Path(__file__).parent / "kernels.hip"

Captures = Callable[..., Path]


@pytest.fixture(scope="session")
def program(hip_program: HipProgram) -> Path:
    return hip_program(SOURCE, "-O2", "-g")


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
    (folder / "lib").symlink_to(vrocm.prefix() / "lib")
    return folder
