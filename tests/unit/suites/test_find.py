"""Which captures a folder has, and what they are called."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.suites.find import find_captures


def made(folder: Path, *files: str) -> Path:
    folder.mkdir(parents=True)
    for name in files or ("manifest.json", "dispatch.json"):
        (folder / name).touch()
    return folder


def names(*paths: Path) -> list[str]:
    return [one.name for one in find_captures(paths)[0]]


def test_folders_of_captures(tmp_path: Path) -> None:
    made(tmp_path / "b")
    made(tmp_path / "deeper/a")
    made(tmp_path / "unfinished", "dispatch.json")
    made(tmp_path / "half.partial")
    made(tmp_path / "other", "notes.txt")
    (tmp_path / "shared.tar").touch()
    found, warnings = find_captures([tmp_path])
    assert [one.name for one in found] == ["b", "unfinished", "shared.tar", "deeper/a"]
    assert [one.exported for one in found] == [False, False, True, False]
    assert len(warnings) == 1
    assert "half.partial" in warnings[0]


def test_what_is_named_twice_is_one(tmp_path: Path) -> None:
    capture = made(tmp_path / "a")
    assert names(capture, tmp_path) == ["a"]


def test_equal_names_become_paths(tmp_path: Path) -> None:
    first, second = made(tmp_path / "x/a"), made(tmp_path / "y/a")
    assert names(first, second) == [str(first), str(second)]
