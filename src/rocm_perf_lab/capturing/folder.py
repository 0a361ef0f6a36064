"""Opens the folder of a capture; one that is interrupted, truncated, tampered or unknown is refused."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import xxhash

from rocm_perf_lab.capturing.addresses import number
from rocm_perf_lab.capturing.region_file import RegionFile, State
from rocm_perf_lab.contracts.captures.capture import (
    FORMAT,
    VERSION,
    DispatchDocument,
    ManifestDocument,
    ManifestFile,
    MemoryRegion,
    MemoryRegionsDocument,
)
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.errors import BadInput

PARTIAL = ".partial"
DISPATCH, REGIONS, MANIFEST = "dispatch.json", "memory_regions.json", "manifest.json"
KERNARG, CODE_OBJECT = "kernarg.bin", "kernel.hsaco"
_NEEDED = (DISPATCH, REGIONS, KERNARG, CODE_OBJECT)
MOST_DOCUMENT_BYTES = 256 << 20  # a document of a million regions is smaller
_SAFE_NAME = re.compile(r"(memory/)?[A-Za-z0-9_][A-Za-z0-9_.-]*")
_AGAIN = "capture it again, or copy it again from where it came from"

Document = TypeVar("Document", DispatchDocument, MemoryRegionsDocument, ManifestDocument)


@dataclass(frozen=True)
class Capture:
    """A capture whose documents, sizes and checksums are right (those of memory: see ``verify``)."""

    path: Path
    dispatch: DispatchDocument
    memory: MemoryRegionsDocument
    manifest: ManifestDocument

    def kernarg(self) -> bytes:
        return (self.path / KERNARG).read_bytes()

    def code_object(self) -> bytes:
        return (self.path / CODE_OBJECT).read_bytes()

    def region_file(self, region: MemoryRegion, state: State) -> RegionFile | None:
        """The file with a region's memory; None where there is none for that state."""
        name = region.file if state == "before" else region.after
        return None if name is None else RegionFile(self.path / name, state)

    @property
    def kernel_name(self) -> str:
        """Demangled. The program's demangler may not know all that ours does."""
        kernel = self.dispatch.kernel
        return demangle(kernel.name) if kernel.demangled in ("", kernel.name) else kernel.demangled

    @property
    def bytes_on_disk(self) -> int:
        return sum(file.bytes for file in self.manifest.files.values())

    @property
    def simulated(self) -> bool:
        """Made on the virtual ROCm: times are those of its model."""
        return (self.dispatch.runtime.build or "").startswith("vrocm")


def open_capture(path: Path | str) -> Capture:
    """Checks everything except the payloads of memory; raises BadInput with the cause and what to do."""
    folder = Path(path)
    _refuse_what_is_none(folder)
    return read_capture(folder)


def read_capture(folder: Path) -> Capture:
    """The capture in a folder of any name (one that is being imported has not its own yet)."""
    manifest = _document(ManifestDocument, folder, MANIFEST)
    for name in _NEEDED:
        if name not in manifest.files:
            raise BadInput(f"{folder / MANIFEST} does not list {name}", _AGAIN)
    for name, file in manifest.files.items():
        _check_file(folder, name, file)
    capture = Capture(
        path=folder,
        dispatch=_document(DispatchDocument, folder, DISPATCH),
        memory=_document(MemoryRegionsDocument, folder, REGIONS),
        manifest=manifest,
    )
    _check_addresses(capture)
    _check_arguments(capture)
    for region in capture.memory.regions:
        _check_region(capture, region)
    return capture


def verify(capture: Capture, tick: Callable[[int], None] | None = None) -> None:
    """Reads all memory that is stored and checks it. ``tick`` is told the bytes, as they are read."""
    for region in capture.memory.regions:
        for state in ("before", "after"):
            file = capture.region_file(region, state)
            if file is not None:
                with file:
                    file.verify(tick)


