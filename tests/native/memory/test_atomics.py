"""FLAT, GLOBAL, MUBUF and SMEM read-modify-write instructions, with and without the old value."""

from __future__ import annotations

from functools import cache

import access_cases as cases
import numpy as np
import pytest
from bare_wave import LANE, LANES, MEMORY_VIOLATION, MISALIGNED, Memory, Wave, assemble, instructions
from memory_reference import GFX90A_ADD_F32, INTEGER_ATOMICS, MEMORY_ATOMICS, Atomic
from tests.table_rows import rows

ARCHES = ["gfx942", "gfx90a"]
PREFIX = {"global vaddr": "global", "global saddr": "global", "flat": "flat", "buffer": "buffer"}
PLACE = {
    "global vaddr": "{d}v[2:3], {a}, off offset:-8",
    "global saddr": "{d}v2, {a}, s[32:33] offset:-8",
    "flat": "{d}v[2:3], {a} offset:8",
    "buffer": "{a}, v2, s[36:39], 0 offen offset:8",
}
OFFSET = {"global vaddr": -8, "global saddr": -8, "flat": 8, "buffer": 8}
DATA, RESULT = 8, 16


def span(first: int, dwords: int) -> str:
    return f"v{first}" if dwords == 1 else f"v[{first}:{first + dwords - 1}]"


def text(arch: str, form: str, name: str, atomic: Atomic, returns: bool) -> str:
    dwords = atomic.bytes // 4
    destination = span(RESULT, dwords) + ", " if returns and form != "buffer" else ""
    operands = PLACE[form].format(d=destination, a=span(DATA, dwords * atomic.operands))
    flag = (" sc0" if arch == "gfx942" else " glc") if returns else ""
    return f"{PREFIX[form]}_{name} {operands}{flag}"


def in_table(arch: str, form: str, name: str) -> bool:
    return f"{PREFIX[form]}_{name}" in instructions(arch, "FLAT", "GLOBAL", "MUBUF")


@cache
def atomics() -> list[tuple[str, str, str]]:
    return [(a, f, n) for a in ARCHES for f in PREFIX for n in MEMORY_ATOMICS if in_table(a, f, n)]


@cache
def code(arch: str) -> dict[tuple[str, str, bool], bytes]:
    wanted = [(f, n, r) for a, f, n in atomics() if a == arch for r in (False, True)]
    texts = [text(arch, f, n, MEMORY_ATOMICS[n], r) for f, n, r in wanted]
    return dict(zip(wanted, assemble(arch, texts), strict=True))


@pytest.mark.parametrize("arch", ARCHES)
def test_every_atomic_is_covered(arch: str) -> None:
    table = {n for n in instructions(arch, "FLAT", "GLOBAL", "MUBUF") if "_atomic_" in n}
    assert table == {f"{PREFIX[f]}_{n}" for a, f, n in atomics() if a == arch}


FLOAT_BITS = {
    "f32": [
        0,
        0x80000000,
        0x3F800000,
        0xBF800000,
        0x7F800000,
        0xFF800000,
        0x7FC00000,
        1,
        0x80000001,
        0x7F7FFFFF,
    ],
    "f64": [0, 1 << 63, 0x3FF << 52, 0xBFF << 52, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, 1, (1 << 63) + 1],
    "f16": [0x3C003C00, 0x80000000, 0x7C00FC00, 0x7BFF7BFF, 0x00010001, 0x04003C01],
    "bf16": [0x3F803F80, 0x80000000, 0x7F80FF80, 0x7F7F7F7F, 0x00010001, 0x00803F81],
}


