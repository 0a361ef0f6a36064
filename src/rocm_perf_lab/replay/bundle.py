"""A capture as one file to share: a plain tar (its contents are compressed already) that is always the same.

::

    bundle.json          every other file with its size and SHA-256
    dispatch.json …      the capture, in the order of names

What tells of the machine it was made on is left out: process, paths, serial number of the GPU. A bundle comes
from elsewhere: nothing in it is believed before it is checked, and nothing stays of one that is not as it
should be.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import xxhash

from rocm_perf_lab.capture.addresses import text
from rocm_perf_lab.capture.folder import (
    CODE_OBJECT,
    DISPATCH,
    MANIFEST,
    MOST_DOCUMENT_BYTES,
    PARTIAL,
    REGIONS,
    Capture,
    is_safe_name,
    open_capture,
    read_capture,
    verify,
)
from rocm_perf_lab.contracts.bundle import (
    BUNDLE_FORMAT,
    BUNDLE_VERSION,
    BundledFile,
    BundleDocument,
    ExportDocument,
    ImportDocument,
)
from rocm_perf_lab.contracts.capture import DispatchDocument, ManifestDocument, ManifestFile
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem

INDEX = "bundle.json"
_LEFT_OUT = "left out of the bundle that was shared"
_BLOCK = 1 << 20
_EXPORT = "name the file that rocm-perf replay export wrote"
_AGAIN = "get the bundle again from where it came from"
LEFT_OUT = (
    "process id and name of the program",
    "where the code object was loaded from",
    "serial number of the GPU",
)


@dataclass(frozen=True)
class _Source:
    """A file of the bundle: on disk, or made anew."""

    name: str
    path: Path
    content: bytes | None = None

    def open(self) -> IO[bytes]:
        return self.path.open("rb") if self.content is None else io.BytesIO(self.content)


def export_capture(path: Path, file: Path) -> ExportDocument:
    """Every checksum of the capture is checked on the way."""
    capture = open_capture(path)
    verify(capture)
    sources = _sources(capture)
    described = {source.name: _described(source) for source in sources}
    index = BundleDocument(
        format=BUNDLE_FORMAT,
        version=BUNDLE_VERSION,
        kernel=capture.kernel_name,
        isa=capture.dispatch.agent.isa,
        files=described,
    )
    digest = hashlib.sha256()
    with _draft_of(file) as draft:
        with (
            draft.open("wb") as raw,
            tarfile.open(fileobj=_Hashing(raw, digest), mode="w|", format=tarfile.GNU_FORMAT) as tar,
        ):
            _add(tar, _Source(INDEX, file, to_json(index).encode()))
            for source in sources:
                _add(tar, source)
        size = draft.stat().st_size
    return ExportDocument(
        capture=str(path),
        file=str(file),
        bytes=size,
        sha256=digest.hexdigest(),
        files=len(sources) + 1,
        left_out=LEFT_OUT,
        warnings=_warnings(capture),
    )


def import_capture(file: Path, out: Path | None = None) -> ImportDocument:
    folder = out if out is not None else Path(_plain_name(file))
    partial = folder.with_name(folder.name + PARTIAL)
    for there in (folder, partial):
        if there.exists() or there.is_symlink():
            raise UsageProblem(f"{there} is already there; nothing is overwritten", "name another with --out")
    if folder.name.endswith(PARTIAL):
        raise UsageProblem(f"names that end in {PARTIAL} are of interrupted captures", "name it otherwise")
    try:
        with file.open("rb") as raw, tarfile.open(fileobj=raw, mode="r:") as tar:
            index = _index(tar, file)
            _check_room(index, file, folder)
            try:
                (partial / "memory").mkdir(parents=True)
                _extract(tar, index, file, partial)
                capture = read_capture(partial)
                partial.rename(folder)
            except BaseException:
                shutil.rmtree(partial, ignore_errors=True)
                raise
    except (tarfile.TarError, EOFError) as error:
        raise BadInput(f"{file} is not a bundle, or truncated ({error})", _AGAIN) from error
    except OSError as error:
        if error.filename is not None and Path(error.filename) == file:
            raise BadInput(f"{file}: {error.strerror}", _EXPORT) from error
        raise EnvironmentProblem(
            f"{folder} cannot be written: {error.strerror}", "name another folder with --out"
        ) from error
    return ImportDocument(
        file=str(file),
        folder=str(folder),
        kernel=capture.kernel_name,
        files=len(index.files),
        bytes=sum(one.bytes for one in index.files.values()),
    )


def without_environment(dispatch: DispatchDocument) -> DispatchDocument:
    """Without what tells of the machine and the user."""
    process, agent, code = dispatch.process, dispatch.agent, dispatch.kernel.code_object
    return replace(
        dispatch,
        process=replace(
            process,
            pid=None,
            executable=None,
            missing={**process.missing, "pid": _LEFT_OUT, "executable": _LEFT_OUT},
        ),
        agent=replace(agent, uuid=None, missing={**agent.missing, "uuid": _LEFT_OUT}),
        kernel=replace(
            dispatch.kernel,
            code_object=replace(code, uri=None, missing={**code.missing, "uri": _LEFT_OUT}),
        ),
    )


def _sources(capture: Capture) -> list[_Source]:
    """The capture's files in the order of names, without its environment; the manifest follows suit."""
    dispatch = to_json(without_environment(capture.dispatch)).encode()
    files = {
        **capture.manifest.files,
        DISPATCH: ManifestFile(bytes=len(dispatch), xxh64=text(xxhash.xxh64_intdigest(dispatch))),
    }
    manifest = ManifestDocument(
        format=capture.manifest.format,
        version=capture.manifest.version,
        files=dict(sorted(files.items())),
    )
    made = {DISPATCH: dispatch, MANIFEST: to_json(manifest).encode()}
    return [_Source(name, capture.path / name, made.get(name)) for name in sorted({*files, MANIFEST})]


