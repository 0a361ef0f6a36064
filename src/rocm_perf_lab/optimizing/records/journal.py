"""The journal of an optimization: every decision with its numbers, a JSON object a line, only appended.

A line reaches the disk before the decision is acted on (``json_lines``). Each carries the digest of the line
before it, so that a line that was lost or changed shows.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.json_lines import TORN, JsonLines, objects_in, read_lines

FIRST = "start"
_DIGITS = 16


@dataclass(frozen=True)
class JournalEntry:
    sequence: int
    time: str
    event: str
    data: Mapping[str, Any]


class OptimizationJournal:
    """Open for appending; one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = JsonLines(path)
        try:
            self.entries = _checked(self.file.lines, self.file.torn, path)
            self._sequence = len(self.file.lines)
            if self.file.torn:
                self.append(TORN, bytes=len(self.file.torn))
        except BaseException:
            self.close()
            raise

    def append(self, event: str, **data: Any) -> JournalEntry:
        """Written and on the disk when this returns."""
        entry = JournalEntry(self._sequence, datetime.now(timezone.utc).isoformat(), event, data)
        self.file.append(
            {
                "sequence": entry.sequence,
                "time": entry.time,
                "event": event,
                "previous": self._previous(),
                "data": _plain(data),
            }
        )
        self._sequence += 1
        self.entries = (*self.entries, entry)
        return entry

    def _previous(self) -> str:
        if self.file.torn:
            return _digest(self.file.torn)
        return _digest(self.file.lines[-1]) if self.file.lines else ""

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> OptimizationJournal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_journal(path: Path) -> tuple[JournalEntry, ...]:
    """The entries of a journal, without a torn last line. Raises BadInput where one was changed or lost."""
    return _checked(*read_lines(path), path)


def _checked(lines: list[bytes], torn: bytes, path: Path) -> tuple[JournalEntry, ...]:
    entries: list[JournalEntry] = []
    previous = ""
    for number, (line, content) in enumerate(zip(lines, objects_in(lines, torn, path), strict=True), 1):
        if content is not None:
            entry = _entry(content)
            if entry is None:
                raise BadInput(f"{path}, line {number}: it is no entry of a journal")
            if content.get("previous") != previous:
                raise BadInput(
                    f"{path}, line {number}: it does not follow the line before it; one was changed"
                )
            entries.append(entry)
        previous = _digest(line)
    return tuple(entries)


def _entry(found: Mapping[str, Any]) -> JournalEntry | None:
    try:
        return JournalEntry(
            int(found["sequence"]), str(found["time"]), str(found["event"]), dict(found["data"])
        )
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
