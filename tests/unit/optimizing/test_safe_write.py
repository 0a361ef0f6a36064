"""Accepted changes: atomic, with backup and diff, taken back; killed at any step the file is old or new."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem
from rocm_perf_lab.optimizing.records import safe_write
from rocm_perf_lab.optimizing.records.safe_write import (
    BACKUP,
    DIFF,
    RECORD,
    diff,
    revert_change,
    write_change,
)

OLD, NEW = b"one\r\ntwo\x0c\nthree", b"one\r\n2\nthree\n\xff\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "project" / "k.hip"
    path.parent.mkdir()
    path.write_bytes(OLD)
    path.chmod(0o640)
    return path


def test_there_and_back(source: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    write_change(source, OLD, NEW, record)
    assert source.read_bytes() == NEW
    assert source.stat().st_mode & 0o777 == 0o640
    assert (record / BACKUP).read_bytes() == OLD
    assert list(source.parent.iterdir()) == [source]
    for _ in range(2):
        revert_change(record)
        assert source.read_bytes() == OLD
        assert source.stat().st_mode & 0o777 == 0o640


def test_the_diff_is_one_that_patch_takes(source: Path, tmp_path: Path) -> None:
    write_change(source, OLD, NEW, tmp_path / "record")
    other = tmp_path / "k.hip"
    other.write_bytes(OLD)
    subprocess.run(
        ["patch", "--binary", "-p1", "-i", str(tmp_path / "record" / DIFF)],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    assert other.read_bytes() == NEW
    assert diff("x", OLD, OLD) == ""


def test_drafts_of_a_killed_process_are_cleared(source: Path, tmp_path: Path) -> None:
    (source.parent / ".k.hip.x1.draft").write_bytes(b"half")
    write_change(source, OLD, NEW, tmp_path / "record")
    assert list(source.parent.iterdir()) == [source]


def test_links_stay_links(source: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.hip"
    link.symlink_to(source)
    write_change(link, OLD, NEW, tmp_path / "record")
    assert link.is_symlink()
    assert source.read_bytes() == NEW
    revert_change(tmp_path / "record")
    assert source.read_bytes() == OLD


def test_the_users_own_changes_are_kept(source: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    source.write_bytes(b"mine")
    with pytest.raises(UsageProblem, match="left as it is"):
        write_change(source, OLD, NEW, record)
    assert source.read_bytes() == b"mine"
    assert not record.exists()
    source.write_bytes(OLD)
    write_change(source, OLD, NEW, record)
    source.write_bytes(b"mine")
    with pytest.raises(UsageProblem, match="changed since"):
        revert_change(record)
    assert source.read_bytes() == b"mine"


@pytest.mark.parametrize("damage", ["missing", "record", "backup"])
def test_damaged_records(source: Path, tmp_path: Path, damage: str) -> None:
    record = tmp_path / "record"
    if damage != "missing":
        write_change(source, OLD, NEW, record)
        (record / (RECORD if damage == "record" else BACKUP)).write_bytes(b"{}")
    with pytest.raises(BadInput):
        revert_change(record)


class Killed(BaseException):
    pass


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int, after: bool) -> None:
    """Raises at the step-th of the calls, before or after it is done."""
    count = {"left": step}

    def wrap(owner, name: str) -> None:
        real = getattr(owner, name)

        def call(*arguments, **options):
            count["left"] -= 1
            if count["left"] == 0 and not after:
                raise Killed
            result = real(*arguments, **options)
            if count["left"] == 0 and after:
                raise Killed
            return result

        monkeypatch.setattr(owner, name, call)

    wrap(safe_write.tempfile, "mkstemp")
    wrap(os, "fchmod")
    wrap(os, "fsync")
    wrap(Path, "replace")


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", range(1, 22))
def test_killed_at_every_step(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, after: bool
) -> None:
    record = tmp_path / "record"
    with monkeypatch.context() as patched:
        kill_at(patched, step, after)
        try:
            write_change(source, OLD, NEW, record)
            finished = True
        except Killed:
            finished = False
    assert source.read_bytes() in (OLD, NEW)
    if finished:
        assert step > 16  # else there was nothing to kill
    if source.read_bytes() == NEW:  # then it can be taken back
        revert_change(record)
        assert source.read_bytes() == OLD
    write_change(source, OLD, NEW, record)
    assert source.read_bytes() == NEW


def test_a_folder_that_cannot_be_written(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(safe_write.tempfile, "mkstemp", refuse)
    with pytest.raises(EnvironmentProblem, match="Read-only"):
        write_change(source, OLD, NEW, tmp_path / "record")
    assert source.read_bytes() == OLD
