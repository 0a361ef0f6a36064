"""One run with all documents, made once: profile with counters, critical path and thread trace; its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commands import EXAMPLES, RocmPerf, succeed

from .chromium import Chromium, find_chromium


@pytest.fixture(scope="session")
def run_folder(
    environment: dict[str, str], rocm_perf: RocmPerf, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A run folder with all documents."""
    place = tmp_path_factory.mktemp("report")

    source = EXAMPLES / "two_streams.hip"
    succeed("hipcc", "-O2", "-g", source, "-o", "two_streams", environment=environment, cwd=place)
    options = ("--roofline", "--focus-critical", "--deep-analysis", "--runs", "2", "--out", "run")
    done = rocm_perf("profile", *options, "./two_streams", cwd=place)
    assert done.code == 0, done.stderr
    folder = place / "run"
    assert {"profile.json", "roofline.json", "dag.json", "analysis.json", "att.json"} <= {
        file.name for file in folder.iterdir()
    }
    return folder


@pytest.fixture(scope="session")
def page(run_folder: Path, rocm_perf: RocmPerf) -> Path:
    file = run_folder.parent / "report.html"
    done = rocm_perf("report", run_folder, "-o", file, cwd=run_folder.parent)
    assert done.code == 0, done.stderr
    return file


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(find_chromium(), tmp_path_factory.mktemp("chromium")) as opened:
        yield opened
