"""A capture as one file to share: a plain tar (its contents are compressed already) that is always the same.

::

    bundle.json          every other file with its size and SHA-256
    dispatch.json …      the capture, in the order of names

What tells of the machine it was made on is left out: process, paths, serial number of the GPU. A bundle comes
from elsewhere: nothing in it is believed before it is checked, and nothing stays of one that is not as it
should be.
"""

from __future__ import annotations

import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import xxhash

from rocm_perf_lab.capturing.addresses import text
from rocm_perf_lab.capturing.folder import (
    CODE_OBJECT,
    DISPATCH,
    MANIFEST,
    PARTIAL,
    REGIONS,
    Capture,
    is_safe_name,
    open_capture,
    read_capture,
    verify,
)
from rocm_perf_lab.capturing.foreign_capture import digest_of, remember_capture
from rocm_perf_lab.contracts.captures.bundle import (
    BUNDLE_FORMAT,
    BUNDLE_VERSION,
    BundleDocument,
    ExportDocument,
    ImportDocument,
)
from rocm_perf_lab.contracts.captures.capture import DispatchDocument, ManifestDocument, ManifestFile
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem
from rocm_perf_lab.replaying.hashed_tar import (
    AGAIN,
    INDEX,
    Member,
    check_kind,
    check_room,
    described,
    extract,
    index_digest,
    open_tar,
    write_tar,
)
from rocm_perf_lab.trust import Foreign, is_trusted, remember

_LEFT_OUT = "left out of the bundle that was shared"
_EXPORT = "name the file that rocm-perf replay export wrote"
LEFT_OUT = (
    "process id and name of the program",
    "where the code object was loaded from",
    "serial number of the GPU",
)


def export_capture(path: Path, file: Path) -> ExportDocument:
    """Every checksum of the capture is checked on the way."""
    capture = open_capture(path)
    verify(capture)
    members = _members(capture)
    index = BundleDocument(
        format=BUNDLE_FORMAT,
        version=BUNDLE_VERSION,
        kernel=capture.kernel_name,
        isa=capture.dispatch.agent.isa,
        files={member.name: described(member) for member in members},
    )
    listed = to_json(index).encode()
    written = write_tar(file, listed, members)
    if is_trusted(digest_of(path)):
        remember(index_digest(listed), str(file.absolute()))
    return ExportDocument(
        capture=str(path),
        file=str(file),
        bytes=written.bytes,
        sha256=written.sha256,
        files=len(members) + 1,
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
        with open_tar(file, _EXPORT) as (tar, listed):
            index = _index(listed, file)
            check_room(index.files, file, folder)
            try:
                (partial / "memory").mkdir(parents=True)
                extract(tar, index.files, file, partial)
                capture = read_capture(partial)
                partial.rename(folder)
                if is_trusted(index_digest(listed)):
                    remember_capture(folder)
            except BaseException:
                shutil.rmtree(partial, ignore_errors=True)
                raise
    except OSError as error:
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


def foreign_bundle(file: Path) -> Foreign:
    """What replays of the capture in a bundle would run; its index has the hashes of all that is in it."""
    with open_tar(file, _EXPORT) as (_, listed):
        index = _index(listed, file)
    runs = f"the kernel {index.kernel} for {index.isa}"
    look = f"rocm-perf replay import {shlex.quote(str(file))}, then replay inspect"
    return Foreign(str(file), index_digest(listed), (runs,), look)


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


def _members(capture: Capture) -> list[Member]:
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
    return [Member(name, capture.path / name, made.get(name)) for name in sorted({*files, MANIFEST})]


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


def _index(text: bytes, file: Path) -> BundleDocument:
    check_kind(text, file, BUNDLE_FORMAT, BUNDLE_VERSION, _EXPORT)
    index = from_json(BundleDocument, text, f"{file}: {INDEX}")
    for name in index.files:
        if not is_safe_name(name):
            raise BadInput(f"{file}: {INDEX} lists {name!r}, which no capture has", AGAIN)
    for name in (MANIFEST, DISPATCH, REGIONS):
        if name not in index.files:
            raise BadInput(f"{file}: {INDEX} does not list {name}", AGAIN)
    return index
