"""Which files are one execution, and which are several."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from trace_generator import Shape, write_trace, write_traces

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.read import read_executions


def trace(path: Path, dispatches: int, counters: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_trace(path, Shape(dispatches, counters=counters))
    return path


def dispatches(*paths: Path) -> list[int]:
    return [execution.dispatches for execution in read_executions(paths)]


def test_every_argument_is_an_execution(tmp_path: Path) -> None:
    paths = [trace(tmp_path / f"{count}.db", count) for count in (3, 4, 5)]
    assert dispatches(*paths) == [3, 4, 5]
    assert dispatches(paths[0], paths[0]) == [3, 3]


def test_a_folder_of_processes_is_one(tmp_path: Path) -> None:
    write_traces(tmp_path, Shape(10, processes=3))
    assert dispatches(tmp_path) == [10]


@pytest.mark.parametrize("word", ["pass", "pmc"])
def test_passes_of_rocprofv3_are_one_each(tmp_path: Path, word: str) -> None:
    for number in (1, 2, 10):
        trace(tmp_path / f"{word}_{number}" / "host" / "9_results.db", 10 + number, counters=1)
    assert dispatches(tmp_path) == [11, 12, 20]


def test_a_single_pass_is_one(tmp_path: Path) -> None:
    trace(tmp_path / "pass_1" / "9_results.db", 7)
    assert dispatches(tmp_path) == [7]


def run_folder(folder: Path) -> Path:
    trace(folder / ".rocpd_profile" / "run-1" / "host" / "1_results.db", 3)
    trace(folder / ".rocpd_profile" / "run-2" / "host" / "2_results.db", 4)
    trace(folder / "counters" / "group-1" / "host" / "3_results.db", 5, counters=2)
    passes = [
        {"purpose": "warm-up", "databases": []},
        {"purpose": "warm-up", "databases": [".rocpd_profile/run-1/host/1_results.db"]},
        {"purpose": "timing", "databases": [".rocpd_profile/run-1/host/1_results.db"]},
        {"purpose": "timing", "databases": [".rocpd_profile/run-2/host/2_results.db"]},
        {"purpose": "counters", "databases": ["counters/group-1/host/3_results.db"]},
    ]
    (folder / "profile.json").write_text(json.dumps({"passes": passes}))
    return folder


def test_a_run_folder_by_its_document(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run")
    found = read_executions([folder])
    assert [execution.dispatches for execution in found] == [3, 4, 5]
    counted = [sorted(execution.launches[0].counters) for execution in found]
    assert counted == [[], [], ["COUNTER_1", "COUNTER_2"]]


@pytest.mark.parametrize("text", [None, "{", "[]", '{"passes": 3}', '{"passes": []}'])
def test_a_run_folder_whose_document_is_not_there_or_broken(tmp_path: Path, text: str | None) -> None:
    folder = run_folder(tmp_path / "run")
    (folder / "profile.json").unlink()
    if text is not None:
        (folder / "profile.json").write_text(text)
    (folder / ".rocpd_profile" / "run-3").mkdir()  # began, and wrote nothing
    assert dispatches(folder) == [3, 4, 5]


def test_a_run_folder_that_lost_its_databases(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run")
    (folder / ".rocpd_profile" / "run-2" / "host" / "2_results.db").unlink()
    with pytest.raises(BadInput, match=r"names 2_results\.db, which is not there") as caught:
        read_executions([folder])
    assert "hidden folders" in caught.value.remedy


def test_a_missing_argument_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere does not exist"):
        read_executions([trace(tmp_path / "1.db", 3), tmp_path / "nowhere"])
