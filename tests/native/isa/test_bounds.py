"""The decoder never reads past the bytes it was given."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest
from bare_wave import library
from isa.generated import cases
from isa.table import ARCHS

# Decodes codes that end exactly at a page nobody may read: reading on would end the process.
GUARDED = """
import ctypes, mmap, sys

library = ctypes.CDLL(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
page = mmap.PAGESIZE
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
writable, private = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
base = libc.mmap(None, 2 * page, writable, private, -1, 0)
assert libc.mprotect(ctypes.c_void_p(base + page), ctypes.c_size_t(page), 0) == 0
text = ctypes.create_string_buffer(256)
arch = sys.argv[2].encode()
for line in sys.stdin:
    code = bytes.fromhex(line)
    for size in range(len(code) + 1):
        start = base + page - size
        ctypes.memmove(start, code, size)
        found = library.vrocm_disassemble(
            arch, ctypes.c_void_p(start), ctypes.c_size_t(size), text, ctypes.c_size_t(256)
        )
        expected = len(code) if size == len(code) else 0
        assert found == expected, (line, size, found)
print("done")
"""


@pytest.mark.parametrize("arch", ARCHS)
def test_truncated_instructions_are_refused_without_reading_on(arch: str) -> None:
    codes = sorted({case.assembled.code for case in cases(arch)})[::23]
    script = [sys.executable, "-c", GUARDED, library()._name, arch]
    run = subprocess.run(
        script,
        input="\n".join(code.hex() for code in codes),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout == "done\n"


@pytest.mark.parametrize("arch", ARCHS)
def test_text_is_cut_to_the_buffer(arch: str) -> None:
    code = bytes.fromhex("02070202")  # v_add_f32_e32 v1, v2, v3
    text = ctypes.create_string_buffer(b"#" * 12, 12)
    size = library().vrocm_disassemble(arch.encode(), code, ctypes.c_size_t(4), text, ctypes.c_size_t(6))
    assert size == 4
    assert text.raw == b"v_add\0######"
