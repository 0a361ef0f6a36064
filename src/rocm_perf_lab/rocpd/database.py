"""Opens a SQLite file for reading only, and says in plain words why it cannot be read when it cannot.

The queries are files of their own, in sql/.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import quote

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.readable import check_readable

MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_QUERIES = Path(__file__).parent / "sql"
_WAIT_SECONDS = 2.0  # for a writer that is about to finish


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """The database in one consistent state: what a writer adds meanwhile is not seen.

    Every error of SQLite inside the block becomes a BadInput that names the file and what to do.
    """
    _check_header(path)
    # A database in WAL mode makes SQLite leave files beside it, even for reading, or fail where it cannot.
    # While there is no log nobody writes, and the file alone is the whole truth.
    alone = _is_in_wal_mode(path) and not _has_log(path)
    connection: sqlite3.Connection | None = None
    try:
        connection = _connect(path, "mode=ro&immutable=1" if alone else "mode=ro")
        yield connection
    except sqlite3.Error as problem:
        raise _being_written(path) if alone and _has_log(path) else _explained(path, problem) from problem
    finally:
        if connection is not None:
            connection.close()
    if alone and _has_log(path):
        raise _being_written(path)


def is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _connect(path: Path, options: str) -> sqlite3.Connection:
    # Bytes, because names of files need not be Unicode; quoted, because ?, # and % have a meaning in URIs.
    uri = f"file:{quote(os.fsencode(path.resolve()))}?{options}"
    connection = sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # takes the snapshot
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_in_wal_mode(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(20)[18:20] == b"\x02\x02"  # versions that may write and read (file format, 1.3)


def _has_log(path: Path) -> bool:
    return any(_beside(path, suffix).exists() for suffix in ("-wal", "-journal"))


def _beside(path: Path, suffix: str) -> Path:
    whole = path.resolve()
    return whole.with_name(whole.name + suffix)


def _check_header(path: Path) -> None:
    check_readable(path)
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    size = path.stat().st_size
    if not header:
        raise BadInput(
            f"{path} is empty",
            "the tracer was stopped before it wrote: run it again and let it end by itself",
        )
    if not header.startswith(MAGIC):
        raise BadInput(
            f"{path} is not a SQLite database",
            "give the …_results.db that rocprofv3 writes with --output-format rocpd",
        )
    if len(header) < _HEADER_BYTES:
        raise _truncated(path, size, None)
    page_size, change_counter, pages, valid_for = (
        struct.unpack_from(">H", header, 16)[0],
        *struct.unpack_from(">II", header, 24),
        struct.unpack_from(">I", header, 92)[0],
    )
    # 1 stands for 65536; the page count counts only if it was written by the last writer (file format, 1.3).
    expected = (65536 if page_size == 1 else page_size) * pages
    if change_counter == valid_for and size < expected:
        raise _truncated(path, size, expected)


def _truncated(path: Path, size: int, expected: int | None) -> BadInput:
    of = "" if expected is None else f" of {expected}"
    return BadInput(
        f"{path} is truncated: {size}{of} bytes are there",
        "copy it again, or trace again if the tracer was killed or the disk was full",
    )


def _being_written(path: Path) -> BadInput:
    return BadInput(
        f"{path} is being written by another process",
        "wait until rocprofv3 has ended, or analyze a copy made after that",
    )


def _explained(path: Path, problem: sqlite3.Error) -> BadInput:
    text = str(problem)
    if "locked" in text or "busy" in text:
        return _being_written(path)
    needs_to_write = "unable to open" in text or "readonly" in text
    if needs_to_write and _beside(path, "-journal").exists():
        return BadInput(
            f"{path} was left in the middle of a write (there is a {path.name}-journal)",
            f"let SQLite undo the unfinished write: sqlite3 '{path}' 'PRAGMA integrity_check'",
        )
    if needs_to_write:
        return BadInput(
            f"{path} cannot be opened: {text}",
            "copy it together with its -wal file into a folder that you can write to",
        )
    if "no such table" in text or "no such column" in text:
        return BadInput(
            f"{path} lacks what a trace must have ({text})",
            "trace again with rocprofv3 of ROCm 7 or newer",
        )
    if "not a database" in text or "malformed" in text or "disk I/O" in text:
        return BadInput(
            f"{path} is damaged: {text}",
            "copy it again, or trace again if the tracer was killed or the disk was full",
        )
    return BadInput(f"{path} cannot be read: {text}", "trace again, or report the file if it is whole")


@cache
def query(name: str) -> str:
    """The text of sql/<name>.sql."""
    return (_QUERIES / f"{name}.sql").read_text(encoding="utf-8")
