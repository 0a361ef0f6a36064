"""Makes captures (docs/reference/capture-format.md) from a compiled code object and regions that a test has.

Real captures come from programs; these are for what no program does: regions at chosen addresses, kernels
that hang, folders that are wrong in one place."""

from __future__ import annotations

import json
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lz4.block
import msgpack
import numpy as np
import xxhash
from elftools.elf.elffile import ELFFile
from numpy.typing import NDArray

PAGE, PAGES = 4096, 16
CHUNK = PAGE * PAGES
ISA = "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"

Bytes = NDArray[np.uint8]


def as_bytes(memory: bytes | NDArray[Any]) -> Bytes:
    return np.frombuffer(memory, np.uint8) if isinstance(memory, bytes) else memory.reshape(-1).view(np.uint8)


@dataclass
class Region:
    base: int
    before: Bytes
    after: Bytes | None = None
    kind: str = "device"
    pool: str | None = "coarse"
    agent: int | None = 0
    access: str = "rw"
    handle: int | None = None
    handle_offset: int | None = None
    stored: bool = True
    """False for the second mapping of a handle."""

    @property
    def size(self) -> int:
        return len(self.before)


@dataclass
class CaptureMaker:
    """A capture of one dispatch of `kernel` in `hsaco`; write() puts it in a folder."""

    hsaco: bytes
    kernel: str
    kernarg: bytes
    kernarg_address: int
    regions: list[Region] = field(default_factory=list)
    reservations: list[tuple[int, int]] = field(default_factory=list)
    handles: list[dict[str, Any]] = field(default_factory=list)
    grid: tuple[int, int, int] = (64, 1, 1)
    workgroup: tuple[int, int, int] = (64, 1, 1)
    dimensions: int = 1
    dynamic_lds: int = 0
    isa: str = ISA
    load_base: int | None = None
    load_size: int | None = None
    refused: list[dict[str, Any]] = field(default_factory=list)

    def device(self, base: int, before: bytes | NDArray[Any], after: Any = None, **more: Any) -> None:
        changed = None if after is None else as_bytes(after)
        self.regions.append(Region(base, as_bytes(before), changed, **more))

    def host(self, base: int, before: bytes | NDArray[Any], after: Any = None, **more: Any) -> None:
        self.device(base, before, after, **{"kind": "host", "pool": "fine", "agent": None, **more})

    def metadata(self) -> dict[str, Any]:
        return kernel_metadata(self.hsaco, self.kernel)

    def dispatch(self) -> dict[str, Any]:
        metadata = self.metadata()
        return {
            "format": "rocm-perf-capture",
            "version": 1,
            "tool": {"name": "capture_maker", "version": "1"},
            "kernel": {
                "name": self.kernel,
                "demangled": self.kernel,
                "object": "0x0",
                "dispatch_index": 0,
                "code_object": {
                    "file": "kernel.hsaco",
                    "bytes": len(self.hsaco),
                    "xxh64": hex(xxhash.xxh64_intdigest(self.hsaco)),
                    "load_base": None if self.load_base is None else hex(self.load_base),
                    "load_size": self.load_size,
                    "load_delta": None if self.load_base is None else hex(self.load_base),
                    "uri": None,
                },
            },
            "geometry": {
                "dimensions": self.dimensions,
                "grid": list(self.grid),
                "workgroup": list(self.workgroup),
            },
            "packet": {
                "header": 5122,
                "setup": self.dimensions,
                "private_segment_size": metadata[".private_segment_fixed_size"],
                "group_segment_size": metadata[".group_segment_fixed_size"] + self.dynamic_lds,
                "kernarg_address": hex(self.kernarg_address),
                "completion_signal": "0x0",
                "bytes": "00" * 64,
            },
            "segments": {
                "kernarg_size": len(self.kernarg),
                "static_group_size": metadata[".group_segment_fixed_size"],
                "dynamic_group_size": self.dynamic_lds,
                "private_size": metadata[".private_segment_fixed_size"],
                "uses_dynamic_stack": bool(metadata.get(".uses_dynamic_stack")),
            },
            "arguments": [],
            "agent": {
                "index": 0,
                "name": "gfx942",
                "product": "made",
                "isa": self.isa,
                "uuid": "GPU-made",
                "node": 1,
                "compute_units": None,
                "wavefront_size": 64,
                "xcc_count": 8,
                "partition": None,
            },
            "runtime": {"hsa_version": "1.18", "build": "made", "timestamp_frequency_hz": 100_000_000},
            "time": {
                "in_app_ns": None,
                "start_tick": None,
                "end_tick": None,
                "missing": {"in_app_ns": "this capture was made, not taken"},
            },
            "process": {},
            "verdict": {"complete": not self.refused, "items": self.refused},
        }

    def write(self, folder: Path) -> Path:
        (folder / "memory").mkdir(parents=True)
        regions = []
        for region in self.regions:
            name, after = f"memory/region_{region.base:016x}.bin", f"memory/after_{region.base:016x}.bin"
            changed = {} if region.after is None else differing_pages(region.before, region.after)
            if region.stored:
                write_region(folder / name, b"RPLREG01", region, nonzero_pages(region.before), region.before)
            if changed and region.after is not None:
                write_region(folder / after, b"RPLAFT01", region, changed, region.after)
            regions.append(
                {
                    "base": hex(region.base),
                    "size": region.size,
                    "kind": region.kind,
                    "file": name if region.stored else None,
                    "after": after if changed else None,
                    "stored_bytes": 0,
                    "changed_pages": sum(bin(mask).count("1") for mask in changed.values()),
                    "changed_bytes": (
                        0 if region.after is None else int(np.count_nonzero(region.before != region.after))
                    ),
                    "pool": region.pool,
                    "agent": region.agent,
                    "access": region.access,
                    "handle": region.handle,
                    "handle_offset": region.handle_offset,
                }
            )
        head = {"format": "rocm-perf-capture", "version": 1}
        memory = {
            **head,
            "page_size": PAGE,
            "regions": sorted(regions, key=lambda one: int(one["base"], 16)),
            "reservations": [{"base": hex(base), "size": size} for base, size in self.reservations],
            "handles": self.handles,
        }
        (folder / "dispatch.json").write_text(json.dumps(self.dispatch()))
        (folder / "memory_regions.json").write_text(json.dumps(memory))
        (folder / "kernarg.bin").write_bytes(self.kernarg)
        (folder / "kernel.hsaco").write_bytes(self.hsaco)
        write_manifest(folder)
        return folder


