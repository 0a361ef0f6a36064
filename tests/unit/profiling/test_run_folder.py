"""Run folders: never shared, never overwriting, ``latest`` replaced in one step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import pytest

from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.profiling.folder.run_folder import make_folder, make_parts, point_latest

NOW = datetime(2025, 1, 31, 12, 0, tzinfo=timezone.utc)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_names() -> None:
    assert make_folder("./build/app", NOW).path == Path.cwd() / ".rocm-perf" / "20250131-120000-app"
    assert make_folder("./build/app", NOW).path.name == "20250131-120000-app-2"
    assert make_folder("my app (größe)", NOW).path.name == "20250131-120000-my_app_größe_"
    assert len(make_folder("x" * 500, NOW).path.name) < 100
    assert Path(".rocm-perf/.gitignore").read_text() == "*\n"


def test_many_at_once() -> None:
    with ThreadPoolExecutor(16) as pool:
        folders = list(pool.map(lambda _: make_folder("app", NOW).path, range(64)))
    assert len(set(folders)) == 64


def test_latest() -> None:
    first, second = make_folder("a", NOW), make_folder("b", NOW)
    for folder in (first, second):
        assert point_latest(folder) is None
        assert Path(".rocm-perf/latest").resolve() == folder.path
    assert Path(".rocm-perf/latest").readlink() == Path(second.path.name)  # it moves with the folder
    Path(".rocm-perf/latest").unlink()
    Path(".rocm-perf/latest").mkdir()
    assert "left alone" in str(point_latest(first))
    assert sorted(path.name for path in Path(".rocm-perf").iterdir() if "draft" in path.name) == []


def test_chosen_folder(tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    folder = make_folder("app", NOW, Path("a/b"))
    assert folder.path == out
    assert point_latest(folder) is None
    assert not (out.parent / "latest").exists()
    make_parts(folder)
    with pytest.raises(UsageProblem, match="an earlier run"):
        make_folder("app", NOW, out)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    with pytest.raises(UsageProblem, match="not empty"):
        make_folder("app", NOW, tmp_path / "mine")
    with pytest.raises(UsageProblem, match="is a file"):
        make_folder("app", NOW, tmp_path / "mine" / "file")


def test_where_no_folder_can_be_made() -> None:
    with pytest.raises(EnvironmentProblem, match="cannot be made") as caught:
        make_folder("app", NOW, Path("/proc/no/such"))
    assert "--out" in str(caught.value.remedy)


def test_documents_are_written_whole() -> None:
    folder = make_folder("app", NOW)
    make_parts(folder)
    assert folder.write("x.json", "ü\n").read_text(encoding="utf-8") == "ü\n"
    assert sorted(path.name for path in folder.path.iterdir()) == [".rocpd_profile", "logs", "x.json"]
    (folder.path / "y.json").mkdir()
    with pytest.raises(EnvironmentProblem):
        folder.write("y.json", "")
