"""Services of the device library in running kernels: heap, wave reductions, memory functions, assertions."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS
from tests.tiers import sweep

import vrocm

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment()}


def build(name: str, optimization: str, environment: dict[str, str], folder: Path) -> Path:
    program = folder / name
    command = ["hipcc", optimization, str(FOLDER / f"{name}.cu"), "-o", str(program)]
    built = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert built.returncode == 0, built.stderr
    return program


def run(program: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program)], env=environment, capture_output=True, text=True, timeout=SECONDS)


@pytest.mark.parametrize("optimization", sweep(["-O3", "-O0"], keep={"-O3"}))
@pytest.mark.parametrize("name", ["heap", "waves", "text", "grid"])
def test_program_checks_itself(
    name: str, optimization: str, environment: dict[str, str], tmp_path: Path
) -> None:
    ran = run(build(name, optimization, environment, tmp_path), environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines()[-1] == "PASS"
    if name == "heap":
        match = re.search(r"blocks of 1 MiB: (\d+) then", ran.stdout)
        assert match is not None, ran.stdout
        # The heap has a power of two of megabytes, of which the headers take the last.
        assert int(match.group(1)) % 16 in (14, 15), "blocks of a power of two of bytes waste memory"


def test_failed_assertion(environment: dict[str, str], tmp_path: Path) -> None:
    ran = run(build("assertion", "-O3", environment, tmp_path), environment)
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[-1] == "hipErrorLaunchFailure"  # as ROCm 7 does
    assert "thread 1 of 2:  0.50 ok" in ran.stdout
    text = 'Device-side assertion `x[i] % 100 == 0 && "percent"\' failed.'
    assert re.search(r"assertion\.cu:10: .*divide.*: " + re.escape(text), ran.stderr), ran.stderr
    assert ran.stderr.count("Device-side assertion") == 1  # the other thread's holds
