"""`rocm-perf analyze`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
from rocm_perf_lab.rocpd.read import find_databases

from .conftest import Analyze, Traced


def document(analyze: Analyze, *arguments: str | Path) -> Any:
    result = analyze("--json", *arguments)
    assert result.returncode == 0, result.stderr
    from_json(ProfileDocument, result.stdout, "stdout")
    return json.loads(result.stdout)


def total_ms(*databases: Path) -> float:
    total = 0
    for database in databases:
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        total += connection.execute('SELECT sum("end" - start) FROM rocpd_kernel_dispatch').fetchone()[0]
        connection.close()
    return total / 1e6


def test_runtime_is_the_sum_over_dispatches(analyze: Analyze, traced: Traced) -> None:
    folder = traced("--kernel-trace")
    (database,) = find_databases(folder)
    for path in (folder, database):
        found = document(analyze, path)
        assert found["runtime_ms"] == pytest.approx(total_ms(database), rel=1e-12)
        assert found["origin"] == "simulated"
        assert [item["purpose"] for item in found["passes"]] == ["timing"]
        assert found["passes"][0]["databases"] == [str(database)]
        assert found["setting"]["command"][-1] == "plain"


def test_processes_of_a_folder_are_summed(analyze: Analyze, traced: Traced) -> None:
    folder = traced("--kernel-trace", mode="fork")
    databases = find_databases(folder)
    assert len(databases) == 2
    assert document(analyze, folder)["runtime_ms"] == pytest.approx(total_ms(*databases), rel=1e-12)


def test_arguments_are_executions_with_a_mean(analyze: Analyze, traced: Traced) -> None:
    databases = find_databases(traced("--kernel-trace", mode="fork"))
    found = document(analyze, *databases)
    assert found["runtime_ms"] == pytest.approx(total_ms(*databases) / 2, rel=1e-12)
    assert len(found["passes"]) == 2
    assert any("did not launch the same" in text for text in found["warnings"])


def test_counters_come_from_the_executions_that_have_them(analyze: Analyze, traced: Traced) -> None:
    timing = traced("--kernel-trace")
    counting = traced("--kernel-trace", "--pmc", "SQ_WAVES", "SQ_INSTS_VALU")
    found = document(analyze, counting, timing)
    assert [item["purpose"] for item in found["passes"]] == ["counters", "timing"]
    assert found["passes"][0]["counters"] == ["SQ_INSTS_VALU", "SQ_WAVES"]
    assert found["runtime_ms"] == pytest.approx(total_ms(*find_databases(timing)), rel=1e-12)
    assert not any("for want of others" in text for text in found["warnings"])


def test_times_of_counter_runs_are_used_for_want_of_others(analyze: Analyze, traced: Traced) -> None:
    counting = traced("--kernel-trace", "--pmc", "SQ_WAVES", "SQ_INSTS_VALU")
    found = document(analyze, counting)
    assert found["runtime_ms"] == pytest.approx(total_ms(*find_databases(counting)), rel=1e-12)
    assert any("for want of others" in text for text in found["warnings"])


def test_terminal_report(analyze: Analyze, traced: Traced) -> None:
    result = analyze(traced("--kernel-trace"))
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()
    assert not result.stdout.startswith("{")
    assert len(result.stdout.splitlines()) <= 40


def test_kernels_by_name(analyze: Analyze, traced: Traced) -> None:
    found = document(analyze, "--kernel", "^scale", traced("--kernel-trace"))
    assert [kernel["name"] for kernel in found["kernels"]] == ["scale(float*, float, int)"]
    assert found["setting"]["kernel_filter"] == "^scale"
    assert 0 < found["kernel"]["share"] < 1  # of the time of all kernels


def test_documents_are_written_once(analyze: Analyze, traced: Traced, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    first = analyze("--json", "--out", out, traced("--kernel-trace"))
    assert first.returncode == 0, first.stderr
    assert (out / "profile.json").read_text() == first.stdout
    from_json(RooflineDocument, (out / "roofline.json").read_bytes(), "roofline.json")
    again = analyze("--out", out, traced("--kernel-trace"))
    assert again.returncode == 2
    assert "nothing is overwritten" in again.stderr
    assert (out / "profile.json").read_text() == first.stdout


def test_nothing_is_left_in_the_folders(analyze: Analyze, traced: Traced, tmp_path: Path) -> None:
    folder = traced("--kernel-trace")
    before = sorted(path.name for path in folder.rglob("*"))
    analyze(folder)
    assert sorted(path.name for path in folder.rglob("*")) == before
    assert list(tmp_path.iterdir()) == []


def without_dispatches(folder: Path, target: Path) -> Path:
    (database,) = find_databases(folder)
    shutil.copy(database, target)
    with sqlite3.connect(target) as connection:
        (table,) = connection.execute(
            "SELECT name FROM sqlite_master WHERE name LIKE 'rocpd_kernel_dispatch_%'"
        ).fetchone()
        connection.execute(f'DELETE FROM "{table}"')
    connection.close()
    return target


@pytest.mark.parametrize("as_json", [False, True])
def test_no_kernels_has_a_code_of_its_own(
    analyze: Analyze, traced: Traced, tmp_path: Path, as_json: bool
) -> None:
    path = without_dispatches(traced("--kernel-trace"), tmp_path / "none.db")
    result = analyze(*(["--json"] if as_json else []), path)
    assert result.returncode == 5
    if as_json:
        assert json.loads(result.stdout)["error"]["kind"] == "no-kernels"
    assert "no kernel" in result.stderr


@pytest.mark.parametrize("as_json", [False, True])
def test_bad_input_has_a_code_and_a_remedy(analyze: Analyze, tmp_path: Path, as_json: bool) -> None:
    (tmp_path / "junk.db").write_bytes(b"junk")
    result = analyze(*(["--json"] if as_json else []), tmp_path / "junk.db")
    assert result.returncode == 6
    assert "is not a SQLite database" in result.stderr
    assert "try:" in result.stderr
    assert "Traceback" not in result.stderr
    if as_json:
        error = json.loads(result.stdout)["error"]
        assert (error["kind"], error["exit_code"]) == ("bad-input", 6)
        assert "rocprofv3" in error["remedy"]


def test_a_pattern_that_is_none(analyze: Analyze, tmp_path: Path) -> None:
    result = analyze("--kernel", "f(", tmp_path)
    assert result.returncode == 2
    assert "not a regular expression" in result.stderr


def test_no_kernel_of_that_name(analyze: Analyze, traced: Traced) -> None:
    result = analyze("--kernel", "nothing", traced("--kernel-trace"))
    assert result.returncode == 5
    assert "scale(float*" in result.stderr
