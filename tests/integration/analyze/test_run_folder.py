"""A run folder of `rocm-perf profile`, analysed again: the same documents, without the program."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from tests.commands import RocmPerf

from .conftest import Analyze


@pytest.fixture(scope="module")
def run_folder(rocm_perf: RocmPerf, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profiled") / "run"
    options = ("--runs", "2", "--warmup", "1", "--roofline", "--out", folder)
    result = rocm_perf("profile", *options, "--", program, "plain")
    assert result.returncode == 0, result.stderr
    return folder


def test_documents_are_the_same(analyze: Analyze, run_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = analyze("--json", "--out", out, run_folder)
    assert result.returncode == 0, result.stderr
    before, after = json.loads((run_folder / "profile.json").read_text()), json.loads(result.stdout)
    assert before["missing"].pop("wall_ms") != after["missing"].pop("wall_ms")  # the reasons differ
    assert after == before
    assert [item["purpose"] for item in after["passes"]][:3] == ["warm-up", "timing", "timing"]
    assert (out / "roofline.json").read_text() == (run_folder / "roofline.json").read_text()


def test_what_a_failed_run_kept_can_be_analysed(analyze: Analyze, run_folder: Path, tmp_path: Path) -> None:
    kept = Path(shutil.copytree(run_folder, tmp_path / "kept"))
    (kept / "profile.json").unlink()
    result = analyze("--json", kept)
    assert result.returncode == 0, result.stderr
    before, after = json.loads((run_folder / "profile.json").read_text()), json.loads(result.stdout)
    assert after["runtime_ms"] == before["runtime_ms"]
    assert after["roofline"] == before["roofline"]
    assert after["setting"] == {**before["setting"], "tools": after["setting"]["tools"]}
    assert (before["unfinished"], len(after["unfinished"])) == ([], 2)


def test_spills_are_not_taken_from_a_program_that_was_built_again(
    analyze: Analyze, run_folder: Path, program: Path
) -> None:
    def spills() -> object:
        return json.loads(analyze("--json", run_folder).stdout)["resources"]["vgpr_spills"]

    assert spills() == 0
    times = program.stat()
    os.utime(program)
    try:
        assert spills() is None
    finally:
        os.utime(program, (times.st_atime, times.st_mtime))
