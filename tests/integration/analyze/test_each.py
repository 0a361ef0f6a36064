"""Many traces, each by itself: the documents are those of one alone, and a broken one ends no other."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.integration.analyze.conftest import Analyze, Traced


def test_each_is_analysed_by_itself(analyze: Analyze, traced: Traced, tmp_path: Path) -> None:
    database = next(traced("--kernel-trace").rglob("*_results.db"))
    (tmp_path / "again").mkdir()
    good = [shutil.copy(database, tmp_path / "one.db"), shutil.copy(database, tmp_path / "again/one.db")]
    cut = tmp_path / "cut.db"
    cut.write_bytes(database.read_bytes()[:5000])
    out = tmp_path / "out"
    done = analyze("--json", "--executor", "local", "--workers", "2", "--out", out, good[0], cut, good[1])
    assert done.returncode == 6, done.stderr
    document = json.loads(done.stdout)
    assert (document["analysed"], document["failed"], document["exit_code"]) == (2, 1, 6)
    assert [trace["folder"] for trace in document["traces"]] == ["one", None, "one-2"]
    assert "cut.db is truncated" in document["traces"][1]["error"]["cause"]
    assert json.loads((out / "analyses.json").read_text()) == document
    assert not (out / "cut").exists()
    alone = json.loads(analyze("--json", good[0]).stdout)
    for name in ("one", "one-2"):
        written = json.loads((out / name / "profile.json").read_text())
        assert written["kernels"] == alone["kernels"]
        assert (out / name / "analysis.json").is_file()
    assert document["traces"][0]["gpu_time_ms"] == alone["runtime_ms"]
    assert "[3/3]" in done.stderr


def test_a_table_for_people(analyze: Analyze, traced: Traced, tmp_path: Path) -> None:
    database = next(traced("--kernel-trace").rglob("*_results.db"))
    done = analyze("--each", "--kernel", "scale", "--out", tmp_path / "out", database)
    assert done.returncode == 0, done.stderr
    assert "1 trace: 1 analysed" in done.stdout
    assert "SIMULATED" in done.stdout
    written = json.loads((tmp_path / "out").joinpath("analyses.json").read_text())
    profile = json.loads((tmp_path / "out" / written["traces"][0]["folder"] / "profile.json").read_text())
    assert profile["setting"]["kernel_filter"] == "scale"


def test_documented() -> None:
    text = (Path(__file__).parents[3] / "docs/guide/traces.md").read_text()
    for option in ("--each", "--executor", "--workers", "--scheduler", "--deadline"):
        assert option in text
