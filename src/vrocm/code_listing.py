"""Instructions of a code object as text, by the decoder of the virtual GPU (gfx90a and gfx942)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .layout import native_dir


class NoDecoder(Exception):
    """The library is not there, or cannot be loaded."""


@dataclass(frozen=True)
class Function:
    begin: int
    end: int
    name: str


@dataclass(frozen=True)
class Instruction:
    address: int
    text: str
    source: str
    """file:line; empty without debug information."""


def functions_of(code_object: bytes) -> list[Function]:
    """In order of address; none where the architecture is another."""
    found = []
    for row in _text("vrocm_code_functions", code_object).splitlines():
        begin, size, name = row.split(" ", 2)
        found.append(Function(int(begin), int(begin) + int(size), name))
    return found


def instructions_of(code_object: bytes, begin: int, end: int) -> Iterator[Instruction]:
    for row in _text("vrocm_code_listing", code_object, begin, end).splitlines():
        address, _, text, source = row.split("\t")
        yield Instruction(int(address), text, source)


@cache
def _library() -> ctypes.CDLL:
    path = native_dir() / "lib" / "libvrocm-sim.so"
    try:
        library = ctypes.CDLL(str(path))
    except OSError as problem:
        raise NoDecoder(f"{path} cannot be loaded: {problem}") from None
    bytes_, size, address = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64
    library.vrocm_code_functions.argtypes = [bytes_, size, bytes_, size]
    library.vrocm_code_listing.argtypes = [bytes_, size, address, address, bytes_, size]
    for function in (library.vrocm_code_functions, library.vrocm_code_listing):
        function.restype = size
    return library


def _text(function: str, elf: bytes, *arguments: int) -> str:
    call = getattr(_library(), function)
    size = call(elf, len(elf), *arguments, None, 0)
    if size == 0:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(elf, len(elf), *arguments, buffer, size)
    return buffer.value.decode("utf-8", "replace")
