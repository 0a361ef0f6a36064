"""Scratch: each lane's private memory, through SCRATCH instructions and through flat addresses."""

from __future__ import annotations

from functools import cache

import access_cases as cases
import numpy as np
import pytest
from bare_wave import LANE, LANES, MEMORY_VIOLATION, Memory, Wave, assemble, instructions
from memory_reference import LOADS, STORES
from test_atomics import span
from tests.table_rows import rows

WORDS = 28  # dwords of scratch that the tests use
BEFORE, DATA, AFTER = 32, 8, 64


def fill(none: str = "off") -> str:
    """Stores the registers from BEFORE on; gfx90a needs a register where gfx942 can say none at all."""
    return "\n".join(f"scratch_store_dword off, v{BEFORE + i}, {none} offset:{4 * i}" for i in range(WORDS))


def dump(none: str = "off") -> str:
    return "\n".join(f"scratch_load_dword v{AFTER + i}, off, {none} offset:{4 * i}" for i in range(WORDS))


# Name -> operand text of the address ({o} the immediate offset), and what it adds up to per lane.
VECTOR = {
    "uniform": np.full(LANES, 20),
    "uniform unaligned": np.full(LANES, 21),
    "varied": LANE * 4 % 64,
    "varied unaligned": LANE * 3 % 61,
}
ADDRESSES = {
    "offset": ("off, off", 0),
    "scalar": ("off, s40", 24),
    "vector": ("v2, off", 0),
    "both": ("v2, s40", 24),
}


