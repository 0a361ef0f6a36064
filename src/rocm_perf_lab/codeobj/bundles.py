"""Containers of code objects: offload bundles, plain or compressed, one or several after another.

Format: https://clang.llvm.org/docs/ClangOffloadBundler.html
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
COMPRESSED_MAGIC = b"CCOB"
_ZEROS = re.compile(rb"\0*")
_MOST_ENTRIES = 4096  # more is not a bundle but bytes that look like one
_ZLIB, _ZSTD = 0, 1
_LARGEST_WINDOW = 1 << 31  # what zstd's long distances may ask for
_PART = 1024
_MOST_BYTES = 1 << 40  # of one bundle, unpacked: more is no size but damage
# After magic, version and method: [total size,] size before compression, hash.
_COMPRESSED = {1: struct.Struct("<4sHHIQ"), 2: struct.Struct("<4sHHIIQ"), 3: struct.Struct("<4sHHQQQ")}


class BadBundle(ValueError):
    """Damaged, or packed in a way that cannot be unpacked here."""


class BundleEntry(NamedTuple):
    triple: str
    """For example hipv4-amdgcn-amd-amdhsa--gfx942; host entries start with host."""
    content: memoryview


def entries(data: bytes) -> Iterator[BundleEntry]:
    """The entries of all bundles in a section or file, which may have zeros between them."""
    view = memoryview(data)
    at = _after_zeros(data, 0)
    while at < len(data):
        if data.startswith(COMPRESSED_MAGIC, at):
            plain, size = _decompress(view[at:])
            if not plain.startswith(MAGIC):
                raise BadBundle("what a compressed offload bundle has in it is none")
            yield from entries(plain)
        elif data.startswith(MAGIC, at):
            found, size = _read(view[at:])
            yield from found
        else:
            raise BadBundle(f"there is no offload bundle at byte {at} of its device code")
        at = _after_zeros(data, at + size)


def _after_zeros(data: bytes, start: int) -> int:
    return _ZEROS.match(data, start).end()  # type: ignore[union-attr]  # matches nothing, too


def _read(view: memoryview) -> tuple[list[BundleEntry], int]:
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
            found.append(BundleEntry(name.decode(errors="replace"), view[offset : offset + size]))
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
    if size > _MOST_BYTES:
        raise BadBundle(f"a compressed offload bundle promises {size} bytes")
    packed = bytes(view[layout.size : total])
    if method == _ZLIB:
        plain, used = _unpack_zlib(packed, size)
    elif method == _ZSTD:
        plain, used = _unpack_zstd(packed, size)
    else:
        raise BadBundle(f"a compressed offload bundle uses the unknown method {method}")
    if len(plain) != size:
        raise BadBundle(f"a compressed offload bundle has {len(plain)} bytes where it promises {size}")
    return plain, layout.size + used if version == 1 else total


def _unpack_zlib(packed: bytes, size: int) -> tuple[bytes, int]:
    """At most that many bytes, and how much was read for them."""
    unpacker = zlib.decompressobj()
    try:
        plain = unpacker.decompress(packed, size) if size else b""
        # What follows the last byte is its checksum, which is read when more is asked for.
        rest = b"" if unpacker.eof else unpacker.decompress(unpacker.unconsumed_tail, 1)
    except zlib.error as error:
        raise BadBundle(f"a compressed offload bundle is damaged ({error})") from error
    if rest or not unpacker.eof:
        raise BadBundle(f"a compressed offload bundle does not end after the {size} bytes it promises")
    return plain, len(packed) - len(unpacker.unused_data)


def _unpack_zstd(packed: bytes, size: int) -> tuple[bytes, int]:
    """Likewise. In small parts: a few bytes can stand for many, and what is too much is not unpacked."""
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).decompressobj()
    plain, used = bytearray(), 0
    try:
        while not unpacker.eof and used < len(packed) and len(plain) <= size:
            plain += unpacker.decompress(packed[used : used + _PART])
            used += min(_PART, len(packed) - used)
    except zstandard.ZstdError as error:
        raise BadBundle(f"a compressed offload bundle is damaged ({error})") from error
    if not unpacker.eof:
        raise BadBundle(f"a compressed offload bundle does not end after the {size} bytes it promises")
    return bytes(plain), used - len(unpacker.unused_data)
