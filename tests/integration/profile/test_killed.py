"""A profile that was killed in its second run: report, analyze and compare say so before anything else."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commands import SECONDS, RocmPerf, rocm_perf_words

# Runs once; the second time it tells its number and stays.
PROGRAM = """#!/bin/sh
mkdir first 2>/dev/null && exec {scale} plain
echo $$ > draft && mv draft second
exec sleep 1000
"""


@pytest.fixture(scope="module")
def killed(
    environment: dict[str, str], scale: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("killed")
    program = place / "app"
    program.write_text(PROGRAM.format(scale=scale))
    program.chmod(0o755)
    process = subprocess.Popen(
        rocm_perf_words("profile", "--roofline", "--focus-critical", "--out", "run", "./app"),
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    until = time.monotonic() + SECONDS
    while not (place / "second").exists():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    yield place / "run"
    with contextlib.suppress(ProcessLookupError):  # what it ran goes on; the tracer ends with it
        os.kill(int((place / "second").read_text()), signal.SIGKILL)


MISSING = (
    "UNFINISHED: it was killed, or is not done yet; 1 of 3 timing runs are there; counters missing; "
    "critical path missing"
)


@pytest.mark.parametrize(
    "words", [["analyze"], ["report", "--format", "terminal"], ["report", "--format", "md"]], ids=" ".join
)
def test_it_is_the_first_thing_that_is_said(rocm_perf: RocmPerf, killed: Path, words: list[str]) -> None:
    done = rocm_perf(*words, killed)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.replace("*", " ").split())
    assert MISSING in said
    assert said.index(MISSING) < said.index("SIMULATED")


def test_the_page_and_the_document(rocm_perf: RocmPerf, killed: Path, tmp_path: Path) -> None:
    assert rocm_perf("report", killed, "-o", tmp_path / "page.html").returncode == 0
    assert MISSING in (tmp_path / "page.html").read_text()
    done = rocm_perf("analyze", "--json", "--out", tmp_path / "out", killed)
    assert "; ".join(json.loads(done.stdout)["unfinished"]) in MISSING
    assert json.loads(done.stdout)["stability"]["runs"] == 1
    exported = rocm_perf("export", killed, "--csv", tmp_path / "tables")
    assert exported.returncode == 0
    assert "note: the run is unfinished: it was killed" in exported.stderr
    # What was made of it stays what it is.
    assert MISSING in " ".join(rocm_perf("report", tmp_path / "out", "--format", "terminal").stdout.split())
    assert rocm_perf("compare", tmp_path / "out", tmp_path / "out").returncode == 6
    each = rocm_perf("analyze", "--each", "--out", tmp_path / "each", killed)
    assert MISSING.partition(": ")[2][:40] in " ".join(each.stdout.split())


def test_it_is_compared_where_that_is_allowed(rocm_perf: RocmPerf, killed: Path) -> None:
    refused = rocm_perf("compare", "--json", killed, killed)
    assert refused.returncode == 6
    assert "1 of 3 timing runs are there" in refused.document["error"]["cause"]
    assert "--allow unfinished" in refused.document["error"]["remedy"]
    done = rocm_perf("compare", "--allow", "unfinished", killed, killed)
    assert done.returncode == 0, done.stderr
    assert "allowed: what is missing: it was killed" in done.stdout
