"""``rocm-perf report`` and ``export`` from outside: files, formats, exit codes."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from tests.commands import RocmPerf


def test_page_lies_in_the_run_folder(run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    copy = shutil.copytree(run_folder, tmp_path / "run")
    done = rocm_perf("report", "run", cwd=tmp_path)
    assert (done.code, done.stdout) == (0, "run/report.html\n")
    page = (copy / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "SIMULATED on a virtual AMD Instinct MI300X" in page


def test_it_says_where_no_browser_opens_the_page(
    run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    shutil.copytree(run_folder, tmp_path / "run")
    nothing = {"BROWSER": "/bin/false", "DISPLAY": "", "WAYLAND_DISPLAY": "", "PATH": "/nothing"}
    done = rocm_perf("report", "run", "--open", cwd=tmp_path, **nothing)
    assert (done.code, done.stdout) == (0, "run/report.html\n")
    assert "no browser was found here" in done.stderr


def test_latest_is_the_default(run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    missing = rocm_perf("report", cwd=tmp_path)
    assert missing.code == 2
    assert "rocm-perf profile ./app makes one" in missing.stderr
    shutil.copytree(run_folder, tmp_path / ".rocm-perf" / "latest")
    assert rocm_perf("report", "--format", "terminal", cwd=tmp_path).stdout.startswith("SIMULATED on")


def test_markdown(run_folder: Path, rocm_perf: RocmPerf) -> None:
    done = rocm_perf("report", run_folder, "--format", "md", cwd=run_folder.parent)
    assert done.code == 0
    title, _, rest = done.stdout.partition("\n\n")
    assert title.replace("&#95;", "_") == "# <code>./two_streams</code>"
    assert rest.startswith("**SIMULATED")
    launches = sum(
        kernel["launches"] for kernel in json.loads((run_folder / "profile.json").read_text())["kernels"]
    )
    assert f"| launches | **{launches}** | of 2 kernels |" in done.stdout


def test_text_goes_to_a_file(run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    done = rocm_perf("report", run_folder, "--format", "md", "-o", tmp_path / "a.md", cwd=tmp_path)
    assert (done.code, done.stdout) == (0, f"{tmp_path / 'a.md'}\n")
    assert (tmp_path / "a.md").read_text().startswith("# <code>")


def test_a_trace_without_documents(run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    database = next((run_folder / ".rocpd_profile").rglob("*.db"))
    done = rocm_perf("report", database, "-o", tmp_path / "trace.html", cwd=tmp_path)
    assert done.code == 0, done.stderr
    page = (tmp_path / "trace.html").read_text()
    assert "rocm-perf profile --roofline" in page
    assert "No timeline" not in page


@pytest.mark.parametrize(
    ("prepare", "arguments", "code", "words"),
    [
        ("nothing", ["report", "absent"], 2, "is not there"),
        ("empty", ["report", "run"], 6, "run"),
        ("broken", ["report", "run"], 6, "not a valid ProfileDocument"),
        ("whole", ["report", "run", "--format", "md", "--open"], 2, "--open"),
        ("whole", ["report", "run", "-o", "no/such/folder/a.html"], 2, "cannot be written"),
        ("whole", ["export", "run"], 2, "--perfetto FILE"),
        ("no databases", ["export", "run", "--perfetto", "a.pftrace"], 6, "no timeline"),
    ],
)
def test_refusals(
    run_folder: Path,
    rocm_perf: RocmPerf,
    tmp_path: Path,
    prepare: str,
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    folder = tmp_path / "run"
    if prepare in ("empty", "broken"):
        folder.mkdir()
    if prepare == "broken":
        (folder / "profile.json").write_text("{}")
    if prepare in ("whole", "no databases"):
        shutil.copytree(run_folder, folder)
    if prepare == "no databases":
        for database in folder.rglob("*.db"):
            database.unlink()
    done = rocm_perf(*arguments, cwd=tmp_path)
    assert done.code == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_broken_documents_are_told_and_left_out(
    run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path
) -> None:
    shutil.copytree(run_folder, tmp_path / "run")
    (tmp_path / "run" / "dag.json").write_text('{"schema_version": "9"}')
    (tmp_path / "run" / "att.json").write_text("not JSON")
    done = rocm_perf("report", "run", cwd=tmp_path)
    assert done.code == 0, done.stderr
    page = (tmp_path / "run" / "report.html").read_text()
    assert "dag.json is not a valid DagDocument" in page
    assert "att.json is not a valid AttDocument" in page


def test_csv(run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    done = rocm_perf("export", run_folder, "--csv", "tables", cwd=tmp_path)
    assert done.code == 0, done.stderr
    assert len(done.stdout.splitlines()) == 8
    profile = json.loads((run_folder / "profile.json").read_text())
    with (tmp_path / "tables" / "kernels.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["kernel"], float(row["total_ms"])) for row in rows] == [
        (kernel["name"], kernel["total_ms"]) for kernel in profile["kernels"]
    ]
    dag = json.loads((run_folder / "dag.json").read_text())
    with (tmp_path / "tables" / "timeline.csv").open() as file:
        kinds = [row["kind"] for row in csv.DictReader(file)]
    assert len([kind for kind in kinds if kind != "call"]) == dag["works"]
    assert kinds.count("call") == dag["calls"]