def _refuse_what_is_none(folder: Path) -> None:
    partial = folder.with_name(folder.name + PARTIAL)
    if folder.name.endswith(PARTIAL):
        raise BadInput(
            f"{folder} is an interrupted capture: it was never finished", "remove it; capture again"
        )
    if not folder.exists():
        if partial.exists():
            raise BadInput(
                f"there is no {folder}, but {partial.name}: the capture was interrupted",
                "remove it; capture again",
            )
        raise BadInput(f"there is no capture {folder}", "name the folder that rocm-perf capture made")
    if not folder.is_dir():
        raise BadInput(
            f"{folder} is a file; a capture is a folder",
            f"rocm-perf replay import {folder}, if it is a bundle that was exported",
        )
    if not (folder / MANIFEST).exists():
        what = "it is not finished" if (folder / DISPATCH).exists() else "it is no capture"
        raise BadInput(f"{folder} has no {MANIFEST}: {what}", "name the folder that rocm-perf capture made")


def _document(contract: type[Document], folder: Path, name: str) -> Document:
    path = folder / name
    try:
        if path.stat().st_size > MOST_DOCUMENT_BYTES:
            raise BadInput(f"{path} is larger than any such document", _AGAIN)
        text = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}", _AGAIN) from error
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not JSON ({error}): truncated?", _AGAIN) from error
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise BadInput(f"{path} is not of a capture", "name the folder that rocm-perf capture made")
    if plain.get("version") != VERSION:
        raise BadInput(
            f"{path} is of version {plain.get('version')!r}; this rocm-perf reads version {VERSION}",
            "use the version of rocm-perf that wrote it",
        )
    return from_json(contract, text, str(path))


def is_safe_name(name: str) -> bool:
    """Of a file in a capture: nothing that leads elsewhere."""
    return _SAFE_NAME.fullmatch(name) is not None


def _check_file(folder: Path, name: str, file: ManifestFile) -> None:
    path = folder / name
    if not is_safe_name(name):
        raise BadInput(f"{folder / MANIFEST} lists {name!r}, which no capture has", _AGAIN)
    try:
        found = path.lstat()
        if (folder / "memory").is_symlink() or not stat.S_ISREG(found.st_mode):
            raise BadInput(f"{path} is not a plain file", _AGAIN)
        if found.st_size != file.bytes:
            how = "truncated" if found.st_size < file.bytes else "too long"
            raise BadInput(f"{path} is {how}: {found.st_size} bytes, not {file.bytes}", _AGAIN)
        if not name.startswith("memory/") and _checksum(path) != number(file.xxh64):
            raise BadInput(f"{path} has been changed: its checksum is not the manifest's", _AGAIN)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}", _AGAIN) from error


def _checksum(path: Path) -> int:
    digest = xxhash.xxh64()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.intdigest()


def _check_addresses(capture: Capture) -> None:
    """Later readers may take them for numbers."""
    dispatch, memory = capture.dispatch, capture.memory
    for text in (
        dispatch.kernel.object,
        dispatch.packet.kernarg_address,
        dispatch.kernel.code_object.load_base,
    ):
        if text is not None:
            number(text)
    for argument in dispatch.arguments:
        if argument.region is not None:
            number(argument.region)
    bases = [region.base for region in memory.regions] + [range_.base for range_ in memory.reservations]
    for base in bases:
        number(base)


def _check_arguments(capture: Capture) -> None:
    size = capture.manifest.files[KERNARG].bytes
    for argument in capture.dispatch.arguments:
        if argument.offset < 0 or argument.size < 0 or argument.offset + argument.size > size:
            raise BadInput(
                f"{capture.path / DISPATCH}: argument {argument.index} lies outside of {KERNARG} "
                f"({size} bytes)",
                _AGAIN,
            )


def _check_region(capture: Capture, region: MemoryRegion) -> None:
    for state in ("before", "after"):
        name = region.file if state == "before" else region.after
        if name is None:
            continue
        if name not in capture.manifest.files or not name.startswith("memory/"):
            raise BadInput(f"{capture.path / REGIONS} names {name!r}, which the manifest does not", _AGAIN)
        with RegionFile(capture.path / name, state) as file:
            if (file.base, file.size) != (number(region.base), region.size):
                raise BadInput(
                    f"{file.path} has {file.size} bytes at {file.base:#x}; {REGIONS} says {region.size} at "
                    f"{region.base}",
                    _AGAIN,
                )
            if file.checksum != number(capture.manifest.files[name].xxh64):
                raise BadInput(f"{file.path} has been changed: its checksum is not the manifest's", _AGAIN)
