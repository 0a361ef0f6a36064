"""Writes an accepted change into the user's file, whole or not at all, so that it can be taken back.

First the old text, the diff and a record of both are on the disk, then the new text beside the file, then one
rename puts it in place. Killed at any moment, the file is the old or the new one.
"""

from __future__ import annotations

import contextlib
import difflib
import glob
import hashlib
import json
import os
import re
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem

RECORD = "change.json"
BACKUP = "before"
DIFF = "change.diff"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Written:
    source: str
    """The file itself, where the user's path leads to it by links."""
    before_sha256: str
    after_sha256: str
    mode: int


def write_change(source: Path, before: bytes, after: bytes, record_folder: Path) -> Written:
    """Replaces the content of ``source``, which must still be ``before``."""
    real = source.resolve()
    present = _read(real)
    if present != before:
        raise UsageProblem(
            f"{source} was changed by somebody else meanwhile; it is left as it is",
            "run the optimization again",
        )
    written = Written(str(real), _sha256(before), _sha256(after), real.stat().st_mode & 0o7777)
    clear_drafts(real)
    keep_change(source, before, after, record_folder)
    _keep(record_folder, RECORD, json.dumps(asdict(written), indent=1).encode())
    _replace(real, after, written.mode)
    return written


def clear_drafts(file: Path) -> None:
    """Those that a process which was killed left beside the file."""
    for left in file.parent.glob(f".{glob.escape(file.name)}.*.draft"):
        left.unlink(missing_ok=True)


def keep_change(source: Path, before: bytes, after: bytes, folder: Path) -> Path:
    """The old text and the diff, without touching the file. Where the diff is."""
    _keep(folder, BACKUP, before)
    _keep(folder, DIFF, diff(source.name, before, after).encode(errors="surrogateescape"))
    return folder / DIFF


def read_record(record_folder: Path) -> Written | None:
    """What was written with this record; None where nothing was."""
    try:
        return Written(**json.loads((record_folder / RECORD).read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(f"{record_folder / RECORD} cannot be read: {error}") from error


def revert_change(record_folder: Path) -> Written:
    """Puts the old text back, if the file still has the new one. Doing it twice is no error."""
    record = record_folder / RECORD
    try:
        written = Written(**json.loads(record.read_bytes()))
        before = (record_folder / BACKUP).read_bytes()
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(f"{record_folder} has no change that could be taken back: {error}") from error
    if _sha256(before) != written.before_sha256:
        raise BadInput(f"{record_folder / BACKUP} is not what was kept: it was changed")
    real = Path(written.source)
    present = _sha256(_read(real))
    if present == written.before_sha256:
        return written
    if present != written.after_sha256:
        raise UsageProblem(
            f"{real} was changed since; it is left as it is", f"merge by hand: {record_folder / BACKUP}"
        )
    _replace(real, before, written.mode)
    return written


def diff(name: str, before: bytes, after: bytes) -> str:
    """Unified, as patch takes it."""
    old, new = (_LINE.findall(side.decode(errors="surrogateescape")) for side in (before, after))
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")
    )


def _replace(target: Path, content: bytes, mode: int) -> None:
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".draft", dir=target.parent)
    except OSError as error:
        raise _cannot(target, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(draft).replace(target)
    except OSError as error:
        raise _cannot(target, error) from error
    finally:
        with contextlib.suppress(OSError):
            Path(draft).unlink(missing_ok=True)
    _sync_folder(target.parent)


def _keep(folder: Path, name: str, content: bytes) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder / name, content, 0o644)
    except OSError as error:
        raise _cannot(folder / name, error) from error


def _sync_folder(folder: Path) -> None:
    """So that the rename is on the disk, too. Some file systems cannot, and then it does not matter."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error


def _cannot(path: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(f"{path} cannot be written: {error.strerror}", "is the folder writable?")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