def text(arch: str, name: str, bytes_per_lane: int, form: str) -> str:
    none = "off" if arch == "gfx942" else "s41"  # s41 is zero
    vector, scalar = (ADDRESSES[form][0].replace("off, off", f"off, {none}")).split(", ")
    data = span(DATA, max(1, bytes_per_lane // 4))
    operands = f"{data}, {vector}, {scalar}" if name in LOADS else f"{vector}, {data}, {scalar}"
    access = f"s_mov_b64 exec, s[34:35]\nscratch_{name} {operands} offset:5\ns_mov_b64 exec, -1"
    return f"{fill(none)}\n{access}\n{dump(none)}"


def forms(arch: str) -> list[str]:
    return list(ADDRESSES) if arch == "gfx942" else ["offset", "scalar", "vector"]


@cache
def code(arch: str) -> dict[tuple[str, str], bytes]:
    wanted = {(n, f): text(arch, n, k.bytes, f) for n, k in (LOADS | STORES).items() for f in forms(arch)}
    return dict(zip(wanted, assemble(arch, list(wanted.values())), strict=True))


@pytest.mark.parametrize("arch", ["gfx942", "gfx90a"])
@rows("name", [*LOADS, *STORES])
def test_scratch(arch: str, name: str) -> None:
    kind = (LOADS | STORES)[name]
    count = max(1, kind.bytes // 4)
    for form in forms(arch):
        for vector_name, vector in VECTOR.items():
            for seed, mask in enumerate(cases.masks(7).values()):
                wave = Wave(arch)
                for register in [*range(DATA, DATA + 4), *range(BEFORE, BEFORE + WORDS)]:
                    wave.v[register] = cases.random_words(64, seed * 100 + register)
                wave.v[2] = vector
                wave.s[40], wave.s[41] = ADDRESSES[form][1], 0
                wave.set_s64(34, mask)
                scratch = np.ascontiguousarray(wave.v[BEFORE : BEFORE + WORDS].T).view(np.uint8)
                registers = wave.v[DATA : DATA + 4].copy()
                for lane in cases.lanes(mask):
                    at = 5 + ADDRESSES[form][1] + (int(vector[lane]) if form in ("vector", "both") else 0)
                    if name in LOADS:
                        raw = scratch[lane, at : at + kind.bytes].tobytes()
                        registers[:count, lane] = LOADS[name].to_registers(raw)
                    else:
                        raw = STORES[name].from_registers([int(r) for r in registers[:, lane]])
                        scratch[lane, at : at + kind.bytes] = np.frombuffer(raw, dtype=np.uint8)
                assert wave.run(code(arch)[name, form]) == 0, wave.message
                assert np.array_equal(wave.v[DATA : DATA + 4], registers), (form, vector_name)
                assert np.array_equal(wave.v[AFTER : AFTER + WORDS], scratch.view(np.uint32).T), (
                    form,
                    vector_name,
                )


@pytest.mark.parametrize("arch", ["gfx942", "gfx90a"])
def test_every_instruction_is_covered(arch: str) -> None:
    to_lds = {f"scratch_load_lds_{t}" for t in ("ubyte", "sbyte", "ushort", "sshort", "dword")}
    covered = {f"scratch_{name}" for name in [*LOADS, *STORES]} | (to_lds if arch == "gfx942" else set())
    assert instructions(arch, "SCRATCH") == covered


@pytest.mark.parametrize("text", ["scratch_load_dword v8, v2, off", "scratch_store_dwordx4 v2, v[8:11], off"])
@pytest.mark.parametrize("place", [4096, 4094, 0x7FFFFFFF, 0xFFFFFFF0])
def test_outside_scratch_is_a_fault(text: str, place: int) -> None:
    (program,) = assemble("gfx942", [text])
    for uniform in (True, False):
        wave = Wave()
        wave.v[2, 9] = place
        if uniform:
            wave.v[2] = place
        assert wave.run(program) == MEMORY_VIOLATION
        assert ("thread:       (0," if uniform else "thread:       (9,") in wave.message


def flat_program(access: str) -> bytes:
    (program,) = assemble(
        "gfx942", [f"{fill()}\ns_mov_b64 exec, s[34:35]\n{access}\ns_mov_b64 exec, -1\n{dump()}"]
    )
    return program


@pytest.mark.parametrize("name", ["load_dword", "load_dwordx3", "load_ubyte_d16_hi", "load_sshort"])
def test_flat_loads_from_every_window(name: str) -> None:
    load = LOADS[name]
    count = max(1, load.bytes // 4)
    program = flat_program(f"flat_{name} {span(DATA, count)}, v[2:3]")
    for seed, (mask, windows) in enumerate(
        [
            (m, w)
            for m in cases.masks(3).values()
            for w in (LANE % 3, LANE * 0, LANE * 0 + 1, LANE * 0 + 2, LANE // 32)
        ]
    ):
        memory = Memory(cases.random_words(256, seed))
        wave = Wave(memory=memory)
        wave.lds[:] = np.random.default_rng(seed).integers(0, 256, 65536, dtype=np.uint8)
        for register in [*range(DATA, DATA + 4), *range(BEFORE, BEFORE + WORDS)]:
            wave.v[register] = cases.random_words(64, seed + register)
        scratch = np.ascontiguousarray(wave.v[BEFORE : BEFORE + WORDS].T).view(np.uint8)
        place = [LANE * 4 % 80, LANE * 0 + 8, LANE * 7 % 80, LANE * load.bytes % 84][seed % 4]
        bases = np.array([memory.address, 1 << 48, 2 << 48], dtype=np.uint64)
        wave.set_v64(2, bases[windows] + place.astype(np.uint64))
        wave.set_s64(34, mask)
        expected = wave.v[DATA : DATA + 4].copy()
        for lane in cases.lanes(mask):
            source = [memory.bytes, wave.lds, scratch[lane]][windows[lane]]
            raw = source[place[lane] : place[lane] + load.bytes].tobytes()
            expected[:count, lane] = load.to_registers(raw)
        assert wave.run(program) == 0, wave.message
        assert np.array_equal(wave.v[DATA : DATA + 4], expected)


@pytest.mark.parametrize("name", ["store_dword", "store_dwordx2", "store_byte", "store_short_d16_hi"])
def test_flat_stores_to_every_window(name: str) -> None:
    store = STORES[name]
    program = flat_program(f"flat_{name} v[2:3], {span(DATA, max(1, store.bytes // 4))}")
    for seed, (mask, windows) in enumerate(
        [(m, w) for m in cases.masks(3).values() for w in (LANE % 3, LANE * 0, LANE * 0 + 1, LANE * 0 + 2)]
    ):
        memory = Memory(cases.random_words(256, seed))
        wave = Wave(memory=memory)
        for register in [*range(DATA, DATA + 4), *range(BEFORE, BEFORE + WORDS)]:
            wave.v[register] = cases.random_words(64, seed + register)
        scratch = np.ascontiguousarray(wave.v[BEFORE : BEFORE + WORDS].T).view(np.uint8)
        place = [LANE * 12, LANE * 0 + 8, LANE * 13][seed % 3]
        inside = np.where(windows == 2, place % 84, place)
        bases = np.array([memory.address, 1 << 48, 2 << 48], dtype=np.uint64)
        wave.set_v64(2, bases[windows] + inside.astype(np.uint64))
        wave.set_s64(34, mask)
        lds, block = wave.lds.copy(), memory.bytes.copy()
        for lane in cases.lanes(mask):
            target = [block, lds, scratch[lane]][windows[lane]]
            raw = store.from_registers([int(r) for r in wave.v[DATA : DATA + 4, lane]])
            target[inside[lane] : inside[lane] + store.bytes] = np.frombuffer(raw, dtype=np.uint8)
        assert wave.run(program) == 0, wave.message
        assert np.array_equal(memory.bytes, block)
        assert np.array_equal(wave.lds, lds)
        assert np.array_equal(wave.v[AFTER : AFTER + WORDS], scratch.view(np.uint32).T)