def _described(source: _Source) -> BundledFile:
    digest, size = hashlib.sha256(), 0
    with source.open() as content:
        while part := content.read(_BLOCK):
            digest.update(part)
            size += len(part)
    return BundledFile(bytes=size, sha256=digest.hexdigest())


def _add(tar: tarfile.TarFile, source: _Source) -> None:
    """The same for everybody: no owner, no time."""
    entry = tarfile.TarInfo(source.name)
    entry.mode = 0o644
    entry.size = len(source.content) if source.content is not None else source.path.stat().st_size
    with source.open() as content:
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


def _warnings(capture: Capture) -> tuple[str, ...]:
    warnings = []
    if b".debug_info" in capture.code_object():
        warnings.append(f"{CODE_OBJECT} has debug information, with paths of sources")
    if not capture.dispatch.verdict.complete:
        warnings.append("the capture is not complete: it can be looked at, and not replayed")
    return tuple(warnings)


def _plain_name(file: Path) -> str:
    for ending in (".tar", ".capture"):
        if file.name.endswith(ending) and file.name != ending:
            file = file.with_name(file.name.removesuffix(ending))
    return f"{file.name}.capture"


def _index(tar: tarfile.TarFile, file: Path) -> BundleDocument:
    first = tar.next()
    if first is None or first.name != INDEX or not first.isreg() or first.size > MOST_DOCUMENT_BYTES:
        raise BadInput(
            f"{file} does not begin with {INDEX}: it is not a bundle",
            _EXPORT,
        )
    content = tar.extractfile(first)
    assert content is not None
    plain_text = content.read()
    try:
        plain = json.loads(plain_text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: {INDEX} is not JSON", _AGAIN) from error
    if not isinstance(plain, dict) or plain.get("format") != BUNDLE_FORMAT:
        raise BadInput(f"{file}: {INDEX} is not of a bundle", _EXPORT)
    if plain.get("version") != BUNDLE_VERSION:
        raise BadInput(
            f"{file} is of version {plain.get('version')!r}; this rocm-perf reads version {BUNDLE_VERSION}",
            "use the version of rocm-perf that wrote it",
        )
    index = from_json(BundleDocument, plain_text, f"{file}: {INDEX}")
    for name in index.files:
        if not is_safe_name(name):
            raise BadInput(f"{file}: {INDEX} lists {name!r}, which no capture has", _AGAIN)
    for name in (MANIFEST, DISPATCH, REGIONS):
        if name not in index.files:
            raise BadInput(f"{file}: {INDEX} does not list {name}", _AGAIN)
    return index


def _check_room(index: BundleDocument, file: Path, folder: Path) -> None:
    """Contents are not compressed by the tar, so they cannot be more than the file."""
    sizes = [one.bytes for one in index.files.values()]
    if min(sizes) < 0 or sum(sizes) > file.stat().st_size:
        raise BadInput(f"{file} lists more bytes than it has", _AGAIN)
    parent = folder.absolute().parent
    while not parent.exists():
        parent = parent.parent
    free = shutil.disk_usage(parent).free
    if sum(sizes) > free:
        raise EnvironmentProblem(
            f"{folder} needs {sum(sizes)} bytes; {free} are free",
            "free space, or name another with --out",
        )


def _extract(tar: tarfile.TarFile, index: BundleDocument, file: Path, target: Path) -> None:
    waiting = dict(index.files)
    while (member := tar.next()) is not None:
        expected = waiting.pop(member.name, None)
        if expected is None:
            raise BadInput(f"{file} has {member.name!r}, which {INDEX} does not list", _AGAIN)
        if not member.isreg() or member.issparse():
            raise BadInput(f"{file}: {member.name} is not a plain file", _AGAIN)
        if member.size != expected.bytes:
            raise BadInput(f"{file}: {member.name} has {member.size} bytes, not {expected.bytes}", _AGAIN)
        content = tar.extractfile(member)
        assert content is not None
        _write(content, expected, target / member.name, f"{file}: {member.name}")
    if waiting:
        raise BadInput(f"{file} has no {next(iter(waiting))}: truncated?", _AGAIN)


def _write(content: IO[bytes], expected: BundledFile, path: Path, name: str) -> None:
    digest, size = hashlib.sha256(), 0
    with path.open("xb") as target:
        while part := content.read(_BLOCK):
            digest.update(part)
            size += len(part)
            target.write(part)
    if size != expected.bytes:
        raise BadInput(f"{name} is truncated", _AGAIN)
    if digest.hexdigest() != expected.sha256:
        raise BadInput(f"{name} has been changed: its SHA-256 is not that of {INDEX}", _AGAIN)
