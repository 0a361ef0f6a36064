"""A file of JSON objects, a line each, that is only appended to: the journals of tunings and optimizations.

A line is written with one call and is on the disk when ``append`` returns. A process that is killed leaves at
most one torn line at the end; who opens the file next ends it and says so on the line behind it, so that
nothing that was written is ever taken away.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem

TORN = "torn"
"""The event of the line that stands behind a torn one."""


class JsonLines:
    """Open for appending; one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise EnvironmentProblem(f"{path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            raise UsageProblem(f"{path} is in use by another process", "wait for it, or stop it") from error
        self.lines, self.torn = _split(path.read_bytes())

    def append(self, content: Mapping[str, Any]) -> None:
        """On the disk when this returns. What is appended to a torn line ends it, and has to be its note."""
        line = json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
        self._write(b"\n" + line + b"\n" if self.torn else line + b"\n")
        self.lines += [self.torn, line] if self.torn else [line]
        self.torn = b""

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, data: bytes) -> None:
        try:
            if os.write(self._file, data) != len(data):
                raise OSError(0, "the disk is full")
            os.fsync(self._file)
        except OSError as error:
            raise EnvironmentProblem(
                f"{self.path} cannot be written: {error.strerror}", "free space; --resume goes on"
            ) from error

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def in_use(path: Path) -> bool:
    """Whether somebody has the file open for appending."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def read_lines(path: Path) -> tuple[list[bytes], bytes]:
    """Whole lines, and what is left of one that was not finished."""
    try:
        return _split(path.read_bytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error


def objects_in(lines: Sequence[bytes], torn: bytes, path: Path) -> list[dict[str, Any] | None]:
    """What the lines hold; None for a torn one that a note follows. Any other damage is an error."""
    found = [_object(line) for line in lines]
    held: list[dict[str, Any] | None] = []
    after_is_note = False
    told = bool(torn)  # maybe of the note itself: who opens the file next writes it
    for number, content in reversed(list(enumerate(found, 1))):
        if content is None and not told:
            raise BadInput(f"{path}, line {number}: it is no JSON object")
        held.append(None if after_is_note else content)
        after_is_note = content is not None and content.get("event") == TORN
        told = after_is_note or (told and content is None)
    return held[::-1]


def _split(content: bytes) -> tuple[list[bytes], bytes]:
    *lines, last = content.split(b"\n")
    return lines, last


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
