"""SMEM: loads, stores, buffers, clocks, cache control."""

from __future__ import annotations

import access_cases as cases
import numpy as np
import pytest
from bare_wave import MEMORY_VIOLATION, NONE, UNSUPPORTED, Memory, Wave, assemble, instructions
from memory_reference import INTEGER_ATOMICS

ARCHES = ["gfx942", "gfx90a"]
WIDTHS = {"": 1, "x2": 2, "x4": 4, "x8": 8, "x16": 16}
CACHE = {
    "s_dcache_inv": "s_dcache_inv",
    "s_dcache_wb": "s_dcache_wb",
    "s_dcache_inv_vol": "s_dcache_inv_vol",
    "s_dcache_wb_vol": "s_dcache_wb_vol",
    "s_dcache_discard": "s_dcache_discard s[32:33], 0",
    "s_dcache_discard_x2": "s_dcache_discard_x2 s[32:33], 0",
    "s_atc_probe": "s_atc_probe 1, s[32:33], 0",
    "s_atc_probe_buffer": "s_atc_probe_buffer 1, s[36:39], 0",
}
SCRATCH = {f"s_scratch_{k}_dword{w}" for k in ("load", "store") for w in ("", "x2", "x4")}


def span(first: int, count: int) -> str:
    return f"s{first}" if count == 1 else f"s[{first}:{first + count - 1}]"


