"""The disassembler under test."""

from __future__ import annotations

import ctypes

from bare_wave import library


def disassemble(arch: str, code: bytes) -> tuple[int, str]:
    """Size in bytes and text of the first instruction; (0, "") if the bytes are none."""
    text = ctypes.create_string_buffer(256)
    size = library().vrocm_disassemble(
        arch.encode(), code, ctypes.c_size_t(len(code)), text, ctypes.c_size_t(len(text))
    )
    return size, text.value.decode()


def instruction_list(arch: str) -> list[tuple[str, str]]:
    """(mnemonic, format) of every instruction."""
    listing = library().vrocm_instruction_list
    listing.restype = ctypes.c_char_p
    lines = listing(arch.encode()).decode().splitlines()
    return [(line.split()[0], line.split()[1]) for line in lines]
