"""The journal of an optimization: every decision with its numbers, a JSON object a line, only appended.

A line is written with one call and reaches the disk before the decision is acted on. Each carries the digest
of the line before it, so that a line that was lost or changed shows. A process that is killed leaves at most
one torn line at the end; whoever opens the journal next closes it with a line that says so.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any

from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem

FIRST = "start"
TORN = "torn"
_DIGITS = 16


@dataclass(frozen=True)
class Entry:
    sequence: int
    time: str
    event: str
    data: Mapping[str, Any]


class Journal:
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
            os.close(self._file)
            raise UsageProblem(f"{path} is in use by another process", "wait for it, or stop it") from error
        try:
            lines, torn = _split(path.read_bytes())
            self.entries = _checked(lines, path)
            self._previous = _digest(lines[-1]) if lines else ""
            self._sequence = len(lines)
            if torn:
                os.write(self._file, b"\n")
                self._previous = _digest(torn)
                self.append(TORN, bytes=len(torn))
        except BaseException:
            os.close(self._file)
            raise

    def append(self, event: str, **data: Any) -> Entry:
        """Written and on the disk when this returns."""
        entry = Entry(self._sequence, datetime.now(timezone.utc).isoformat(), event, data)
        line = json.dumps(
            {
                "sequence": entry.sequence,
                "time": entry.time,
                "event": event,
                "previous": self._previous,
                "data": _plain(data),
            },
            ensure_ascii=False,
            allow_nan=False,
        ).encode()
        try:
            written = os.write(self._file, line + b"\n")
            if written != len(line) + 1:
                raise OSError(0, "the disk is full")
            os.fsync(self._file)
        except OSError as error:
            raise EnvironmentProblem(
                f"{self.path} cannot be written: {error.strerror}", "free space; --resume goes on"
            ) from error
        self._previous = _digest(line)
        self._sequence += 1
        self.entries = (*self.entries, entry)
        return entry

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_journal(path: Path) -> tuple[Entry, ...]:
    """The entries of a journal, without a torn last line. Raises BadInput where one was changed or lost."""
    try:
        lines, _ = _split(path.read_bytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    return _checked(lines, path)


def _split(content: bytes) -> tuple[list[bytes], bytes]:
    """Whole lines, and what is left of one that was not finished."""
    *lines, last = content.split(b"\n")
    return lines, last


def _checked(lines: list[bytes], path: Path) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    previous = ""
    for number, line in enumerate(lines, 1):
        entry = _entry(line)
        if entry is None:
            closed = number < len(lines) and _is_torn_note(lines[number])
            if not closed:
                raise BadInput(f"{path}, line {number}: it is no entry of a journal")
            previous = _digest(line)
            continue
        if json.loads(line)["previous"] != previous:
            raise BadInput(f"{path}, line {number}: it does not follow the line before it; one was changed")
        previous = _digest(line)
        entries.append(entry)
    return tuple(entries)


def _is_torn_note(line: bytes) -> bool:
    entry = _entry(line)
    return entry is not None and entry.event == TORN


def _entry(line: bytes) -> Entry | None:
    try:
        found = json.loads(line)
        return Entry(int(found["sequence"]), str(found["time"]), str(found["event"]), dict(found["data"]))
    except (ValueError, TypeError, KeyError):
        return None


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()[:_DIGITS]


def _plain(value: Any) -> Any:
    """What JSON has: dataclasses as objects, paths as text, numbers that are none as null."""
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return [_plain(inner) for inner in items]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    return str(value)
