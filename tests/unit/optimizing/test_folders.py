"""Folders of optimizations: found from wherever one calls, and cleared of what killed ones left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.optimizing.records.folder import CHANGES, JOURNAL, folder_of, last_run, new_run, runs_of
from rocm_perf_lab.optimizing.records.journal import OptimizationJournal
from rocm_perf_lab.optimizing.records.left_behind import clear_left_behind
from rocm_perf_lab.optimizing.records.safe_write import write_change
from rocm_perf_lab.optimizing.records.take_back import take_back


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "project" / "src" / "k.hip"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"old\n")
    return path


@pytest.mark.parametrize("called_in", ["project", "project/src", "elsewhere"])
def test_found_from_anywhere(
    source: Path, tmp_path: Path, called_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / called_in)
    run = new_run(folder_of(source))
    with OptimizationJournal(run / JOURNAL):
        write_change(source, b"old\n", b"new\n", run / CHANGES / "change-1")
    assert run.is_relative_to(tmp_path / "project")
    link = tmp_path / "elsewhere" / "link.hip"
    link.symlink_to(source)
    for place, name in (("/", source), ("elsewhere", Path("link.hip")), ("project", Path("src/k.hip"))):
        monkeypatch.chdir(tmp_path / place)
        assert last_run(name) == run
    assert len(take_back(Path("src/k.hip")).taken_back) == 1
    assert source.read_bytes() == b"old\n"


def test_the_last_is_the_one_that_did_something_last(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    for number, place in enumerate((source.parent, tmp_path, source.parent)):
        monkeypatch.chdir(place)
        runs.append(new_run(folder_of(source)))
        OptimizationJournal(runs[-1] / JOURNAL).close()
        os.utime(runs[-1] / JOURNAL, (number, number))
    assert runs_of(source) == runs
    assert last_run(source) == runs[2]
    with pytest.raises(UsageProblem, match="no optimization of"):
        last_run(source.with_name("other.hip"))


def test_what_was_left_behind_is_cleared(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source.parent)
    runs = [new_run(folder_of(source)) for _ in range(2)]
    for run in runs:
        OptimizationJournal(run / JOURNAL).close()
        for left in (run / "work-1" / "0001-capture", run / CHANGES / "change-1" / "bundle-1"):
            left.mkdir(parents=True)
            (left / "file").write_bytes(b"x")
        (run / CHANGES / "change-1" / ".bundle.tar.7.partial").write_bytes(b"x")
        (run / CHANGES / "change-1" / "before").write_bytes(b"old\n")
    draft = source.with_name(".k.hip.abc.draft")
    draft.write_bytes(b"half")
    kept = {JOURNAL, CHANGES, "change-1", "before"}
    with OptimizationJournal(runs[1] / JOURNAL):  # somebody is at it
        clear_left_behind(source)
        assert {path.name for path in runs[0].rglob("*")} == kept
        assert (runs[1] / "work-1" / "0001-capture" / "file").exists()
        assert draft.exists()
    clear_left_behind(source)
    assert {path.name for path in runs[1].rglob("*")} == kept
    assert not draft.exists()
    assert source.read_bytes() == b"old\n"
