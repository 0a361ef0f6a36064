"""Writes small code objects, bundles and programs, byte by byte, for tests of what reads them."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import msgpack
import zstandard

AMDGPU, X86_64 = 224, 62
PROCESSORS = {"gfx908": 0x30, "gfx90a": 0x3F, "gfx1100": 0x41, "gfx942": 0x4C}
FEATURES = {"sramecc+": 0xC00, "sramecc-": 0x800, "xnack+": 0x300, "xnack-": 0x200}
BUNDLE_MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"


def kernel(symbol: str = "_Z3addPfi", **changes: Any) -> dict[str, Any]:
    """Metadata of one kernel, as the compiler writes it."""
    values = {
        "name": symbol,
        "symbol": f"{symbol}.kd",
        "vgpr_count": 72,
        "agpr_count": 8,
        "sgpr_count": 34,
        "vgpr_spill_count": 3,
        "sgpr_spill_count": 1,
        "group_segment_fixed_size": 1024,
        "private_segment_fixed_size": 16,
        "kernarg_segment_size": 280,
        "max_flat_workgroup_size": 256,
        "wavefront_size": 64,
        "uses_dynamic_stack": False,
        **changes,
    }
    return {f".{name}": value for name, value in values.items() if value is not None}


def note(content: bytes, kind: int = 32, owner: bytes = b"AMDGPU\0") -> bytes:
    return struct.pack("<III", len(owner), len(content), kind) + _padded(owner) + _padded(content)


def metadata(*kernels: dict[str, Any], target: str) -> bytes:
    document = {
        "amdhsa.version": [1, 2],
        "amdhsa.target": target,
        "amdhsa.kernels": list(kernels),
    }
    return bytes(msgpack.packb(document))


def code_object(
    *kernels: dict[str, Any], target: str = "gfx942", code_bytes: int = 100, called: str | None = None
) -> bytes:
    """``called``: what the metadata say its target is."""
    processor, *features = target.split(":")
    flags = PROCESSORS[processor] | sum(FEATURES[feature] for feature in features)
    names = [k[".symbol"].removesuffix(".kd") for k in kernels]
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in names)
    symbols = bytes(24)
    for name in names:
        symbols += struct.pack("<IBBHQQ", strings.index(name.encode()), 0x12, 0, 1, 0, code_bytes)
    return elf(
        AMDGPU,
        (".note", 7, note(metadata(*kernels, target=called or f"amdgcn-amd-amdhsa--{target}")), 0),
        (".symtab", 2, symbols, 3),
        (".strtab", 3, strings, 0),
        flags=flags,
    )


def elf(machine: int, *sections: tuple[str, int, bytes, int], flags: int = 0) -> bytes:
    """An ELF file with sections of (name, type, content, link)."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name, *_ in sections) + b".shstrtab\0"
    everything = [*sections, (".shstrtab", 3, names, 0)]
    body, headers = b"", bytes(64)
    for name, kind, content, link in everything:
        at = names.index(name.encode() + b"\0")
        headers += struct.pack("<IIQQQQIIQQ", at, kind, 0, 0, 64 + len(body), len(content), link, 0, 4, 0)
        body += _padded(content)
    count = len(everything) + 1
    header = b"\x7fELF\x02\x01\x01\x40\x03".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, machine, 1, 0, 0, 64 + len(body), flags, 64, 56, 0, 64, count, count - 1
    )
    return header + body + headers


def bundle(**images: bytes) -> bytes:
    """A bundle with an empty host entry and one entry for each architecture."""
    entries = [("host-x86_64-unknown-linux-gnu-", b"")]
    entries += [(f"hipv4-amdgcn-amd-amdhsa--{arch}", image) for arch, image in images.items()]
    offset = len(BUNDLE_MAGIC) + 8 + sum(24 + len(name) for name, _ in entries)
    header, body = BUNDLE_MAGIC + struct.pack("<Q", len(entries)), b""
    for name, image in entries:
        header += struct.pack("<QQQ", offset + len(body), len(image), len(name)) + name.encode()
        body += image
    return header + body


def compressed(plain: bytes, version: int = 2, method: int = 0) -> bytes:
    """``method``: 0 for zlib, 1 for zstd."""
    packed = zstandard.compress(plain) if method == 1 else zlib.compress(plain)
    if version == 1:
        return b"CCOB" + struct.pack("<HHIQ", 1, method, len(plain), 0) + packed
    sizes = "<HHIIQ" if version == 2 else "<HHQQQ"
    total = 4 + struct.calcsize(sizes) + len(packed)
    return b"CCOB" + struct.pack(sizes, version, method, total, len(plain), 0) + packed


def program(*bundles: bytes, padding: int = 4096) -> bytes:
    """A program with bundles one after another in its section."""
    content = b"".join(part.ljust(-(-len(part) // padding) * padding, b"\0") for part in bundles)
    return elf(X86_64, (".text", 1, b"\x90" * 16, 0), (".hip_fatbin", 1, content, 0))


def _padded(content: bytes) -> bytes:
    return content.ljust(-(-len(content) // 4) * 4, b"\0")
