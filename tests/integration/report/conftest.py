"""One run with all documents, made once: profile with counters, critical path and thread trace; its page."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rocm_perf_lab.vrocm import prefix

from .chromium import Chromium, find_chromium

SECONDS = 240
EXAMPLE = Path(__file__).parents[3] / "examples" / "two_streams.hip"


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ROCPROF", "VROCM_TRACE", "ROCM_PERF"))
    }
    return {**clean, **prefix.environment(), "ROCM_PERF_CALIBRATIONS": "/no/calibrations"}


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    error: str


RocmPerf = Callable[..., Done]


@pytest.fixture(scope="session")
def rocm_perf(environment: dict[str, str]) -> RocmPerf:
    """rocm_perf(*arguments, cwd=…): the command as a user runs it."""

    def call(*arguments: str | Path, cwd: Path) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "rocm_perf_lab", *map(str, arguments)],
            env=environment,
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def run_folder(
    environment: dict[str, str], rocm_perf: RocmPerf, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A run folder with all documents."""
    place = tmp_path_factory.mktemp("report")

    def run(*command: str) -> None:
        done = subprocess.run(
            command, env=environment, cwd=place, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stderr

    run("hipcc", "-O2", "-g", str(EXAMPLE), "-o", "two_streams")
    options = ("--roofline", "--focus-critical", "--deep-analysis", "--runs", "2", "--out", "run")
    done = rocm_perf("profile", *options, "./two_streams", cwd=place)
    assert done.code == 0, done.error
    folder = place / "run"
    assert {"profile.json", "roofline.json", "dag.json", "analysis.json", "att.json"} <= {
        file.name for file in folder.iterdir()
    }
    return folder


@pytest.fixture(scope="session")
def page(run_folder: Path, rocm_perf: RocmPerf) -> Path:
    file = run_folder.parent / "report.html"
    done = rocm_perf("report", run_folder, "-o", file, cwd=run_folder.parent)
    assert done.code == 0, done.error
    return file


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium was found (install chromium, or name one in CHROMIUM)")
    with Chromium(program, tmp_path_factory.mktemp("chromium")) as opened:
        yield opened
