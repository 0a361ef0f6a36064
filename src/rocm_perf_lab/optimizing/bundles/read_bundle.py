"""Reads the bundle of an accepted change: nothing of it is believed before its hashes are checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.contracts.changes.change_bundle import CHANGE_FORMAT, CHANGE_VERSION, ChangeBundleDocument
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.errors import BadInput, EnvironmentProblem
from rocm_perf_lab.replaying.hashed_tar import (
    AGAIN,
    INDEX,
    check_kind,
    check_room,
    extract,
    index_digest,
    open_tar,
)

_MADE_BY = "name the bundle.tar of a change that rocm-perf optimize accepted"


@dataclass(frozen=True)
class ReadBundle:
    file: Path
    sha256: str
    """Of the whole file."""
    digest: str
    """By which it is known again."""
    document: ChangeBundleDocument
    folder: Path
    """Where its files lie now."""

    def content(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def proof(self, name: str) -> ValidationDocument:
        return from_json(ValidationDocument, self.content(name), f"{self.file}: {name}")


def read_claims(file: Path) -> ChangeBundleDocument:
    """The index alone; its files are not looked at."""
    with open_tar(file, _MADE_BY) as (_, text):
        return _index(text, file)


def read_bundle(file: Path, folder: Path) -> ReadBundle:
    """Its files are below ``folder`` then, which has to be empty. Raises BadInput where one was changed."""
    try:
        with open_tar(file, _MADE_BY) as (tar, text):
            document = _index(text, file)
            check_room(document.files, file, folder)
            for name in document.files:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
            extract(tar, document.files, file, folder)
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder} cannot be written: {error.strerror}", "free space, or set TMPDIR"
        ) from error
    return ReadBundle(file, _sha256(file), index_digest(text), document, folder)


def _index(text: bytes, file: Path) -> ChangeBundleDocument:
    check_kind(text, file, CHANGE_FORMAT, CHANGE_VERSION, _MADE_BY)
    document = from_json(ChangeBundleDocument, text, f"{file}: {INDEX}")
    _check_names(document, file)
    return document


def _check_names(document: ChangeBundleDocument, file: Path) -> None:
    """Every name stays in the folder, and what the claims name is there."""
    for name in document.files:
        parts = PurePosixPath(name).parts
        plain = name == "/".join(parts) and not {"..", ".", "/"} & set(parts) and name.isprintable()
        if not plain or name == INDEX:
            raise BadInput(f"{file}: {INDEX} lists {name!r}, which no bundle has", AGAIN)
    named = [
        document.diff,
        *document.includes,
        *(path for side in (document.before, document.after) for path in (side.source, side.code_object)),
        *(one.proof for one in document.dispatches),
        *(one.capture for one in document.dispatches if one.capture is not None),
    ]
    for name in named:
        if name not in document.files:
            raise BadInput(f"{file}: {INDEX} does not list {name}", AGAIN)


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while part := content.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
