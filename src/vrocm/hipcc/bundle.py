"""Containers for device code: the bundle that HIP loads, and the offload binary that rides in host objects.

Formats: https://clang.llvm.org/docs/ClangOffloadBundler.html and
https://clang.llvm.org/docs/OffloadingDesign.html#offload-binary-format (both little endian).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .toolchain import DEVICE_TRIPLE, HOST_TRIPLE

BUNDLE_MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
# hipv4: code object version 4 and later. Page aligned, so that the runtime can map a code object in place.
CODE_OBJECT_ALIGNMENT = 4096
HOST_ENTRY_ID = f"host-{HOST_TRIPLE}-"

OFFLOAD_BINARY_MAGIC = b"\x10\xff\x10\xad"
OFFLOAD_BINARY_VERSION = 1
IMAGE_KIND_BITCODE = 2
OFFLOAD_KIND_HIP = 4
OFFLOAD_SECTION = ".llvm.offloading"
_HEADER = struct.Struct("<4sIQQQ")
_ENTRY = struct.Struct("<HHIQQQQ")


class DeviceImage(NamedTuple):
    """Device code for one target, such as gfx942 or gfx90a:xnack+."""

    arch: str
    content: bytes


def bundle_entry_id(arch: str) -> str:
    return f"hipv4-{DEVICE_TRIPLE}--{arch}"


def _align(value: int, alignment: int) -> int:
    return (value + alignment - 1) // alignment * alignment


def write_bundle(images: Sequence[DeviceImage]) -> bytes:
    """An offload bundle with an empty host entry and one code object per target."""
    entries = [(HOST_ENTRY_ID.encode(), b"")]
    entries += [(bundle_entry_id(image.arch).encode(), image.content) for image in images]
    header_size = len(BUNDLE_MAGIC) + 8 + sum(24 + len(name) for name, _ in entries)
    offset = _align(header_size, CODE_OBJECT_ALIGNMENT)
    header = bytearray(BUNDLE_MAGIC + struct.pack("<Q", len(entries)))
    body = bytearray()
    for name, content in entries:
        offset = _align(offset, CODE_OBJECT_ALIGNMENT)
        header += struct.pack("<QQQ", offset, len(content), len(name)) + name
        if content:
            start = offset - _align(header_size, CODE_OBJECT_ALIGNMENT)
            body += bytes(start - len(body)) + content
            offset += len(content)
    header += bytes(_align(header_size, CODE_OBJECT_ALIGNMENT) - header_size)
    return bytes(header + body)


def read_bundle(data: bytes) -> list[DeviceImage]:
    """The device entries of an offload bundle; the host entry is left out."""
    if not data.startswith(BUNDLE_MAGIC):
        raise ValueError("not an offload bundle")
    (count,) = struct.unpack_from("<Q", data, len(BUNDLE_MAGIC))
    position = len(BUNDLE_MAGIC) + 8
    images = []
    for _ in range(count):
        offset, size, name_size = struct.unpack_from("<QQQ", data, position)
        name = data[position + 24 : position + 24 + name_size].decode()
        position += 24 + name_size
        if not name.startswith("host-"):
            arch = name.split("--", 1)[-1]
            images.append(DeviceImage(arch, data[offset : offset + size]))
    return images


def write_text_bundle(parts: Iterable[tuple[str, str]]) -> str:
    """A bundle of text files (preprocessed source): (entry id, text) pairs between marker comments."""
    marker = "// " + BUNDLE_MAGIC.decode()
    return "".join(f"{marker}__START__ {name}\n{text}\n{marker}__END__ {name}\n" for name, text in parts)


def write_offload_binary(image: DeviceImage) -> bytes:
    """Relocatable device code as one offload binary, to be kept in a host object's offloading section."""
    strings = bytearray(b"\0")
    pairs = []
    for key, value in (("triple", DEVICE_TRIPLE), ("arch", image.arch)):
        pairs.append((len(strings), len(strings) + len(key) + 1))
        strings += key.encode() + b"\0" + value.encode() + b"\0"
    table_offset = _HEADER.size + _ENTRY.size
    strings_offset = table_offset + 16 * len(pairs)
    image_offset = _align(strings_offset + len(strings), 8)
    size = _align(image_offset + len(image.content), 8)
    entry = _ENTRY.pack(
        IMAGE_KIND_BITCODE, OFFLOAD_KIND_HIP, 0, table_offset, len(pairs), image_offset, len(image.content)
    )
    out = bytearray(
        _HEADER.pack(OFFLOAD_BINARY_MAGIC, OFFLOAD_BINARY_VERSION, size, _HEADER.size, _ENTRY.size)
    )
    out += entry
    for key_offset, value_offset in pairs:
        out += struct.pack("<QQ", strings_offset + key_offset, strings_offset + value_offset)
    out += strings
    out += bytes(image_offset - len(out)) + image.content
    return bytes(out + bytes(size - len(out)))


def read_offload_binaries(section: bytes) -> list[DeviceImage]:
    """All offload binaries of a section; a partial link (ld -r) puts several one after another."""
    images = []
    start = 0
    while start + _HEADER.size <= len(section):
        magic, version, size, entry_offset, _ = _HEADER.unpack_from(section, start)
        if magic != OFFLOAD_BINARY_MAGIC or version != OFFLOAD_BINARY_VERSION:
            raise ValueError(f"no offload binary at offset {start} of {OFFLOAD_SECTION}")
        binary = section[start : start + size]
        _, _, _, table, count, image_offset, image_size = _ENTRY.unpack_from(binary, entry_offset)
        values = {}
        for index in range(count):
            key, value = struct.unpack_from("<QQ", binary, table + 16 * index)
            values[_string_at(binary, key)] = _string_at(binary, value)
        images.append(DeviceImage(values.get("arch", ""), binary[image_offset : image_offset + image_size]))
        start += _align(size, 8)
    return images


def _string_at(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode()
