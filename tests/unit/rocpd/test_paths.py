"""Names and places of files: any name works, and no file counts twice."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from trace_generator import Shape, write_trace, write_traces

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.read import find_databases, read_trace

NAMES = [
    "a b.db",
    "größe→.db",
    "what?mode=rwc.db",
    "a#b.db",
    "100%.db",
    "%41.db",
    "'\"`.db",
    "a&b=c;d.db",
    "-x.db",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_name(database, tmp_path: Path, name: str) -> None:
    path = database()
    total = read_trace([path]).total_ns
    folder = tmp_path / name.removesuffix(".db")
    folder.mkdir()
    shutil.move(path, folder / name)
    trace = read_trace([folder / name])
    assert trace.total_ns == total
    assert trace.sources == (str(folder / name),)
    assert read_trace([folder]).total_ns == total
    assert sorted(file.name for file in folder.iterdir()) == [name]


def test_a_name_that_is_not_unicode(database, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.db"))
    shutil.move(database(), path)
    assert read_trace([path]).dispatches == 50


def test_relative_names(database, monkeypatch) -> None:
    path = database()
    monkeypatch.chdir(path.parent)
    assert read_trace([Path(path.name)]).dispatches == 50


def test_links(database, tmp_path: Path) -> None:
    path = database()
    (tmp_path / "link.db").symlink_to(path)
    assert read_trace([tmp_path / "link.db"]).dispatches == 50


def test_the_same_file_twice_counts_once(database, tmp_path: Path) -> None:
    path = database()
    (tmp_path / "link.db").symlink_to(path)
    copy = shutil.copy(path, tmp_path / "copy.db")
    for again in (path, tmp_path / "link.db", Path(copy)):
        trace = read_trace([path, again])
        assert trace.dispatches == 50
        assert trace.sources == (str(path),)
        assert any("counts once" in text and str(again) in text for text in trace.warnings)


def test_databases_of_a_folder(database, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    (folder / ".hidden" / "host").mkdir(parents=True)
    first = shutil.move(database(), folder / ".hidden" / "host" / "2.db")
    second = shutil.move(database(dispatches=3), folder / "1.db")
    (folder / "folder.db").mkdir()
    (folder / "notes.txt").touch()
    assert find_databases(folder) == [first, second]
    third = shutil.move(database(dispatches=3), folder / "9_results.db")
    assert find_databases(folder) == [third]  # the others are not rocprofv3's


def test_a_merged_file_and_its_parts(tmp_path: Path) -> None:
    parts = write_traces(tmp_path, Shape(30, processes=3))
    write_trace(tmp_path / "all.db", Shape(30, processes=3))
    assert read_trace([tmp_path / "all.db", *parts]).dispatches == 30
    with pytest.raises(BadInput, match="some of the processes that another file has"):
        read_trace([parts[0], tmp_path / "all.db"])


def test_a_folder_without_traces(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(BadInput, match="has no trace") as caught:
        read_trace([tmp_path])
    assert "-d option" in caught.value.remedy
