"""The parts of a 64-bit little-endian ELF file that kernels are found by: sections, notes and symbols.

Every offset in a file is a claim: each is checked, and one that leads outside the file raises NotAnElf.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

MAGIC = b"\x7fELF"
MACHINE_AMDGPU = 224  # EM_AMDGPU
_SECTION_NOTE, _SECTION_NOBITS = 7, 8
_SYMBOL_TABLES = (2, 11)  # SHT_SYMTAB, SHT_DYNSYM
_SEGMENT_NOTE = 4

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_NOTE = struct.Struct("<III")


class NotAnElf(ValueError):
    """Not a 64-bit little-endian ELF file, or a damaged one."""


class ElfSection(NamedTuple):
    name_offset: int
    kind: int
    offset: int
    size: int
    link: int


class Symbol(NamedTuple):
    name: str
    kind: int
    """1: data, 2: a function."""
    section: int
    """0: it is defined elsewhere."""
    address: int
    size: int


class Elf:
    def __init__(self, data: bytes | memoryview) -> None:
        self.data = memoryview(data)
        if bytes(self.data[:4]) != MAGIC:
            raise NotAnElf("it is no ELF file")
        if len(self.data) < _HEADER.size:
            raise NotAnElf("it ends within its header")
        if bytes(self.data[4:6]) != b"\x02\x01":
            raise NotAnElf("it is not 64-bit little-endian")
        fields = _HEADER.unpack_from(self.data)
        self.machine: int = fields[2]
        self.abi_version = self.data[8]
        self.flags: int = fields[7]
        segments_at, sections_at = fields[5], fields[6]
        segment_size, segments, section_size, sections, self._names_index = fields[9:14]
        self._segments = [
            (fields[0], fields[2], fields[5])  # type, offset, size in the file
            for fields in self._table(_SEGMENT, segments_at, segment_size, segments)
        ]
        self.sections = [
            ElfSection(name, kind, offset, size, link)
            for name, kind, _, _, offset, size, link, *_ in self._table(
                _SECTION, sections_at, section_size, sections
            )
        ]

    def named_sections(self, name: str) -> list[memoryview]:
        """Contents of all sections of a name."""
        if self._names_index >= len(self.sections):
            return []
        names = self._content(self.sections[self._names_index])
        return [
            self._content(section)
            for section in self.sections
            if section.kind != _SECTION_NOBITS and _text(names, section.name_offset) == name.encode()
        ]

    def notes(self) -> Iterator[tuple[bytes, int, bytes]]:
        """(owner, type, content) of each note."""
        areas = [(offset, size) for kind, offset, size in self._segments if kind == _SEGMENT_NOTE] or [
            (section.offset, section.size) for section in self.sections if section.kind == _SECTION_NOTE
        ]
        for offset, size in areas:
            area = self._slice(offset, size)
            at = 0
            while at + _NOTE.size <= len(area):
                name_size, content_size, kind = _NOTE.unpack_from(area, at)
                name_at = at + _NOTE.size
                content_at = name_at + -(-name_size // 4) * 4
                at = content_at + -(-content_size // 4) * 4
                if content_at + content_size > len(area):
                    raise NotAnElf("a note ends outside the file")
                name = bytes(area[name_at : name_at + name_size]).rstrip(b"\0")
                yield name, kind, bytes(area[content_at : content_at + content_size])

    def symbol_sizes(self) -> Iterator[tuple[str, int]]:
        for symbol in self.symbols():
            if symbol.size:
                yield symbol.name, symbol.size

    def symbols(self) -> Iterator[Symbol]:
        """Those with a name, of all tables."""
        for table in self.sections:
            if table.kind not in _SYMBOL_TABLES or table.link >= len(self.sections):
                continue
            symbols, names = self._content(table), self._content(self.sections[table.link])
            for at in range(0, len(symbols) - _SYMBOL.size + 1, _SYMBOL.size):
                name, info, _, section, value, size = _SYMBOL.unpack_from(symbols, at)
                if name:
                    text = _text(names, name).decode(errors="replace")
                    yield Symbol(text, info & 15, section, value, size)

    def _table(self, layout: struct.Struct, offset: int, size: int, count: int) -> Iterator[tuple[int, ...]]:
        if count and size < layout.size:
            raise NotAnElf("a table has entries that are too short")
        area = self._slice(offset, size * count) if count else self.data[:0]
        for index in range(count):
            yield layout.unpack_from(area, index * size)

    def _content(self, section: ElfSection) -> memoryview:
        return self.data[:0] if section.kind == _SECTION_NOBITS else self._slice(section.offset, section.size)

    def _slice(self, offset: int, size: int) -> memoryview:
        if offset + size > len(self.data):
            raise NotAnElf("it ends before its contents do: is it truncated?")
        return self.data[offset : offset + size]


def _text(names: memoryview, offset: int) -> bytes:
    if offset >= len(names):
        raise NotAnElf("a name lies outside the file")
    return bytes(names[offset : offset + 4096]).split(b"\0", 1)[0]
