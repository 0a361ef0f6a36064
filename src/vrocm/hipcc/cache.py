"""Results of compilations, kept by what they were made of, so that none is made twice.

A command line leads to a list of what its earlier runs read and left behind. A result is taken from there
only where everything that was read still has the same content and nothing has appeared that would be read
instead. Files appear by rename and are checked when they are read: processes that end, or write at the same
time, harm nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import HipccError
from .reads import Reads, still_the_same
from .toolchain import CACHE_OFF, CACHE_VARIABLE, cache_dir

SIZE_VARIABLE = "VROCM_CACHE_SIZE"
LOG_VARIABLE = "VROCM_CACHE_LOG"
DEFAULT_SIZE = "1G"
# Of one command line whose headers change: the newest ones are kept.
MOST_RESULTS = 16
# So that not every compilation has to make room.
KEPT_SHARE = 0.8
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class Output:
    """A file that a compilation leaves behind."""

    path: str
    is_program: bool


class Cache:
    """A folder with two kinds of files: lists of results by command line, and contents by their digest."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.folder = folder
        self.most_bytes = most_bytes

    def take(self, key: str, outputs: Sequence[Output]) -> str | None:
        """Puts the outputs in place. The messages of the compiler; None where nothing is known that fits."""
        known: dict[str, str | None] = {}
        for result in reversed(self._results(key)):
            if not still_the_same(result["reads"], known):
                continue
            contents = [self._content(digest) for digest in list(result["outputs"])]
            if len(contents) != len(outputs) or None in contents:
                continue
            for output, content in zip(outputs, contents, strict=True):
                _put(output, content or b"")
            self._is_in_use(key)
            return str(result["messages"])
        return None

    def keep(self, key: str, reads: Reads, outputs: Sequence[Output], messages: str) -> None:
        """Where there is no room, or no permission, nothing is kept."""
        with contextlib.suppress(OSError):
            digests = [self._keep_content(Path(output.path).read_bytes()) for output in outputs]
            result = {"reads": reads.as_json(), "outputs": digests, "messages": messages}
            others = [other for other in self._results(key) if other["reads"] != result["reads"]]
            content = json.dumps([*others, result][-MOST_RESULTS:], separators=(",", ":")).encode()
            digest = hashlib.sha256(content).hexdigest().encode()
            self._write(self._place("results", key), digest + b"\n" + content)
            self._make_room()

    def _results(self, key: str) -> list[dict[str, Any]]:
        try:
            digest, _, content = self._place("results", key).read_bytes().partition(b"\n")
        except OSError:
            return []
        if hashlib.sha256(content).hexdigest().encode() != digest:
            return []
        return list(json.loads(content))

    def _content(self, digest: object) -> bytes | None:
        """None where it has been thrown away, or is not what was kept."""
        try:
            path = self._place("contents", str(digest))
            content = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content).hexdigest() != digest:
            path.unlink(missing_ok=True)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def _is_in_use(self, key: str) -> None:
        with contextlib.suppress(OSError):
            os.utime(self._place("results", key))

    def _keep_content(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        self._write(self._place("contents", digest), content)
        return digest

    def _place(self, kind: str, name: str) -> Path:
        return self.folder / kind / name[:2] / name[2:]

    def _write(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}-{os.getpid()}")
        try:
            draft.write_bytes(content)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Throws away what has not been used for longest; also what a process that was killed left behind."""
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        if total <= self.most_bytes:
            return
        for _, size, path in files:
            if total <= self.most_bytes * KEPT_SHARE:
                return
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size

    def _files(self) -> Iterator[tuple[int, int, str]]:
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = f"{folder}/{name}"
                with contextlib.suppress(OSError):  # another process has thrown it away
                    found = os.stat(path)
                    yield found.st_mtime_ns, found.st_size, path


def find_cache() -> Cache | None:
    """None where the environment says that there is to be none."""
    if os.environ.get(CACHE_VARIABLE) == CACHE_OFF:
        return None
    return Cache(cache_dir() / "compilations", _size(os.environ.get(SIZE_VARIABLE) or DEFAULT_SIZE))


def log(words: str) -> None:
    """A line for somebody who asks what became of a compilation."""
    path = os.environ.get(LOG_VARIABLE)
    if path:
        with contextlib.suppress(OSError), open(path, "a", encoding="utf-8", errors="replace") as file:
            file.write(words + "\n")


def _size(text: str) -> int:
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    if not number.isdigit() or unit not in _UNITS:
        raise HipccError(f"{SIZE_VARIABLE} is '{text}': a number of bytes is needed, such as 500M or 2G")
    return int(number) * _UNITS[unit]


def _put(output: Output, content: bytes) -> None:
    """A new file, as linkers make one: a program that runs, or another name of it, stays as it is."""
    mode = 0o777 if output.is_program else 0o666
    with contextlib.suppress(FileNotFoundError):
        os.unlink(output.path)
    try:
        file = os.open(output.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    except OSError as problem:
        raise HipccError(f"cannot open output file {output.path}: {problem.strerror}") from None
    with open(file, "wb") as stream:
        stream.write(content)
