"""Containers of code objects: offload bundles, plain or compressed, one or several after another.

Format: https://clang.llvm.org/docs/ClangOffloadBundler.html
"""

from __future__ import annotations

import importlib
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
COMPRESSED_MAGIC = b"CCOB"
_ZEROS = re.compile(rb"\0*")
_MOST_ENTRIES = 4096  # more is not a bundle but bytes that look like one
_ZLIB, _ZSTD = 0, 1
# After magic, version and method: [total size,] size before compression, hash.
_COMPRESSED = {1: struct.Struct("<4sHHIQ"), 2: struct.Struct("<4sHHIIQ"), 3: struct.Struct("<4sHHQQQ")}


class BadBundle(ValueError):
    """Damaged, or packed in a way that cannot be unpacked here."""


class Entry(NamedTuple):
    triple: str
    """For example hipv4-amdgcn-amd-amdhsa--gfx942; host entries start with host."""
    content: memoryview

    @property
    def target(self) -> str:
        return self.triple.rpartition("--")[2]


def entries(data: bytes) -> Iterator[Entry]:
    """The entries of all bundles in a section or file, which may have zeros between them."""
    view = memoryview(data)
    at = _after_zeros(data, 0)
    while at < len(data):
        if data.startswith(COMPRESSED_MAGIC, at):
            plain, size = _decompress(view[at:])
            yield from entries(plain)
        elif data.startswith(MAGIC, at):
            found, size = _read(view[at:])
            yield from found
        else:
            raise BadBundle(f"there is no offload bundle at byte {at} of its device code")
        at = _after_zeros(data, at + size)


def _after_zeros(data: bytes, start: int) -> int:
    return _ZEROS.match(data, start).end()  # type: ignore[union-attr]  # matches nothing, too


def _read(view: memoryview) -> tuple[list[Entry], int]:
    """Entries of the bundle that starts here, and where it ends."""
    try:
        (count,) = struct.unpack_from("<Q", view, len(MAGIC))
        if count > _MOST_ENTRIES:
            raise BadBundle(f"an offload bundle claims {count} entries")
        at = end = len(MAGIC) + 8
        found = []
        for _ in range(count):
            offset, size, name_size = struct.unpack_from("<QQQ", view, at)
            name = bytes(view[at + 24 : at + 24 + name_size])
            at += 24 + name_size
            if len(name) != name_size or offset + size > len(view):
                raise BadBundle("an offload bundle ends before its contents do: is the file truncated?")
            found.append(Entry(name.decode(errors="replace"), view[offset : offset + size]))
            end = max(end, at, offset + size)
    except struct.error as error:
        raise BadBundle("an offload bundle ends within its header: is the file truncated?") from error
    return found, end


def _decompress(view: memoryview) -> tuple[bytes, int]:
    """The bundle in the compressed one that starts here, and where that ends."""
    try:
        _, version, method = struct.unpack_from("<4sHH", view)
        layout = _COMPRESSED.get(version)
        if layout is None:
            raise BadBundle(f"a compressed offload bundle has the unknown version {version}")
        fields = layout.unpack_from(view)
    except struct.error as error:
        raise BadBundle("a compressed offload bundle ends within its header") from error
    total = len(view) if version == 1 else fields[3]  # version 1 does not say where it ends
    size = fields[-2]
    if not layout.size <= total <= len(view):
        raise BadBundle("a compressed offload bundle ends before its contents do: is the file truncated?")
    packed = bytes(view[layout.size : total])
    if method == _ZLIB:
        unpacker = zlib.decompressobj()
        try:
            plain = unpacker.decompress(packed, size)
        except zlib.error as error:
            raise BadBundle(f"a compressed offload bundle is damaged ({error})") from error
        if version == 1:
            total = layout.size + len(packed) - len(unpacker.unused_data)
    elif method == _ZSTD:
        plain = _zstd(packed, size)
    else:
        raise BadBundle(f"a compressed offload bundle uses the unknown method {method}")
    if len(plain) != size:
        raise BadBundle(f"a compressed offload bundle has {len(plain)} bytes where it promises {size}")
    return plain, total


def _zstd(packed: bytes, size: int) -> bytes:
    """By Python 3.14's own library or the package zstandard, whichever is there."""
    for module in ("compression.zstd", "zstandard"):
        try:
            library: Any = importlib.import_module(module)
        except ModuleNotFoundError:
            continue
        try:
            if module == "zstandard":
                return bytes(library.ZstdDecompressor().decompress(packed, max_output_size=size))
            return bytes(library.decompress(packed))
        except library.ZstdError as error:
            raise BadBundle(f"a compressed offload bundle is damaged ({error})") from error
    raise BadBundle(
        "its offload bundle is compressed with zstd, which needs Python 3.14 or the package zstandard"
    )