def write_manifest(folder: Path) -> None:
    """The manifest of the folder as it is now: for a change that is not to be found out by it."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name == "manifest.json":
            continue
        name = str(path.relative_to(folder))
        if path.parent.name == "memory":
            with path.open("rb") as file:
                header = file.read(64)
                file.seek(int.from_bytes(header[40:48], "little"))
                covered = header + file.read()
        else:
            covered = path.read_bytes()
        files[name] = {"bytes": path.stat().st_size, "xxh64": hex(xxhash.xxh64_intdigest(covered))}
    head = {"format": "rocm-perf-capture", "version": 1}
    (folder / "manifest.json").write_text(json.dumps({**head, "files": files}))


# ---- region files ----


def _chunks(memory: Bytes) -> Iterator[tuple[int, Bytes]]:
    """Every chunk as sixteen rows of a page, filled up with zeros."""
    for chunk in range(-(-len(memory) // CHUNK)):
        part = memory[chunk * CHUNK : (chunk + 1) * CHUNK]
        if len(part) < CHUNK:
            part = np.concatenate([part, np.zeros(CHUNK - len(part), np.uint8)])
        yield chunk, part.reshape(PAGES, PAGE)


def _mask(pages: NDArray[np.bool_]) -> int:
    return sum(1 << page for page in range(PAGES) if pages[page])


def nonzero_pages(memory: Bytes) -> dict[int, int]:
    """Masks of pages by chunk."""
    masks = {chunk: _mask(pages.any(axis=1)) for chunk, pages in _chunks(memory)}
    return {chunk: mask for chunk, mask in masks.items() if mask}


def differing_pages(before: Bytes, after: Bytes) -> dict[int, int]:
    masks = {}
    for (chunk, old), (_, new) in zip(_chunks(before), _chunks(after), strict=True):
        if mask := _mask((old != new).any(axis=1)):
            masks[chunk] = mask
    return masks


def write_region(path: Path, magic: bytes, region: Region, masks: dict[int, int], memory: Bytes) -> None:
    index = b""
    with path.open("wb") as file:
        file.write(bytes(64))
        for chunk, pages in _chunks(memory):
            mask = masks.get(chunk, 0)
            plain = b"".join(pages[page].tobytes() for page in range(PAGES) if mask >> page & 1)
            packed = lz4.block.compress(plain, store_size=False) if plain else b""
            codec = int(0 < len(packed) < len(plain))
            stored = packed if codec else plain
            checksum = xxhash.xxh64_intdigest(plain)
            index += struct.pack(
                "<QIHBBQ", file.tell() if stored else 0, len(stored), mask, codec, 0, checksum
            )
            file.write(stored)
        place = file.tell()
        file.write(index)
        file.seek(0)
        chunks = -(-region.size // CHUNK)
        file.write(struct.pack("<8sII3Q", magic, 64, CHUNK, region.base, region.size, chunks))
        file.write(struct.pack("<3Q", place, xxhash.xxh64_intdigest(index), 0))


def read_region(path: Path) -> dict[int, bytes]:
    """The pages that a region file holds, by number."""
    raw = path.read_bytes()
    chunks, place = struct.unpack_from("<2Q", raw, 32)
    pages = {}
    for chunk in range(chunks):
        at, size, mask, codec, _, checksum = struct.unpack_from("<QIHBBQ", raw, place + 24 * chunk)
        held = [page for page in range(PAGES) if mask >> page & 1]
        stored = raw[at : at + size]
        whole = len(held) * PAGE
        plain = lz4.block.decompress(stored, uncompressed_size=whole) if codec else stored
        assert xxhash.xxh64_intdigest(plain) == checksum
        for number, page in enumerate(held):
            pages[chunk * PAGES + page] = plain[number * PAGE : (number + 1) * PAGE]
    return pages


# ---- code objects ----


def kernel_metadata(hsaco: bytes, kernel: str) -> dict[str, Any]:
    """What the code object's note says of the kernel."""
    import io

    for section in ELFFile(io.BytesIO(hsaco)).iter_sections():
        if section.name != ".note":
            continue
        raw = section.data()
        name_size, size, _ = struct.unpack_from("<III", raw)
        start = 12 + (name_size + 3) // 4 * 4
        for found in msgpack.unpackb(raw[start : start + size])["amdhsa.kernels"]:
            if found[".name"] == kernel:
                return dict(found)
    raise KeyError(kernel)


def compile_hip(source: str, folder: Path, environment: dict[str, str], *flags: str) -> bytes:
    """A code object for gfx942, without a bundle around it."""
    folder.mkdir(parents=True, exist_ok=True)
    text, code = folder / "kernel.hip", folder / "kernel.hsaco"
    text.write_text(source)
    done = subprocess.run(
        [
            *("hipcc", "--genco", "--no-gpu-bundle-output", "--offload-arch=gfx942", "-O2"),
            *(*flags, str(text), "-o", str(code)),
        ],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return code.read_bytes()
