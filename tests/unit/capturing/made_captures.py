"""Writes captures byte by byte as docs/reference/capture-format.md has them, for tests of what reads them."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lz4.block
import msgpack
import xxhash

PAGE, CHUNK = 4096, 65536
# ns::scale<float, 4>(float const*, float*, float, Params, unsigned)
SYMBOL = "_ZN2ns5scaleIfLi4EEEvPKT_PS1_S1_6Paramsj"
IN, OUT, COUNT = 0x7F0000000000, 0x7F0000200000, 30000


def region_file(
    state: str, base: int, size: int, pages: dict[int, bytes], compressed: bool = True, zero: int = 0
) -> bytes:
    chunks = -(-size // CHUNK)
    payloads, index = b"", b""
    for chunk in range(chunks):
        held = [page for page in range(16) if chunk * 16 + page in pages]
        if not held:
            index += struct.pack("<QIHBBQ", 0, 0, 0, 0, 0, 0)
            continue
        plain = b"".join(pages[chunk * 16 + page].ljust(PAGE, b"\0") for page in held)
        packed = lz4.block.compress(plain, store_size=False) if compressed else plain
        codec = 1 if compressed and len(packed) < len(plain) else 0
        stored = packed if codec else plain
        mask = sum(1 << page for page in held)
        index += struct.pack(
            "<QIHBBQ", 64 + len(payloads), len(stored), mask, codec, 0, xxhash.xxh64_intdigest(plain)
        )
        payloads += stored
    magic = {"before": b"RPLREG01", "after": b"RPLAFT01"}[state]
    header = struct.pack(
        "<8sII6Q",
        magic,
        64,
        CHUNK,
        base,
        size,
        chunks,
        64 + len(payloads),
        xxhash.xxh64_intdigest(index),
        zero,
    )
    return header + payloads + index


def pages_of(memory: bytes) -> dict[int, bytes]:
    return {at // PAGE: memory[at : at + PAGE] for at in range(0, len(memory), PAGE)}


def nonzero(memory: bytes) -> dict[int, bytes]:
    return {number: page for number, page in pages_of(memory).items() if any(page)}


def differing(before: bytes, after: bytes) -> dict[int, bytes]:
    old = pages_of(before)
    return {number: page for number, page in pages_of(after).items() if page != old[number]}


@dataclass
class Region:
    base: int
    before: bytes
    after: bytes | None = None
    kind: str = "device"
    pool: str | None = "coarse"
    agent: int | None = 0


GFX942 = 0x4C  # EF_AMDGPU_MACH


def code_object(symbol: str, arguments: list[dict[str, Any]]) -> bytes:
    """An ELF file with one note: the metadata of one kernel."""
    kernel = {
        ".name": symbol,
        ".symbol": f"{symbol}.kd",
        ".vgpr_count": 24,
        ".agpr_count": 0,
        ".sgpr_count": 20,
        ".vgpr_spill_count": 0,
        ".sgpr_spill_count": 0,
        ".group_segment_fixed_size": 1024,
        ".private_segment_fixed_size": 0,
        ".kernarg_segment_size": 64,
        ".max_flat_workgroup_size": 256,
        ".wavefront_size": 64,
        ".uses_dynamic_stack": False,
        ".args": [
            {
                f".{key}": value
                for key, value in one.items()
                if key in ("offset", "size", "value_kind", "type_name")
            }
            for one in arguments
        ],
    }
    document = {
        "amdhsa.version": [1, 2],
        "amdhsa.target": "amdgcn-amd-amdhsa--gfx942",
        "amdhsa.kernels": [kernel],
    }
    content: bytes = msgpack.packb(document)
    note = struct.pack("<III", 7, len(content), 32) + b"AMDGPU\0\0" + content
    segment = struct.pack("<IIQQQQQQ", 4, 4, 64 + 56, 0, 0, len(note), len(note), 4)
    header = b"\x7fELF\x02\x01\x01\x40\x03".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, 224, 1, 0, 64, 0, GFX942, 64, 56, 1, 64, 0, 0
    )
    return header + segment + note


def argument(
    index: int, offset: int, raw: bytes, value_kind: str = "by_value", **more: Any
) -> dict[str, Any]:
    return {
        "index": index,
        "name": None,
        "offset": offset,
        "size": len(raw),
        "value_kind": value_kind,
        "address_space": "global" if value_kind == "global_buffer" else None,
        "access": None,
        "value": raw.hex(),
        "region": None,
        "region_offset": None,
        **more,
    }


@dataclass
class MadeCapture:
    """ns::scale: out[i] = in[i] * factor, as far as documents and memory are concerned."""

    symbol: str = SYMBOL
    demangled: str = "void ns::scale<float, 4>(float const*, float*, float, Params, unsigned int)"
    arguments: list[dict[str, Any]] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    complete: bool = True
    build: str = "vrocm-7.0"

    def __post_init__(self) -> None:
        values = struct.pack(f"<{COUNT}f", *range(COUNT))
        doubled = struct.pack(f"<{COUNT}f", *(2 * value for value in range(COUNT)))
        if not self.regions:
            self.regions = [
                Region(IN, values),
                Region(OUT, bytes(len(values)), doubled),
                Region(0x7F0000400000, b"\7" * 100, None, "host", "kernarg", None),
            ]
        if not self.arguments:
            self.arguments = [
                argument(0, 0, struct.pack("<Q", IN), "global_buffer", region=hex(IN), region_offset=0),
                argument(1, 8, struct.pack("<Q", OUT), "global_buffer", region=hex(OUT), region_offset=0),
                argument(2, 16, struct.pack("<f", 2.0)),
                argument(3, 24, struct.pack("<if8x", 3, 0.5)),
                argument(4, 40, struct.pack("<I", COUNT)),
                argument(5, 44, struct.pack("<I", 118), "hidden_block_count_x"),
                argument(6, 48, struct.pack("<Q", 0), "hidden_hostcall_buffer"),
            ]

    def kernarg(self) -> bytes:
        segment = bytearray(64)
        for one in self.arguments:
            segment[one["offset"] : one["offset"] + one["size"]] = bytes.fromhex(one["value"])
        return bytes(segment)

    def dispatch(self) -> dict[str, Any]:
        code = code_object(self.symbol, self.arguments)
        return {
            "format": "rocm-perf-capture",
            "version": 1,
            "tool": {"name": "rocm-perf-capture", "version": "0.1.0"},
            "kernel": {
                "name": self.symbol,
                "demangled": self.demangled,
                "object": "0x7f0001000040",
                "dispatch_index": 0,
                "code_object": {
                    "file": "kernel.hsaco",
                    "bytes": len(code),
                    "xxh64": hex(xxhash.xxh64_intdigest(code)),
                    "load_base": "0x7f0001000000",
                    "load_size": 8192,
                    "load_delta": "0x7f0001000000",
                    "uri": "file:///home/somebody/secret/app#offset=4096&size=8192",
                },
            },
            "geometry": {"dimensions": 1, "grid": [COUNT, 1, 1], "workgroup": [256, 1, 1]},
            "packet": {
                "header": 5122,
                "setup": 1,
                "private_segment_size": 0,
                "group_segment_size": 1536,
                "kernarg_address": "0x7f0000400000",
                "completion_signal": "0x7f0000500000",
                "bytes": "00" * 64,
            },
            "segments": {
                "kernarg_size": 64,
                "static_group_size": 1024,
                "dynamic_group_size": 512,
                "private_size": 0,
                "uses_dynamic_stack": False,
            },
            "arguments": self.arguments,
            "agent": {
                "index": 0,
                "name": "gfx942",
                "product": "AMD Instinct MI300X",
                "isa": "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-",
                "uuid": "GPU-0123456789abcdef",
                "node": 1,
                "compute_units": 304,
                "wavefront_size": 64,
                "xcc_count": 8,
                "partition": None,
                "missing": {"partition": "the runtime does not say"},
            },
            "runtime": {"hsa_version": "1.15", "build": self.build, "timestamp_frequency_hz": 100000000},
            "time": {"in_app_ns": 6340, "start_tick": 1000, "end_tick": 1634},
            "process": {
                "pid": 31337,
                "executable": "secret-app",
                "queue_count": 2,
                "drained_queues": 2,
                "held_queues": 0,
                "waited_ns": 1200,
            },
            "verdict": {"complete": self.complete, "items": self.items},
        }

    def write(self, folder: Path) -> Path:
        (folder / "memory").mkdir(parents=True)
        regions = []
        files: dict[str, bytes] = {}
        for region in self.regions:
            name = f"memory/region_{region.base:016x}.bin"
            files[name] = region_file("before", region.base, len(region.before), nonzero(region.before))
            after, changed = None, {}
            if region.after is not None and region.after != region.before:
                after = f"memory/after_{region.base:016x}.bin"
                changed = differing(region.before, region.after)
                files[after] = region_file("after", region.base, len(region.before), changed)
            regions.append(
                {
                    "base": hex(region.base),
                    "size": len(region.before),
                    "kind": region.kind,
                    "file": name,
                    "after": after,
                    "stored_bytes": len(files[name]),
                    "changed_pages": len(changed),
                    "changed_bytes": sum(
                        a != b for a, b in zip(region.before, region.after or region.before, strict=True)
                    ),
                    "pool": region.pool,
                    "agent": region.agent,
                    "access": "rw",
                    "handle": None,
                    "handle_offset": None,
                }
            )
        head = {"format": "rocm-perf-capture", "version": 1}
        files["dispatch.json"] = json.dumps(self.dispatch()).encode()
        files["kernarg.bin"] = self.kernarg()
        files["kernel.hsaco"] = code_object(self.symbol, self.arguments)
        files["memory_regions.json"] = json.dumps(
            {**head, "page_size": PAGE, "regions": regions, "reservations": [], "handles": []}
        ).encode()
        for name, content in files.items():
            (folder / name).write_bytes(content)
        write_manifest(folder)
        return folder


def write_manifest(folder: Path) -> None:
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "manifest.json":
            content = path.read_bytes()
            covered = content
            if path.parent.name == "memory":
                covered = content[:64] + content[int.from_bytes(content[40:48], "little") :]
            name = str(path.relative_to(folder))
            files[name] = {"bytes": len(content), "xxh64": hex(xxhash.xxh64_intdigest(covered))}
    head = {"format": "rocm-perf-capture", "version": 1}
    (folder / "manifest.json").write_text(json.dumps({**head, "files": files}))
