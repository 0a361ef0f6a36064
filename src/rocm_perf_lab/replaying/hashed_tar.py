"""A plain tar that begins with an index of its files and their SHA-256: what is shared, as one file.

Made of the same contents it is always the same: files in the order of the index, no owner, no time. One that
comes from elsewhere is not believed before it is checked: what the index does not list, what is no plain
file, and what is not as large or not what the index says, is an error.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rocm_perf_lab.capturing.folder import MOST_DOCUMENT_BYTES, PARTIAL
from rocm_perf_lab.contracts.captures.bundle import BundledFile
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem

INDEX = "bundle.json"
AGAIN = "get the bundle again from where it came from"
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Member:
    """A file of the bundle: on disk, or made anew."""

    name: str
    path: Path | None = None
    content: bytes | None = None

    def open(self) -> IO[bytes]:
        if self.content is not None:
            return io.BytesIO(self.content)
        assert self.path is not None
        return self.path.open("rb")

    def size(self) -> int:
        if self.content is not None:
            return len(self.content)
        assert self.path is not None
        return self.path.stat().st_size


@dataclass(frozen=True)
class WrittenTar:
    bytes: int
    sha256: str
    """Of the whole file."""


def described(member: Member) -> BundledFile:
    """What the index says of a file."""
    digest, size = hashlib.sha256(), 0
    with member.open() as content:
        while part := content.read(_BLOCK):
            digest.update(part)
            size += len(part)
    return BundledFile(bytes=size, sha256=digest.hexdigest())


def index_digest(index: bytes) -> str:
    """By which a bundle is known again: its index has the hashes of all that is in it."""
    return hashlib.sha256(index).hexdigest()


def write_tar(file: Path, index: bytes, members: Sequence[Member]) -> WrittenTar:
    """Whole or not at all; a file that is there is not overwritten."""
    digest = hashlib.sha256()
    with _draft_of(file) as draft:
        with (
            draft.open("wb") as raw,
            tarfile.open(fileobj=_Hashing(raw, digest), mode="w|", format=tarfile.GNU_FORMAT) as tar,
        ):
            for member in (Member(INDEX, content=index), *members):
                _add(tar, member)
        return WrittenTar(draft.stat().st_size, digest.hexdigest())


@contextmanager
def open_tar(file: Path, made_by: str) -> Iterator[tuple[tarfile.TarFile, bytes]]:
    """The tar and its index; ``made_by`` is the remedy where it is something else."""
    try:
        with file.open("rb") as raw, tarfile.open(fileobj=raw, mode="r:") as tar:
            yield tar, _index(tar, file, made_by)
    except (tarfile.TarError, EOFError) as error:
        raise BadInput(f"{file} is not a bundle, or truncated ({error})", AGAIN) from error
    except OSError as error:
        if error.filename is not None and Path(error.filename) == file:
            raise BadInput(f"{file}: {error.strerror}", made_by) from error
        raise


def check_kind(index: bytes, file: Path, form: str, version: int, made_by: str) -> None:
    """That it is a bundle of this format, before its index is read as such."""
    try:
        plain = json.loads(index)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: {INDEX} is not JSON", AGAIN) from error
    if not isinstance(plain, dict) or plain.get("format") != form:
        raise BadInput(f"{file}: {INDEX} is not of a bundle like this", made_by)
    if plain.get("version") != version:
        raise BadInput(
            f"{file} is of version {plain.get('version')!r}; this rocm-perf reads version {version}",
            "use the version of rocm-perf that wrote it",
        )


def check_room(files: Mapping[str, BundledFile], file: Path, folder: Path) -> None:
    """Contents are not compressed by the tar, so they cannot be more than the file."""
    sizes = [one.bytes for one in files.values()]
    if min(sizes) < 0 or sum(sizes) > file.stat().st_size:
        raise BadInput(f"{file} lists more bytes than it has", AGAIN)
    parent = folder.absolute().parent
    while not parent.exists():
        parent = parent.parent
    free = shutil.disk_usage(parent).free
    if sum(sizes) > free:
        raise EnvironmentProblem(
            f"{folder} needs {sum(sizes)} bytes; {free} are free",
            "free space, or name another with --out",
        )


def extract(tar: tarfile.TarFile, files: Mapping[str, BundledFile], file: Path, target: Path) -> None:
    """All that the index lists, below ``target``. That names lead nowhere else, the caller has checked."""
    waiting = dict(files)
    while (member := tar.next()) is not None:
        expected = waiting.pop(member.name, None)
        if expected is None:
            raise BadInput(f"{file} has {member.name!r}, which {INDEX} does not list", AGAIN)
        if not member.isreg() or member.issparse():
            raise BadInput(f"{file}: {member.name} is not a plain file", AGAIN)
        if member.size != expected.bytes:
            raise BadInput(f"{file}: {member.name} has {member.size} bytes, not {expected.bytes}", AGAIN)
        content = tar.extractfile(member)
        assert content is not None
        _write(content, expected, target / member.name, f"{file}: {member.name}")
    if waiting:
        raise BadInput(f"{file} has no {next(iter(waiting))}: truncated?", AGAIN)


def _index(tar: tarfile.TarFile, file: Path, made_by: str) -> bytes:
    first = tar.next()
    if first is None or first.name != INDEX or not first.isreg() or first.size > MOST_DOCUMENT_BYTES:
        raise BadInput(f"{file} does not begin with {INDEX}: it is not a bundle", made_by)
    content = tar.extractfile(first)
    assert content is not None
    return content.read()


def _add(tar: tarfile.TarFile, member: Member) -> None:
    """The same for everybody: no owner, no time."""
    entry = tarfile.TarInfo(member.name)
    entry.mode = 0o644
    entry.size = member.size()
    with member.open() as content:
        tar.addfile(entry, content)


class _Hashing(io.RawIOBase):
    """Passes what is written on, and hashes it."""

    def __init__(self, below: IO[bytes], digest: hashlib._Hash) -> None:
        self.below, self.digest = below, digest

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.digest.update(data)
        return self.below.write(data)


@contextmanager
def _draft_of(file: Path) -> Iterator[Path]:
    """A file that gets its name when it is complete; nothing stays of one that is not."""
    if file.exists() or file.is_symlink():
        raise UsageProblem(f"{file} is already there; nothing is overwritten", "name another file")
    draft = file.with_name(f".{file.name}.{os.getpid()}{PARTIAL}")
    try:
        yield draft
        draft.rename(file)
    except OSError as error:
        raise EnvironmentProblem(
            f"{file} cannot be written: {error.strerror}", "free space, or name a file elsewhere"
        ) from error
    finally:
        draft.unlink(missing_ok=True)


def _write(content: IO[bytes], expected: BundledFile, path: Path, name: str) -> None:
    digest, size = hashlib.sha256(), 0
    with path.open("xb") as target:
        while part := content.read(_BLOCK):
            digest.update(part)
            size += len(part)
            target.write(part)
    if size != expected.bytes:
        raise BadInput(f"{name} is truncated", AGAIN)
    if digest.hexdigest() != expected.sha256:
        raise BadInput(f"{name} has been changed: its SHA-256 is not that of {INDEX}", AGAIN)
