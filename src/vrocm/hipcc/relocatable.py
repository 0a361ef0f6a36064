"""Relocatable device code (-fgpu-rdc): find it in host objects and link it to one code object per target."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .bundle import OFFLOAD_SECTION, DeviceImage, read_offload_binaries

ARCHIVE_MAGIC = b"!<arch>\n"
ELF_MAGIC = b"\x7fELF"
# Host code of a unit refers by these to the program's one fat binary and to the handle of its registration.
FAT_BINARY_PREFIX = "__hip_fatbin_"
HANDLE_PREFIX = "__hip_gpubin_handle_"
_SHT_SYMTAB = 2
_SHN_UNDEF = 0


class HostObject(NamedTuple):
    """What a relocatable link needs to know about one host object."""

    images: list[DeviceImage]
    undefined: list[str]


def inspect(path: Path) -> list[HostObject]:
    """The objects in an object file or archive; nothing for anything else, such as a linker script."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    if data.startswith(ARCHIVE_MAGIC):
        return [_read_object(member) for member in _archive_members(data) if member.startswith(ELF_MAGIC)]
    return [_read_object(data)] if data.startswith(ELF_MAGIC) else []


def _archive_members(data: bytes) -> Iterator[bytes]:
    """Members of a System V archive: 60-byte headers, size in decimal at 48, even positions (ar(5))."""
    position = len(ARCHIVE_MAGIC)
    while position + 60 <= len(data):
        size = int(data[position + 48 : position + 58])
        yield data[position + 60 : position + 60 + size]
        position += 60 + size + (size & 1)


def _read_object(data: bytes) -> HostObject:
    (section_offset,) = struct.unpack_from("<Q", data, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, section_offset + i * entry_size) for i in range(count)]
    if not headers:
        return HostObject([], [])
    names = headers[names_index][4]
    images: list[DeviceImage] = []
    undefined: list[str] = []
    for header in headers:
        name, kind, _, _, offset, size, link = header[:7]
        if _string(data, names + name) == OFFLOAD_SECTION:
            images += read_offload_binaries(data[offset : offset + size])
        if kind == _SHT_SYMTAB:
            undefined += _undefined_symbols(data[offset : offset + size], data, headers[link][4])
    return HostObject(images, undefined)


def _undefined_symbols(table: bytes, data: bytes, strings: int) -> list[str]:
    names = []
    for name, _, _, section, _, _ in struct.iter_unpack("<IBBHQQ", table):
        if section == _SHN_UNDEF and name:
            names.append(_string(data, strings + name))
    return names


def _string(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode(errors="replace")
