"""Accesses outside what a kernel may touch: always a fault that names place and lane, never a crash."""

from __future__ import annotations

import access_cases as cases
import numpy as np
import pytest
from bare_wave import ALL, LANE, LANES, MEMORY_VIOLATION, NONE, Memory, Wave, assemble

WILD = [
    0,
    8,
    0x1000,
    0x7FFF_FFFF_F000,
    (1 << 47) - 8,
    1 << 47,
    (1 << 48) - 4,
    3 << 48,
    (1 << 63) - 2,
    1 << 63,
    (1 << 64) - 4,
]
ACCESSES = {
    "global_load_dword v8, v[2:3], off": 4,
    "global_load_dwordx4 v[8:11], v[2:3], off": 16,
    "global_load_ubyte v8, v[2:3], off": 1,
    "global_store_dword v[2:3], v8, off": 4,
    "global_store_dwordx3 v[2:3], v[8:10], off": 12,
    "global_store_short v[2:3], v8, off": 2,
    "global_atomic_add v[2:3], v8, off": 4,
    "global_atomic_add_x2 v16, v[2:3], v[8:9], off sc0".replace("v16", "v[16:17]"): 8,
    "flat_load_dwordx2 v[8:9], v[2:3]": 8,
    "flat_store_dwordx4 v[2:3], v[8:11]": 16,
    "flat_atomic_add v[2:3], v8": 4,
    "global_load_lds_dword v[2:3], off": 4,
}


@pytest.fixture(scope="module")
def programs() -> dict[str, bytes]:
    return dict(zip(ACCESSES, assemble("gfx942", list(ACCESSES)), strict=True))


@pytest.mark.parametrize("text", ACCESSES)
def test_wild_addresses(programs: dict[str, bytes], text: str) -> None:
    memory = Memory(np.zeros(4096, dtype=np.uint8))
    for address in WILD:
        for lane in (None, 0, 17, 63):
            wave = Wave(memory=memory)
            wave.set_v64(2, memory.address + LANE * 16)
            places = wave.v64(2)
            places[slice(None) if lane is None else lane] = address
            wave.set_v64(2, places)
            assert wave.run(programs[text]) == MEMORY_VIOLATION, hex(address)
            assert f"thread:       ({lane or 0},0,0)" in wave.message
            assert f"{address:#x}" in wave.message


@pytest.mark.parametrize("text", ACCESSES)
def test_wild_addresses_of_inactive_lanes_do_not_matter(programs: dict[str, bytes], text: str) -> None:
    memory = Memory(np.zeros(4096, dtype=np.uint8))
    mask = 0x00FF_00F0_0FFF_F00E
    for address in WILD:
        wave = Wave(memory=memory)
        active = np.array([mask >> lane & 1 for lane in range(LANES)], dtype=bool)
        wave.set_v64(
            2, np.where(active, np.uint64(memory.address) + (LANE * 16).astype(np.uint64), np.uint64(address))
        )
        wave.exec = mask
        assert wave.run(programs[text]) == NONE, wave.message


@pytest.mark.parametrize("text", ACCESSES)
def test_the_last_bytes_of_a_block(programs: dict[str, bytes], text: str) -> None:
    """Lane after lane up to the very end is fine; one byte more is not."""
    size = ACCESSES[text]
    for count in (64, 40, 1):
        memory = Memory(np.zeros(size * count + size, dtype=np.uint8))
        start = memory.address + (-memory.address % size if size in (4, 8) else 0)
        memory_end = memory.address + memory.bytes.size
        first = memory_end - size * count if "atomic" not in text else start
        wave = Wave(memory=memory)
        wave.set_v64(2, first + LANE * size)
        wave.exec = ALL >> (64 - count)
        assert wave.run(programs[text]) == NONE, wave.message
        wave = Wave(memory=memory)
        wave.set_v64(2, memory_end - size * count + size + LANE * size)
        wave.exec = ALL >> (64 - count)
        assert wave.run(programs[text]) == MEMORY_VIOLATION
        assert f"thread:       ({count - 1},0,0)" in wave.message


def test_before_the_first_byte() -> None:
    load, store = assemble(
        "gfx942", ["global_load_dword v8, v2, s[32:33]", "global_store_dword v2, v8, s[32:33]"]
    )
    memory = Memory(np.zeros(1024, dtype=np.uint8))
    for program in (load, store):
        for mask, kind in ((ALL, MEMORY_VIOLATION), (ALL << 1 & ALL, NONE)):
            wave = Wave(memory=memory)
            wave.v[2] = LANE * 4
            wave.set_s64(32, memory.address - 4)
            wave.exec = mask
            assert wave.run(program) == kind


def test_code_is_readable_but_not_writable() -> None:
    read, write = assemble(
        "gfx942",
        [
            "s_getpc_b64 s[32:33]\nv_mov_b32 v2, 0\nglobal_load_dword v8, v2, s[32:33]",
            "s_getpc_b64 s[32:33]\nv_mov_b32 v2, 0\nglobal_store_dword v2, v8, s[32:33]",
        ],
    )
    wave = Wave()
    assert wave.run(read) == NONE
    assert wave.v[8, 0] == int.from_bytes(read[4:8], "little")
    assert Wave().run(write) == MEMORY_VIOLATION


def test_random_addresses_never_crash(programs: dict[str, bytes]) -> None:
    generator = np.random.default_rng(1)
    memory = Memory(cases.random_words(256, 1))
    for _ in range(200):
        for program in programs.values():
            wave = Wave(memory=memory)
            shift = generator.integers(0, 60)
            wave.set_v64(2, generator.integers(0, 1 << 63, LANES, dtype=np.uint64) >> np.uint64(shift))
            wave.exec = int(generator.integers(0, 1 << 62)) | 1
            assert wave.run(program) == MEMORY_VIOLATION