def values(atomic: Atomic, count: int, seed: int) -> np.ndarray:
    """Interesting bits: floats with special cases, small integers so that comparisons meet equal values."""
    generator = np.random.default_rng(seed)
    dtype = np.uint64 if atomic.bytes == 8 else np.uint32
    if atomic.floating:
        special = np.array(FLOAT_BITS[atomic.floating], dtype=dtype)
        ordinary = generator.normal(size=count)
        if atomic.floating in ("f32", "f64"):
            bits = ordinary.astype(np.float32 if dtype is np.uint32 else np.float64).view(dtype)
        else:
            halves = ordinary.astype(np.float16).view(np.uint16).astype(np.uint32)
            if atomic.floating == "bf16":
                halves = ordinary.astype(np.float32).view(np.uint32) >> 16
            bits = halves | np.roll(halves, 1) << 16
        return np.where(generator.random(count) < 0.4, generator.choice(special, count), bits)
    small = generator.integers(0, 6, count, dtype=dtype)
    wide = generator.integers(0, np.iinfo(dtype).max, count, dtype=dtype, endpoint=True)
    return np.where(generator.random(count) < 0.5, small, wide)


def same(result: int, expected: int, atomic: Atomic) -> bool:
    """Equal bits, or both not numbers: which NaN comes out is not specified."""
    if result == expected or not atomic.floating:
        return result == expected
    if atomic.floating in ("f32", "f64"):
        kind = np.float32 if atomic.bytes == 4 else np.float64
        unsigned = np.uint32 if atomic.bytes == 4 else np.uint64
        pair = np.array([result, expected], dtype=unsigned).view(kind)
        return bool(np.isnan(pair).all())
    limit = 0x7C00 if atomic.floating == "f16" else 0x7F80
    halves = [(result & 0xFFFF, expected & 0xFFFF), (result >> 16, expected >> 16)]
    return all(r == e or (r & 0x7FFF > limit and e & 0x7FFF > limit) for r, e in halves)


