"""``rocm-perf compare`` from outside: verdicts, refusals, exit codes, files for CI."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from tests.commands import RocmPerf


def document(rocm_perf: RocmPerf, *arguments: object, code: int = 0) -> dict[str, Any]:
    done = rocm_perf("compare", "--json", *arguments)
    assert done.returncode == code, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_a_slower_variant(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    found = document(rocm_perf, runs["before"], runs["after"])
    kernels = {kernel["name"]: kernel for kernel in found["kernels"]}
    work = kernels["work(float*, float)"]
    assert work["time"]["verdict"] == "slower"
    assert work["time"]["exact"]
    before, after = (
        json.loads((runs[name] / "profile.json").read_text())["kernels"] for name in ("before", "after")
    )
    times = [next(k["total_ms"] for k in side if k["name"] == work["name"]) for side in (before, after)]
    assert work["time"]["ratio"] == pytest.approx(times[1] / times[0])
    changed = {one["name"] for one in work["resources"] if one["changed"]}
    assert {"lds_bytes", "code_bytes"} <= changed
    assert kernels["added(float*)"]["status"] == "new"
    assert found["total"]["verdict"] == "slower"
    assert found["regressions"] == []


def test_the_other_way_round(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    found = document(rocm_perf, runs["after"], runs["before"], "--fail-on-regression", "5%")
    assert found["total"]["verdict"] == "faster"
    removed = next(kernel for kernel in found["kernels"] if kernel["status"] == "removed")
    assert removed["name"] == "added(float*)"


def test_a_run_and_itself(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    found = document(rocm_perf, runs["before"], runs["before"], "--fail-on-regression", "0%")
    assert {kernel["time"]["verdict"] for kernel in found["kernels"]} == {"same"}


def test_a_run_and_its_database_alone(rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path) -> None:
    """The run has the compiler's register counts; without the program the database has its own, in steps."""
    program = Path(shutil.copy(programs["before"], tmp_path / "app"))
    assert rocm_perf("profile", "--runs", 1, "--out", tmp_path / "run", program).returncode == 0
    program.unlink()
    found = document(rocm_perf, tmp_path / "run", tmp_path / "run" / ".rocpd_profile")
    resources = [one for kernel in found["kernels"] for one in kernel["resources"]]
    assert [one for one in resources if one["changed"]] == []
    counts = [one for one in resources if one["name"] in ("arch_vgprs", "accum_vgprs", "sgprs")]
    assert any(one["base"] != one["new"] and one["changed"] is None for one in counts)
    done = rocm_perf("compare", tmp_path / "run", tmp_path / "run" / ".rocpd_profile")
    assert "->" not in done.stdout


def test_regressions_end_with_eight(rocm_perf: RocmPerf, runs: dict[str, Path], tmp_path: Path) -> None:
    report, suite = tmp_path / "report.md", tmp_path / "junit.xml"
    done = rocm_perf(
        "compare",
        runs["before"],
        runs["after"],
        "--fail-on-regression",
        "5%",
        "--markdown",
        report,
        "--junit",
        suite,
    )
    assert done.returncode == 8, done.stderr
    assert "REGRESSION" in done.stdout
    assert "SIMULATED" in done.stdout
    assert "`work(float*, float)`" in report.read_text()
    cases = ElementTree.parse(suite).getroot().findall(".//testcase")
    failed = {case.get("name") for case in cases if case.find("failure") is not None}
    assert {"total", "work(float*, float)"} <= failed
    generous = rocm_perf("compare", runs["before"], runs["after"], "--fail-on-regression", "500%")
    assert generous.returncode == 0


def test_json_and_a_regression(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    found = document(rocm_perf, runs["before"], runs["after"], "--fail-on-regression", "5", code=8)
    assert found["regressions"][0] == "total"
    assert found["fail_on_regression"] == 0.05


@pytest.mark.parametrize(
    ("other", "words", "option"),
    [("larger", "arguments: none and 16", "command"), ("other_gpu", "MI300X and AMD Instinct MI300A", "gpu")],
)
def test_runs_that_differ_are_refused(
    rocm_perf: RocmPerf, runs: dict[str, Path], other: str, words: str, option: str
) -> None:
    done = rocm_perf("compare", runs["before"], runs[other])
    assert done.returncode == 2
    assert words in done.stderr
    assert f"--allow {option}" in done.stderr
    found = document(rocm_perf, "--force", runs["before"], runs[other])
    assert option in {one["aspect"] for one in found["differences"]}


def test_only_what_is_allowed(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    assert rocm_perf("compare", "--allow", "command", runs["before"], runs["larger"]).returncode == 0
    assert rocm_perf("compare", "--allow", "gpu", runs["before"], runs["larger"]).returncode == 2


def test_bare_traces(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    """The databases alone, without what rocm-perf wrote about them."""
    found = document(rocm_perf, runs["before"] / ".rocpd_profile", runs["after"] / ".rocpd_profile")
    assert found["total"]["verdict"] == "slower"
    assert found["total"]["ratio"] == pytest.approx(
        document(rocm_perf, runs["before"], runs["after"])["total"]["ratio"]
    )


def test_more_runs_of_a_side(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    found = document(rocm_perf, runs["before"], runs["after"], "--also-base", runs["before"])
    assert (len(found["total"]["base_runs_ms"]), len(found["total"]["new_runs_ms"])) == (4, 2)
    mixed = rocm_perf("compare", runs["before"], runs["after"], "--also-base", runs["larger"])
    assert mixed.returncode == 2


def test_one_kernel(rocm_perf: RocmPerf, runs: dict[str, Path]) -> None:
    found = document(rocm_perf, "--kernel", "^steady", runs["before"], runs["after"])
    (only,) = found["kernels"]
    assert found["total"]["base_ms"] == pytest.approx(only["base_ms"])
    assert rocm_perf("compare", "--kernel", "nothing", runs["before"], runs["after"]).returncode == 5


def test_bad_input(rocm_perf: RocmPerf, runs: dict[str, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "profile.json").write_text('{"schema_version": "1.0"')
    assert rocm_perf("compare", runs["before"], broken).returncode == 6
    failed = tmp_path / "failed"
    assert rocm_perf("profile", "--out", failed, "/bin/false").returncode == 4
    refused = rocm_perf("compare", runs["before"], failed)
    assert refused.returncode == 6
    assert "it failed: the program ended with exit code 1" in refused.stderr
    (tmp_path / "empty").mkdir()
    assert rocm_perf("compare", tmp_path / "empty", runs["before"]).returncode == 6
    assert rocm_perf("compare", runs["before"], tmp_path / "nowhere").returncode in (2, 6)
    assert rocm_perf("compare", runs["before"], runs["after"], "--fail-on-regression", "much").returncode == 2
    assert rocm_perf("compare", "--kernel", "(", runs["before"], runs["after"]).returncode == 2
    assert rocm_perf("compare", runs["before"]).returncode == 2
    done = rocm_perf("compare", "--json", runs["before"], tmp_path / "nowhere")
    assert json.loads(done.stdout)["error"]["exit_code"] == done.returncode


def test_a_profile_of_another_version_is_read_from_its_databases(
    rocm_perf: RocmPerf, runs: dict[str, Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(runs["before"], copy)
    (copy / "profile.json").write_text("{}")
    assert document(rocm_perf, runs["before"], copy, "--force")["total"]["verdict"] == "same"
