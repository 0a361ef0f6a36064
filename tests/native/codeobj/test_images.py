"""Runtime and product take the same code object out of every container that it was put into."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from containers import ZLIB, ZSTD, bundle, compressed
from device_code import UNKNOWN_SIZE, Refused, code_object_at, code_object_in, summary
from guarded import Guarded

from rocm_perf_lab.codeobj.bundles import BadBundle
from rocm_perf_lab.codeobj.kernels import code_objects_in

GPU = "gfx942:sramecc+:xnack-"
ABI_VERSION, FLAGS = 8, 48
GFX942, GFX90A, GENERIC = 0x4C, 0x3F, 0x5F
XNACK_OFF, XNACK_ON, SRAMECC_ON = 0x200, 0x300, 0xC00


def with_flags(code_object: bytes, flags: int) -> bytes:
    return code_object[:FLAGS] + struct.pack("<I", flags) + code_object[FLAGS + 4 :]


CONTAINERS = {
    "code object": lambda code: code,
    "bundle": lambda code: bundle({"gfx942": code}),
    **{
        f"version {version}, {name}": lambda code, version=version, method=method: compressed(
            bundle({"gfx90a": b"not looked at", "gfx942": code}), version, method
        )
        for version in (1, 2, 3)
        for name, method in (("zlib", ZLIB), ("zstd", ZSTD))
    },
}


@pytest.mark.parametrize("form", CONTAINERS)
def test_every_container(form: str, code_object: bytes) -> None:
    image = CONTAINERS[form](code_object)
    assert code_object_in(image) == code_object
    guarded = Guarded(len(image))
    assert code_object_at(guarded.put(image), UNKNOWN_SIZE, GPU, 1 << 20) == code_object
    guarded.close()
    assert list(code_objects_in(image, "gfx942")) == [code_object]


def test_what_follows_is_left_alone(code_object: bytes) -> None:
    """Images in memory have other data behind them."""
    for image in (code_object, compressed(bundle({"gfx942": code_object}), 1, ZSTD)):
        assert code_object_in(image + b"something else" * 500) == code_object


@pytest.mark.parametrize(
    ("targets", "chosen"),
    [
        (["gfx90a", "gfx942"], "gfx942"),
        (["gfx942:xnack-", "gfx942"], "gfx942:xnack-"),
        (["gfx942", "gfx942:sramecc+:xnack-", "gfx942:xnack-"], "gfx942:sramecc+:xnack-"),
        (["gfx942:xnack+", "gfx9-4-generic"], "gfx9-4-generic"),
        (["gfx942:xnack+", "gfx90a", "gfx942:sramecc-"], None),
    ],
)
def test_the_closest_of_a_bundle(targets: list[str], chosen: str | None) -> None:
    image = bundle({target: target.encode() for target in targets})
    for form in (image, compressed(image, 3, ZSTD)):
        if chosen is None:
            with pytest.raises(Refused, match="no code for this target"):
                code_object_in(form)
        else:
            assert code_object_in(form).decode() == chosen


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (b"", "neither"),
        (b"\x7fELF", "ends before"),
        (b"#!/bin/sh\n" * 30, "neither"),
        (b"__CLANG_OFFLOAD_BUNDLE__" + b"\xff" * 80, "too many entries"),
        (compressed(b"not a bundle", 2, ZSTD), "no offload bundle"),
        (compressed(bundle({}), 2, 7), "method 7"),
        (compressed(bundle({}), 2, ZSTD).replace(b"CCOB\2", b"CCOB\4"), "version 4"),
        (compressed(bundle({}), 3, ZLIB)[:-3], "ends before"),
        (compressed(bundle({}), 1, ZLIB)[:-3], "too early"),
    ],
)
def test_refused_by_name(image: bytes, words: str, code_object: bytes) -> None:
    with pytest.raises(Refused, match=words):
        code_object_in(image)


def test_a_promise_that_is_not_kept(code_object: bytes) -> None:
    for version, method in ((2, ZLIB), (3, ZSTD)):
        whole = compressed(bundle({"gfx942": code_object}), version, method)
        at, size = (12, 4) if version == 2 else (16, 8)
        for change in (-1, 1):
            honest = int.from_bytes(whole[at : at + size], "little")
            lie = whole[:at] + (honest + change).to_bytes(size, "little") + whole[at + size :]
            with pytest.raises(Refused):
                code_object_in(lie)
            with pytest.raises(BadBundle):
                list(code_objects_in(lie))


def test_targets_are_those_of_the_header(code_object: bytes) -> None:
    for flags, target in (
        (GFX942, "gfx942"),
        (GFX942 | SRAMECC_ON | XNACK_OFF, "gfx942:sramecc+:xnack-"),
        (GFX90A | XNACK_ON, "gfx90a:xnack+"),
        (GENERIC, "gfx9-4-generic"),
        (0xEE, "processor-0xee"),
    ):
        text = summary(with_flags(code_object, flags))
        assert text.splitlines()[0] == f"amdgcn-amd-amdhsa--{target}"
    assert {"symbol add.kd 64", "symbol table 64", "kernel twice.kd", "relocations 1"} <= set(
        text.splitlines()
    )


def test_all_targets_have_one_name(code_object: bytes, tmp_path: Path) -> None:
    """Two tables, one in each language: every processor in every setting of its features."""
    from rocm_perf_lab.codeobj.target import target_of

    for flags in range(0x1000):
        wanted = target_of(flags, code_object[ABI_VERSION])
        assert summary(with_flags(code_object, flags)).split("\n", 1)[0] == f"amdgcn-amd-amdhsa--{wanted}"
