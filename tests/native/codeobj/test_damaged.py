"""Damaged device code is read or refused, with a reason; no byte behind it is touched.

The memory that holds it ends at a page that nobody may read. scripts/sanitize runs this, too.
"""

from __future__ import annotations

import contextlib
import ctypes

import pytest
from bare_wave import library
from containers import ZLIB, ZSTD, bundle, compressed
from damage import variants
from device_code import UNKNOWN_SIZE, Refused, code_object_at, summary_at
from guarded import Guarded

from rocm_perf_lab.codeobj.bundles import BadBundle
from rocm_perf_lab.codeobj.elf import NotAnElf
from rocm_perf_lab.codeobj.kernels import code_objects_in
from rocm_perf_lab.codeobj.metadata import NoMetadata, kernels_of_code_object

GPU = "gfx942:sramecc+:xnack-"
ROOM = 1 << 18


def read_all(seed: int, count: int, contents: dict[str, bytes]) -> int:
    """How many were read to their end; a crash is the test's."""
    guarded = Guarded(max(map(len, contents.values())) + 64)
    listing = library().vrocm_code_listing
    listing.argtypes = [
        ctypes.c_void_p,
        ctypes.c_size_t,
        *[ctypes.c_uint64] * 2,
        ctypes.c_char_p,
        ctypes.c_size_t,
    ]
    functions = library().vrocm_code_functions
    functions.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    read = 0
    for _, content in variants(contents, seed, count):
        address = guarded.put(content)
        for size in (len(content), UNKNOWN_SIZE):
            with contextlib.suppress(Refused):
                code_object_at(address, size, GPU, ROOM)
        with contextlib.suppress(Refused):
            summary_at(address, len(content))
            read += 1
        functions(address, len(content), None, 0)
        listing(address, len(content), 0x1000, 0x1400, None, 0)
    guarded.close()
    return read


def images(code_object: bytes) -> dict[str, bytes]:
    plain = bundle({"gfx90a": b"", "gfx942": code_object})
    return {
        "code object": code_object,
        "bundle": plain,
        "zlib": compressed(plain, 2, ZLIB),
        "zstd": compressed(plain, 3, ZSTD),
        "zstd, version 1": compressed(plain, 1, ZSTD),
    }


def test_any_bytes(code_object: bytes) -> None:
    read = read_all(1, 2500, images(code_object))
    assert 20 < read < 500  # of 500 code objects some are still whole, and most are not


def test_every_cut(code_object: bytes) -> None:
    guarded = Guarded(len(code_object))
    for size in range(0, len(code_object), 7):
        address = guarded.put(code_object[:size])
        with pytest.raises(Refused):
            code_object_at(address, UNKNOWN_SIZE, GPU, ROOM)
        with contextlib.suppress(Refused):
            summary_at(address, size)
    guarded.close()


@pytest.mark.survey
@pytest.mark.parametrize("seed", range(2, 10))
def test_very_many_bytes(code_object: bytes, seed: int) -> None:
    assert read_all(seed, 50_000, images(code_object))


def product_reads(seed: int, count: int, contents: dict[str, bytes]) -> None:
    for _, content in variants(contents, seed, count):
        with contextlib.suppress(BadBundle, NotAnElf, NoMetadata):
            for code in code_objects_in(content):
                kernels_of_code_object(code)


def test_the_product_reads_any_bytes(code_object: bytes) -> None:
    product_reads(1, 1500, images(code_object))


@pytest.mark.survey
@pytest.mark.parametrize("seed", range(2, 6))
def test_the_product_reads_very_many_bytes(code_object: bytes, seed: int) -> None:
    product_reads(seed, 30_000, images(code_object))
