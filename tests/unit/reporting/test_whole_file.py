"""Files appear whole or not at all; what is no plain file is not replaced."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commands import SECONDS

from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.reporting.whole_file import write_whole


def test_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    write_whole(file, [b"one", b"two"])
    assert file.read_bytes() == b"onetwo"

    def parts() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    with pytest.raises(EnvironmentProblem, match="No space left"):
        write_whole(file, parts())
    assert file.read_bytes() == b"onetwo"
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(UsageProblem, match="cannot be written"):
        write_whole(tmp_path / "none" / "page.html", [b""])
    with pytest.raises(UsageProblem, match="cannot be written"):
        write_whole(file / "page.html", [b""])


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "page.html", parts())
    assert not list(tmp_path.iterdir())


def test_links_and_pipes_are_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_whole(tmp_path / "pipe", [b"through"])
    reader.join(SECONDS)
    assert got == [b"through"]
    assert (tmp_path / "pipe").is_fifo()