@rows("arch, form, name", atomics)
def test_atomic(arch: str, form: str, name: str) -> None:
    atomic = GFX90A_ADD_F32 if (arch, name) == ("gfx90a", "atomic_add_f32") else MEMORY_ATOMICS[name]
    dtype = np.uint64 if atomic.bytes == 8 else np.uint32
    for seed, mask in enumerate(cases.masks(5).values()):
        memory = Memory(values(atomic, 64, seed))
        wave = Wave(arch, memory)
        place = np.random.default_rng(seed).integers(0, 24, LANES)  # lanes collide
        at = place * atomic.bytes - OFFSET[form]
        wave.set_v64(2, memory.address + at)
        if form in ("global saddr", "buffer"):
            wave.v[2] = (at + 64).astype(np.uint32)
        wave.set_s64(32, memory.address - 64)
        wave.set_s64(36, memory.address - 64)
        wave.s[38] = 4096
        first, second = values(atomic, 64, seed + 50), values(atomic, 64, seed + 60)
        if atomic.bytes == 8:
            wave.set_v64(DATA, first)
            wave.set_v64(DATA + 2, second)
        else:
            wave.v[DATA], wave.v[DATA + 1] = first, second
        wave.exec = mask
        returns = seed % 2 == 0
        result = DATA if form == "buffer" else RESULT
        before = wave.v.copy()
        expected, olds = memory.view(dtype).copy(), {}
        for lane in cases.lanes(mask):
            olds[lane] = int(expected[place[lane]])
            expected[place[lane]] = atomic.combine(olds[lane], int(first[lane]), int(second[lane]))
        assert wave.run(code(arch)[form, name, returns]) == 0, wave.message
        after = memory.view(dtype)
        assert all(same(int(a), int(e), atomic) for a, e in zip(after, expected, strict=True)), (mask, seed)
        got = wave.v64(result) if atomic.bytes == 8 else wave.v[result]
        if returns:
            assert all(same(int(got[lane]), old, atomic) for lane, old in olds.items())
            before[result : result + atomic.bytes // 4] = wave.v[result : result + atomic.bytes // 4]
        assert np.array_equal(wave.v, before)


def test_misaligned_and_outside() -> None:
    add, add64 = assemble(
        "gfx942", ["global_atomic_add v2, v8, s[32:33]", "global_atomic_add_x2 v2, v[8:9], s[32:33]"]
    )
    memory = Memory(np.zeros(64, dtype=np.uint64))
    for program, offset, kind in (
        (add, 2, MISALIGNED),
        (add64, 4, MISALIGNED),
        (add, 1 << 20, MEMORY_VIOLATION),
    ):
        wave = Wave(memory=memory)
        wave.set_s64(32, memory.address)
        wave.v[2, 40] = offset
        assert wave.run(program) == kind
        assert "40" in wave.message


SCALAR_CASES = [(a, b, n) for a in ARCHES for b in ("s_", "s_buffer_") for n in INTEGER_ATOMICS]


@cache
def scalar_code(arch: str) -> dict[tuple[str, str, bool], bytes]:
    texts = {}
    for prefix in ("s_", "s_buffer_"):
        for name, atomic in INTEGER_ATOMICS.items():
            dwords = atomic.bytes // 4 * atomic.operands
            data = "s8" if dwords == 1 else f"s[8:{8 + dwords - 1}]"
            base = "s[32:33]" if prefix == "s_" else "s[36:39]"
            for returns in (False, True):
                texts[prefix, name, returns] = (
                    f"{prefix}{name} {data}, {base}, 0x10{' glc' if returns else ''}"
                )
    return dict(zip(texts, assemble(arch, list(texts.values())), strict=True))


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("prefix", ["s_", "s_buffer_"])
@rows("name", INTEGER_ATOMICS)
def test_scalar_atomic(prefix: str, name: str, returns: bool) -> None:
    atomic = INTEGER_ATOMICS[name]
    dtype = np.uint64 if atomic.bytes == 8 else np.uint32
    for seed in range(8):
        memory = Memory(values(atomic, 8, seed))
        wave = Wave("gfx90a", memory)
        wave.set_s64(32, memory.address)
        wave.set_s64(36, memory.address)
        wave.s[38] = 64
        data = values(atomic, 2, seed + 9)
        wave.s[8 : 8 + atomic.bytes // 2] = data.view(np.uint32)
        before = wave.s.copy()
        index = 16 // atomic.bytes
        old = int(memory.view(dtype)[index])
        assert wave.run(scalar_code("gfx90a")[prefix, name, returns]) == 0, wave.message
        assert int(memory.view(dtype)[index]) == atomic.combine(old, int(data[0]), int(data[1]))
        if returns:
            before[8 : 8 + atomic.bytes // 4] = np.array([old], dtype=dtype).view(np.uint32)
        assert np.array_equal(wave.s, before)


def test_flat_atomics_reach_lds_and_scratch() -> None:
    (program,) = assemble(
        "gfx942",
        [
            """
            scratch_store_dword off, v20, off offset:16
            flat_atomic_add v16, v[2:3], v8 sc0
            scratch_load_dword v21, off, off offset:16
            s_waitcnt vmcnt(0)
            """
        ],
    )
    memory = Memory(np.arange(64, dtype=np.uint32))
    wave = Wave(memory=memory)
    wave.lds.view(np.uint32)[:64] = 1000 + LANE
    wave.v[20] = 5000 + LANE
    wave.v[8] = 7
    targets = np.array([memory.address, 1 << 48, (2 << 48) + 16], dtype=np.uint64)
    steps = np.array([4, 4, 0])
    wave.set_v64(2, targets[LANE % 3] + (steps[LANE % 3] * LANE).astype(np.uint64))
    assert wave.run(program) == 0, wave.message
    assert np.array_equal(wave.v[16], np.choose(LANE % 3, [LANE, 1000 + LANE, 5000 + LANE]))
    assert np.array_equal(memory.view(np.uint32), LANE + 7 * (LANE % 3 == 0))
    assert np.array_equal(wave.lds.view(np.uint32)[:64], 1000 + LANE + 7 * (LANE % 3 == 1))
    assert np.array_equal(wave.v[21], 5000 + LANE + 7 * (LANE % 3 == 2))
