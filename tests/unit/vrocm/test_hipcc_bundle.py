"""The containers that hipcc puts device code in."""

from __future__ import annotations

import struct

import pytest

from vrocm.hipcc.bundle import (
    DeviceImage,
    read_bundle,
    read_offload_binaries,
    write_bundle,
    write_offload_binary,
)

IMAGES = [DeviceImage("gfx90a", b"\x7fELF" + b"a" * 5000), DeviceImage("gfx942:xnack-", b"\x7fELFb")]


def test_bundle_round_trip() -> None:
    assert read_bundle(write_bundle(IMAGES)) == IMAGES


def test_bundle_layout_is_clangs() -> None:
    data = write_bundle(IMAGES)
    assert data[:24] == b"__CLANG_OFFLOAD_BUNDLE__"
    assert struct.unpack_from("<Q", data, 24) == (3,)
    position = 32
    names = []
    for _ in range(3):
        offset, size, name_size = struct.unpack_from("<QQQ", data, position)
        names.append(data[position + 24 : position + 24 + name_size].decode())
        position += 24 + name_size
        assert offset % 4096 == 0
        assert offset + size <= len(data)
    assert names == [
        "host-x86_64-unknown-linux-gnu-",
        "hipv4-amdgcn-amd-amdhsa--gfx90a",
        "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-",
    ]


def test_other_data_is_not_a_bundle() -> None:
    with pytest.raises(ValueError, match="not an offload bundle"):
        read_bundle(b"\x7fELF")


def test_offload_binaries_can_follow_each_other() -> None:
    section = b"".join(write_offload_binary(image) for image in IMAGES)
    assert len(section) % 8 == 0
    assert read_offload_binaries(section) == IMAGES
    assert read_offload_binaries(b"") == []
    with pytest.raises(ValueError, match="no offload binary at offset 0"):
        read_offload_binaries(b"x" * 64)
