"""rocm-perf optimize on a small program: what it accepts, writes, takes back, and what it leaves alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS, Done

from .conftest import SUMS, rocm_perf

BUILD = "hipcc -O3 {source} -o {output}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sums.hip").write_text(SUMS)
    (tmp_path / "app").write_text("#!/bin/sh\nexit 1\n")  # what --build makes is run in its place
    (tmp_path / "app").chmod(0o755)
    return tmp_path


def optimize(folder: Path, *words: str) -> Done:
    return rocm_perf(folder, "optimize", *words)


def test_accepted_written_and_taken_back(folder: Path) -> None:
    few = ("--max-iters", "1", "--max-trials", "1", "--build", BUILD, "--json")
    done = optimize(folder, "./app", "64", "--source", "sums.hip", "--yes", *few)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    (change,) = document["accepted"]
    tried = document["tried"][change["trial"]]
    assert (change["place"], tried["result"]) == ("written", "taken")
    assert (document["origin"], tried["kernel_time"]["origin"]) == ("simulated", "simulated")
    for time in (tried["kernel_time"], tried["whole_time"]):
        assert time["after_ms"] < time["before_ms"]
    assert "byte for byte" in tried["results"]
    written = (folder / "sums.hip").read_text()
    assert f"#pragma unroll {tried['proposal']['factor']}\n" in written
    assert Path(document["files"]["journal"]).is_file()
    assert json.loads(Path(document["files"]["document"]).read_text()) == document

    reverted = optimize(folder, "--revert", "--source", "sums.hip")
    assert reverted.returncode == 0, reverted.stderr
    assert (folder / "sums.hip").read_bytes() == SUMS.encode()
    again = optimize(folder, "sums.hip", "--revert")
    assert again.returncode == 0
    assert "nothing to take back" in again.stdout

    # Nothing can be asked, and --yes is not given: the diff is kept, and patch makes of it what --yes wrote.
    kept = optimize(folder, "sums.hip", "./app 64", *few)
    assert kept.returncode == 0, kept.stderr
    document = json.loads(kept.stdout)
    assert [one["place"] for one in document["accepted"]] == ["kept"]
    assert (folder / "sums.hip").read_bytes() == SUMS.encode()
    with Path(document["files"]["patch"]).open() as patch:
        subprocess.run(["patch", "sums.hip"], cwd=folder, stdin=patch, check=True, timeout=SECONDS)
    assert (folder / "sums.hip").read_text() == written


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    words = ("sums.hip", "./app 64", "--dry-run", "--max-iters", "1", "--max-trials", "1")
    done = optimize(folder, *words)
    assert done.returncode == 0, done.stderr
    assert "would be accepted" in done.stdout
    assert "+    #pragma unroll" in done.stdout
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_what_cannot_be_optimized(folder: Path) -> None:
    (folder / "broken.hip").write_text(SUMS.replace("float sum = 0;", "flaot sum = 0;"))
    (folder / "bare.hip").write_text("int main() { return 0; }\n")
    for name, code, kind in (("broken.hip", 6, "bad-input"), ("bare.hip", 5, "no-kernels")):
        done = optimize(folder, name, "./app", "--json")
        assert (done.returncode, json.loads(done.stdout)["error"]["kind"]) == (code, kind), done.stderr
    done = optimize(folder, "sums.hip", "./app", "--kernel", "nothing_like_it")
    assert done.returncode == 5, done.stderr
