"""The kernel that does nothing: one instruction differs, where the descriptor says that the code begins."""

from __future__ import annotations

import struct

import pytest

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.replaying.proof.negative_control import without_effect


def code_object(name: str = "k", code_at: int = 0x1800, code_offset: int = 0x800) -> bytes:
    """Descriptor at address 0x1040 (byte 0x440), code at an address that is not its place in the file."""
    descriptor = bytearray(64)
    struct.pack_into("<q", descriptor, 16, code_at - 0x1040)
    strings = b"\0" + name.encode() + b".kd\0"
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x11, 0, 1, 0x1040, 64)
    file = bytearray(0xA00)
    segments = struct.pack("<IIQQQQQQ", 1, 4, 0x400, 0x1000, 0, 0x100, 0x100, 0x1000)
    segments += struct.pack("<IIQQQQQQ", 1, 5, code_offset, code_at, 0, 0x100, 0x100, 0x1000)
    file[64 : 64 + len(segments)] = segments
    file[0x200 : 0x200 + len(symbols)] = symbols
    file[0x300 : 0x300 + len(strings)] = strings
    sections = bytes(64)
    sections += struct.pack("<IIQQQQIIQQ", 0, 11, 0, 0, 0x200, len(symbols), 2, 1, 8, 24)
    sections += struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 0x300, len(strings), 0, 0, 1, 0)
    file[0x900 : 0x900 + len(sections)] = sections
    file[0x440:0x480] = descriptor
    file[0x800:0x804] = b"\xaa" * 4
    file[:64] = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, 224, 1, 0, 64, 0x900, 0, 64, 56, 2, 64, 3, 0
    )
    return bytes(file)


@pytest.mark.parametrize(
    ("architecture", "word"), [("gfx942", 0xBF810000), ("gfx90a:xnack-", 0xBF810000), ("gfx1100", 0xBFB00000)]
)
def test_one_word_differs(architecture: str, word: int) -> None:
    original = code_object()
    changed = without_effect(original, "k", architecture)
    assert len(changed) == len(original)
    different = [at for at in range(len(original)) if original[at] != changed[at]]
    assert set(different) <= set(range(0x800, 0x804))
    assert struct.unpack_from("<I", changed, 0x800) == (word,)


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF", code_object("other"), code_object(code_at=0x9000, code_offset=0x9FE)]
)
def test_what_has_no_such_kernel_is_refused(content: bytes) -> None:
    with pytest.raises(BadInput):
        without_effect(content, "k", "gfx942")
