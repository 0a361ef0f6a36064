"""Programs of examples/bottlenecks, compiled once, and rocm-perf to profile them with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests import commands
from tests.commands import HipProgram, rocm_perf_words, succeed, virtual_rocm

EXAMPLES = commands.EXAMPLES / "bottlenecks"

Build = Callable[[str], Path]
Run = Callable[..., str]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    return virtual_rocm(VROCM_DEVICE="MI300X")


@pytest.fixture(scope="session")
def run(environment: dict[str, str]) -> Run:
    """run(*words): what a command that succeeds prints."""
    return lambda *words: succeed(*words, environment=environment).stdout


@pytest.fixture(scope="session")
def build(hip_program: HipProgram) -> Build:
    return lambda name: hip_program(EXAMPLES / f"{name}.hip", "-O2")


@pytest.fixture(scope="session")
def profile(run: Run) -> Run:
    """profile(*words): rocm-perf profile with one run."""
    return lambda *words: run(*rocm_perf_words("profile", "--runs", 1, *words))
