"""Runs hipcc as build scripts do: from PATH, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import SECONDS

import vrocm

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HIPCC_")}
    return {**clean, **vrocm.environment()}


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Run:
    """run(command, …) in the test's folder; the result has text in stdout and stderr."""

    def start(*command: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    return start


@pytest.fixture
def hipcc(run: Run) -> Run:
    """hipcc(arguments, …), which must succeed."""

    def compile_(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        result = run("hipcc", *arguments, text=text)
        assert result.returncode == 0, result.stderr
        return result

    return compile_