@pytest.mark.parametrize("arch", ARCHES)
def test_every_instruction_is_covered(arch: str) -> None:
    covered = {f"s_{b}load_dword{w}" for b in ("", "buffer_") for w in WIDTHS}
    covered |= {f"s_{b}store_dword{w}" for b in ("", "buffer_") for w in ("", "x2", "x4")}
    covered |= {f"s_{b}{name}" for b in ("", "buffer_") for name in INTEGER_ATOMICS}
    covered |= set(CACHE) | SCRATCH | {"s_memtime", "s_memrealtime"}
    assert instructions(arch, "SMEM") == covered


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("arch", ARCHES)
def test_loads(arch: str, width: str) -> None:
    count = WIDTHS[width]
    target = span(48, count)
    forms = {
        "s[32:33], 0x0": 0,
        "s[32:33], 0x40": 64,
        "s[32:33], -0x20": -32,
        "s[32:33], s40": 100,
        "s[32:33], s40 offset:0x8": 108,
    }
    memory = Memory(cases.random_words(256, 1))
    start = 256
    for offset, program in zip(
        forms.values(), assemble(arch, [f"s_load_dword{width} {target}, {f}" for f in forms]), strict=True
    ):
        for low_bits in (0, 3):  # not part of the address
            wave = Wave(arch, memory)
            wave.set_s64(32, memory.address + start + low_bits)
            wave.s[40] = 100
            expected = wave.s.copy()
            expected[48 : 48 + count] = memory.view(np.uint32)[(start + offset) // 4 :][:count]
            assert wave.run(program) == 0, wave.message
            assert np.array_equal(wave.s, expected)


def test_load_may_replace_its_address() -> None:
    (program,) = assemble("gfx942", ["s_load_dwordx4 s[32:35], s[32:33], 0x10"])
    memory = Memory(cases.random_words(64, 1))
    wave = Wave(memory=memory)
    wave.set_s64(32, memory.address)
    assert wave.run(program) == 0
    assert np.array_equal(wave.s[32:36], memory.view(np.uint32)[4:8])


@pytest.mark.parametrize("width", ["", "x2", "x4"])
def test_stores(width: str) -> None:
    count = WIDTHS[width]
    plain, buffered = assemble(
        "gfx90a",
        [
            f"s_store_dword{width} {span(48, count)}, s[32:33], 0x20",
            f"s_buffer_store_dword{width} {span(48, count)}, s[36:39], s40",
        ],
    )
    for program, place, records in ((plain, 8, 0), (buffered, 5, 1024), (buffered, 5, 24), (buffered, 5, 20)):
        memory = Memory(np.zeros(64, dtype=np.uint32))
        wave = Wave("gfx90a", memory)
        wave.set_s64(32, memory.address)
        wave.set_s64(36, memory.address)
        wave.s[38], wave.s[40] = records, 20
        wave.s[48:52] = [11, 12, 13, 14]
        expected = np.zeros(64, dtype=np.uint32)
        for i in range(count):
            if program is plain or (place + i) * 4 + 4 <= records:
                expected[place + i] = 11 + i
        assert wave.run(program) == 0, wave.message
        assert np.array_equal(memory.view(np.uint32), expected)


@pytest.mark.parametrize("width", WIDTHS)
def test_buffer_loads(width: str) -> None:
    count = WIDTHS[width]
    (program,) = assemble("gfx942", [f"s_buffer_load_dword{width} {span(48, count)}, s[36:39], s40"])
    memory = Memory(cases.random_words(256, 2))
    for stride, records in ((0, 1024), (0, 40), (8, 5), (12, 3), (0, 0)):
        wave = Wave(memory=memory)
        wave.set_s64(36, memory.address | stride << 48)
        wave.s[38], wave.s[40] = records, 20
        limit = stride * records if stride else records
        words = memory.view(np.uint32)[5 : 5 + count]
        inside = 20 + 4 * np.arange(count) + 4 <= limit
        assert wave.run(program) == 0, wave.message
        assert np.array_equal(wave.s[48 : 48 + count], np.where(inside, words, 0))


@pytest.mark.parametrize("address", [0, 0x1000, 1 << 47, 1 << 48, (1 << 64) - 4])
def test_wild_addresses_are_faults(address: int) -> None:
    for program in assemble(
        "gfx90a",
        [
            "s_load_dwordx16 s[48:63], s[32:33], 0",
            "s_store_dword s48, s[32:33], 0",
            "s_atomic_add s48, s[32:33], 0",
        ],
    ):
        wave = Wave("gfx90a")
        wave.set_s64(32, address)
        assert wave.run(program) == MEMORY_VIOLATION


def test_end_of_block() -> None:
    (program,) = assemble("gfx942", ["s_load_dwordx4 s[48:51], s[32:33], 0"])
    memory = Memory(np.arange(8, dtype=np.uint32))
    for offset, kind in ((16, NONE), (20, MEMORY_VIOLATION), (-4, MEMORY_VIOLATION)):
        wave = Wave(memory=memory)
        wave.set_s64(32, memory.address + offset)
        assert wave.run(program) == kind


@pytest.mark.parametrize("name", ["s_memtime", "s_memrealtime"])
def test_clocks_advance(name: str) -> None:
    (program,) = assemble("gfx942", [f"{name} s[48:49]\n" + "s_nop 0\n" * 50 + f"{name} s[50:51]"])
    wave = Wave()
    assert wave.run(program) == 0
    assert wave.s64(50) > wave.s64(48)


def test_waiting_for_a_clock_ends() -> None:
    (program,) = assemble(
        "gfx942",
        [
            """
            s_memrealtime s[48:49]
            wait:
            s_memrealtime s[50:51]
            s_sub_u32 s52, s50, s48
            s_cmp_lt_u32 s52, 100
            s_cbranch_scc1 wait
            """
        ],
    )
    assert Wave().run(program) == 0


def test_cache_control_changes_nothing() -> None:
    for program in assemble("gfx942", [f"{text}\ns_mov_b32 s8, 5" for text in CACHE.values()]):
        wave = Wave()
        assert wave.run(program) == 0
        assert wave.s[8] == 5


def test_scalar_scratch_is_refused_by_name() -> None:
    texts = [f"{n} {span(48, WIDTHS[n.split('dword')[1]])}, s[32:33], 0" for n in sorted(SCRATCH)]
    for name, program in zip(sorted(SCRATCH), assemble("gfx90a", texts), strict=True):
        wave = Wave("gfx90a")
        assert wave.run(program) == UNSUPPORTED
        assert name in wave.message
