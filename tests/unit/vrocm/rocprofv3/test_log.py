"""Logs are read as far as they go."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from vrocm.rocprofv3.logs.log import DamagedLog, read_log


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def record(kind: int, payload: bytes, whole: int = 1, thread: int = 7) -> bytes:
    padding = b"\0" * (-len(payload) % 8)
    return struct.pack("<IHHII", len(payload), kind, whole, thread, 0) + payload + padding


HEADER = struct.pack("<8sII", b"VROCMLOG", 1, 7)
PROCESS = record(1, struct.pack("<3Q", 7, 3, 100) + text("./a\0-n\0003\0") + struct.pack("<Q", 0))
DISPATCH = record(11, struct.pack("<14Q", 1, 1, 5, 1, 200, 300, 64, 1, 1, 256, 1, 1, 0, 0))


def log(tmp_path: Path, *parts: bytes) -> Path:
    path = tmp_path / "7.0.vlog"
    path.write_bytes(b"".join(parts))
    return path


def test_records(tmp_path: Path) -> None:
    counters = record(16, struct.pack("<2Q", 1, 1) + text("SQ_WAVES") + struct.pack("<Qd", 2, 4.5))
    read = read_log(log(tmp_path, HEADER, PROCESS, DISPATCH, counters, record(2, struct.pack("<Q", 900))))
    assert read.process.command == ("./a", "-n", "3")
    assert (read.process.pid, read.process.parent, read.end) == (7, 3, 900)
    (dispatch,) = read.dispatches
    assert (dispatch.begin, dispatch.end, dispatch.grid, dispatch.thread) == (200, 300, (256, 1, 1), 7)
    (value,) = read.counters[1]
    assert (value.name, value.instance, value.value) == ("SQ_WAVES", 2, 4.5)


def test_every_prefix_can_be_read(tmp_path: Path) -> None:
    whole = HEADER + PROCESS + DISPATCH * 3 + b"\0" * 64
    for size in range(len(HEADER + PROCESS), len(whole)):
        read = read_log(log(tmp_path, whole[:size]))
        assert read.end is None
        assert len(read.dispatches) == min(3, (size - len(HEADER + PROCESS)) // len(DISPATCH))


def test_record_that_was_being_written_is_left_out(tmp_path: Path) -> None:
    torn = record(11, b"\xff" * 112, whole=0)
    assert len(read_log(log(tmp_path, HEADER, PROCESS, DISPATCH, torn, DISPATCH)).dispatches) == 2


def test_unknown_records_are_passed_over(tmp_path: Path) -> None:
    read = read_log(log(tmp_path, HEADER, PROCESS, record(999, b"abc"), DISPATCH))
    assert len(read.dispatches) == 1


@pytest.mark.parametrize("content", [b"", b"hello", HEADER, HEADER + DISPATCH, b"X" * 200])
def test_what_is_not_a_log(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DamagedLog):
        read_log(log(tmp_path, content))
