"""Reads a capture by the documented format alone, with other people's decompression and checksums."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lz4.block
import xxhash

PAGE, CHUNK = 4096, 65536


def _pages(path: Path, magic: bytes) -> tuple[int, int, dict[int, bytes]]:
    """Base, size, and the pages that a region file holds, by number."""
    raw = path.read_bytes()
    found, header, chunk, base, size, chunks, index, checksum, zero = struct.unpack("<8sIIQQQQQQ", raw[:64])
    assert (found, header, chunk, zero) == (magic, 64, CHUNK, 0)
    assert chunks == -(-size // CHUNK)
    assert len(raw) == index + 24 * chunks
    assert xxhash.xxh64_intdigest(raw[index:]) == checksum
    held: dict[int, bytes] = {}
    for number in range(chunks):
        offset, stored, mask, codec, reserved, payload_sum = struct.unpack_from(
            "<QIHBBQ", raw, index + 24 * number
        )
        assert reserved == 0
        wanted = [page for page in range(16) if mask >> page & 1]
        payload = raw[offset : offset + stored]
        if codec == 1:
            payload = lz4.block.decompress(payload, uncompressed_size=PAGE * len(wanted))
        assert len(payload) == PAGE * len(wanted)
        assert xxhash.xxh64_intdigest(payload) == payload_sum
        for position, page in enumerate(wanted):
            held[number * 16 + page] = payload[position * PAGE : (position + 1) * PAGE]
    return base, size, held


def _filled(size: int, before: bytes, pages: dict[int, bytes]) -> bytes:
    memory = bytearray(before.ljust(-(-size // PAGE) * PAGE, b"\0"))
    for number, page in pages.items():
        memory[number * PAGE : (number + 1) * PAGE] = page
    return bytes(memory[:size])


@dataclass(frozen=True)
class Capture:
    folder: Path
    dispatch: dict[str, Any]
    memory: dict[str, Any]

    @staticmethod
    def read(folder: Path) -> Capture:
        """Checks the manifest on the way."""
        manifest = json.loads((folder / "manifest.json").read_text())
        assert (manifest["format"], manifest["version"]) == ("rocm-perf-capture", 1)
        there = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} - {"manifest.json"}
        assert there == set(manifest["files"])
        for name, entry in manifest["files"].items():
            raw = (folder / name).read_bytes()
            assert len(raw) == entry["bytes"]
            if name.startswith("memory/"):
                index = struct.unpack_from("<Q", raw, 40)[0]
                raw = raw[:64] + raw[index:]
            assert xxhash.xxh64_intdigest(raw) == int(entry["xxh64"], 16), name
        return Capture(
            folder,
            json.loads((folder / "dispatch.json").read_text()),
            json.loads((folder / "memory_regions.json").read_text()),
        )

    @property
    def kernarg(self) -> bytes:
        return (self.folder / "kernarg.bin").read_bytes()

    @property
    def code(self) -> bytes:
        return (self.folder / "kernel.hsaco").read_bytes()

    def regions(self, kind: str | None = None) -> list[dict[str, Any]]:
        return [r for r in self.memory["regions"] if kind in (None, r["kind"])]

    def region_at(self, address: int) -> dict[str, Any]:
        for region in self.regions():
            if int(region["base"], 16) <= address < int(region["base"], 16) + region["size"]:
                return region
        raise AssertionError(f"no region holds {address:#x}")

    def before(self, region: dict[str, Any]) -> bytes:
        base, size, pages = _pages(self.folder / region["file"], b"RPLREG01")
        assert (base, size) == (int(region["base"], 16), region["size"])
        assert all(any(page) for page in pages.values()), "a page of zeros was stored"
        return _filled(size, b"", pages)

    def after(self, region: dict[str, Any]) -> bytes:
        was = self.before(region)
        if region["after"] is None:
            assert (region["changed_pages"], region["changed_bytes"]) == (0, 0)
            return was
        base, size, pages = _pages(self.folder / region["after"], b"RPLAFT01")
        assert (base, size) == (int(region["base"], 16), region["size"])
        now = _filled(size, was, pages)
        differ = [a != b for a, b in zip(was, now, strict=True)] if size < 1 << 22 else None
        if differ is not None:
            assert sum(differ) == region["changed_bytes"]
            assert {at // PAGE for at, yes in enumerate(differ) if yes} == set(pages)
        assert len(pages) == region["changed_pages"]
        return now

    def argument(self, index: int) -> int:
        """An argument's value as an unsigned number."""
        return int.from_bytes(bytes.fromhex(self.dispatch["arguments"][index]["value"]), "little")

    def buffer(self, argument: int) -> tuple[bytes, bytes]:
        """Before and after of what a pointer argument points to, from there to the end of its region."""
        address = self.argument(argument)
        region = self.region_at(address)
        assert self.dispatch["arguments"][argument]["region"] == region["base"]
        offset = address - int(region["base"], 16)
        assert self.dispatch["arguments"][argument]["region_offset"] == offset
        return self.before(region)[offset:], self.after(region)[offset:]

    def verdict(self, what: str) -> list[dict[str, Any]]:
        return [item for item in self.dispatch["verdict"]["items"] if item["what"] == what]


def ints(memory: bytes, count: int) -> list[int]:
    return list(struct.unpack(f"<{count}i", memory[: 4 * count]))


def floats(memory: bytes, count: int) -> list[float]:
    return list(struct.unpack(f"<{count}f", memory[: 4 * count]))
