"""Scalar arithmetic against references: registers, inline constants, literals; results and SCC."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
import scalar_reference as ref
from bare_wave import Wave, assemble
from tests.table_rows import rows

ARCHES = ["gfx942", "gfx90a"]
EDGES32 = [
    0,
    1,
    2,
    31,
    32,
    63,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFE,
    0xFFFFFFFF,
]
EDGES64 = [*EDGES32, 1 << 32, 1 << 63, ref.M64, ref.M64 - 1, (1 << 63) - 1, 0x0F0F0000F000000F]
FIELDS = [0, 0x10000, 0x80004, 0x1F0001, 0x200000, 0x20001F, 0x3F0005, 0x400000, 0x7F0010, 0x3F003F]


def values(bits: int, mnemonic: str) -> list[int]:
    generator = random.Random(f"{mnemonic}{bits}")
    edges = EDGES64 if bits == 64 else EDGES32
    return [*edges, *(generator.getrandbits(bits) for _ in range(8))]


def second_values(mnemonic: str) -> list[int]:
    bits = ref.source_bits(mnemonic, 1)
    return FIELDS + values(bits, mnemonic) if "bfe" in mnemonic else values(bits, mnemonic)


def register(number: int, bits: int) -> str:
    return f"s[{number}:{number + 1}]" if bits == 64 else f"s{number}"


def set_register(wave: Wave, number: int, bits: int, value: int) -> None:
    wave.set_s64(number, value) if bits == 64 else wave.s.__setitem__(number, value)


def get_register(wave: Wave, number: int, bits: int) -> int:
    return wave.s64(number) if bits == 64 else int(wave.s[number])


def text(mnemonic: str) -> str:
    """The instruction on registers: destination s8, sources s4 and s6."""
    operands = [] if mnemonic in ref.COMPARE else [register(8, ref.result_bits(mnemonic))]
    operands.append(register(4, ref.source_bits(mnemonic, 0)))
    if mnemonic in ref.TWO_SOURCES or mnemonic in ref.COMPARE:
        operands.append(register(6, ref.source_bits(mnemonic, 1)))
    return f"{mnemonic} {', '.join(operands)}"


GROUPS = [ref.TWO_SOURCES, ref.COMPARE, ref.ONE_SOURCE, ref.BIT_SET, ref.SAVE_EXEC, ref.WRITE_EXEC]
MNEMONICS = [name for group in GROUPS for name in group]


@cache
def code(arch: str) -> dict[str, bytes]:
    return dict(zip(MNEMONICS, assemble(arch, [text(name) for name in MNEMONICS]), strict=True))


@pytest.mark.parametrize("arch", ARCHES)
@rows("mnemonic", [*ref.TWO_SOURCES, *ref.COMPARE])
def test_two_sources(arch: str, mnemonic: str) -> None:
    a_bits, b_bits = ref.source_bits(mnemonic, 0), ref.source_bits(mnemonic, 1)
    generator = random.Random(mnemonic)
    pairs = [(a, b) for a in values(a_bits, mnemonic) for b in second_values(mnemonic)]
    for a, b in generator.sample(pairs, 60):
        wave = Wave(arch)
        wave.scc = scc = generator.getrandbits(1)
        set_register(wave, 4, a_bits, a)
        set_register(wave, 6, b_bits, b)
        assert wave.run(code(arch)[mnemonic]) == 0, wave.message
        if mnemonic in ref.COMPARE:
            assert wave.scc == ref.COMPARE[mnemonic](a, b), (hex(a), hex(b))
            continue
        result = get_register(wave, 8, ref.result_bits(mnemonic))
        expected = ref.TWO_SOURCES[mnemonic](a, b, scc)
        assert (result, wave.scc) == expected, (hex(a), hex(b), scc)


@pytest.mark.parametrize("arch", ARCHES)
@rows("mnemonic", ref.ONE_SOURCE)
def test_one_source(arch: str, mnemonic: str) -> None:
    bits = ref.source_bits(mnemonic, 0)
    for a in values(bits, mnemonic):
        for scc in (0, 1):
            wave = Wave(arch)
            wave.scc = scc
            set_register(wave, 4, bits, a)
            wave.s[9] = 0x5A5A5A5A
            assert wave.run(code(arch)[mnemonic]) == 0, wave.message
            result_bits = ref.result_bits(mnemonic)
            assert (get_register(wave, 8, result_bits), wave.scc) == ref.ONE_SOURCE[mnemonic](a, scc), hex(a)
            if result_bits == 32:
                assert wave.s[9] == 0x5A5A5A5A


@pytest.mark.parametrize("mnemonic", ref.BIT_SET)
def test_bit_set(mnemonic: str) -> None:
    bits = ref.result_bits(mnemonic)
    for a in range(0, 80, 7):
        for old in (0, (1 << bits) - 1, 0x123456789ABCDEF0 & (1 << bits) - 1):
            wave = Wave()
            wave.s[4] = a
            set_register(wave, 8, bits, old)
            assert wave.run(code("gfx942")[mnemonic]) == 0
            assert get_register(wave, 8, bits) == ref.BIT_SET[mnemonic](a, old)


@pytest.mark.parametrize("mnemonic", [*ref.SAVE_EXEC, *ref.WRITE_EXEC])
def test_exec_update(mnemonic: str) -> None:
    for a in (0, ref.M64, 0xF0F0, 0xAAAAAAAA00000000):
        for mask in (0, ref.M64, 0xFF, 0xAAAAAAAA00000001):
            wave = Wave()
            wave.exec = mask
            wave.set_s64(4, a)
            assert wave.run(code("gfx942")[mnemonic]) == 0
            function = (ref.SAVE_EXEC | ref.WRITE_EXEC)[mnemonic]
            assert wave.exec == function(a, mask)
            assert wave.s64(8) == (mask if mnemonic in ref.SAVE_EXEC else wave.exec)
            assert wave.scc == (wave.exec != 0)


def test_exec_is_source_and_destination() -> None:
    (save,) = assemble("gfx942", ["s_and_saveexec_b64 exec, s[4:5]"])
    wave = Wave()
    wave.exec, wave_source = 0xFF00, 0x0FF0
    wave.set_s64(4, wave_source)
    assert wave.run(save) == 0
    assert wave.exec == 0x0F00  # the new mask is written last


SOURCES: dict[str, tuple[str, Callable[[Wave], int]]] = {
    "negative inline constant": ("s_mov_b64 s[8:9], -5", lambda w: ref.M64 - 4),
    "literal is zero-extended for 64 bits": ("s_mov_b64 s[8:9], 0x87654321", lambda w: 0x87654321),
    "float constant, 32 bits": ("s_mov_b32 s8, 1.0\ns_mov_b32 s9, 0", lambda w: 0x3F800000),
    "vcc": ("s_mov_b64 s[8:9], vcc", lambda w: w.s64(106)),
    "scc": ("s_cmp_eq_u32 0, 0\ns_mov_b64 s[8:9], src_scc", lambda w: 1),
    "vccz": ("s_mov_b64 vcc, 0\ns_mov_b64 s[8:9], src_vccz", lambda w: 1),
    "execz": ("s_mov_b64 s[8:9], src_execz", lambda w: 0),
    "shared base": ("s_mov_b64 s[8:9], src_shared_base", lambda w: 1 << 48),
    "private base": ("s_mov_b64 s[8:9], src_private_base", lambda w: 2 << 48),
    "shared limit": ("s_mov_b64 s[8:9], src_shared_limit", lambda w: (1 << 48) + ref.M32),
    "private limit": ("s_mov_b64 s[8:9], src_private_limit", lambda w: (2 << 48) + ref.M32),
}


@pytest.mark.parametrize("name", SOURCES)
def test_sources(name: str) -> None:
    source, expected = SOURCES[name]
    (program,) = assemble("gfx942", [source])
    wave = Wave()
    wave.set_s64(106, 0x123456789ABCDEF0)
    assert wave.run(program) == 0, wave.message
    assert wave.s64(8) == expected(wave)


def test_constant_operands_in_either_place() -> None:
    snippets = [
        "s_sub_u32 s8, s4, 7",
        "s_sub_u32 s8, 7, s4",
        "s_sub_u32 s8, s4, 0x12345678",
        "s_sub_u32 s8, 9, 2",
    ]
    results = []
    for program in assemble("gfx942", snippets):
        wave = Wave()
        wave.s[4] = 5
        assert wave.run(program) == 0
        results.append((int(wave.s[8]), wave.scc))
    assert results == [(ref.M32 - 1, 1), (2, 0), (5 - 0x12345678 & ref.M32, 1), (7, 0)]


@pytest.mark.parametrize("mnemonic", ref.COMPARE_IMMEDIATE)
def test_compare_immediate(mnemonic: str) -> None:
    immediates = [0, 1, 0x7FFF, 0x8000, 0xFFFF]
    for immediate, program in zip(
        immediates, assemble("gfx942", [f"{mnemonic} s4, {i:#x}" for i in immediates]), strict=True
    ):
        extended = ref.signed(immediate, 16) & ref.M32 if mnemonic.endswith("i32") else immediate
        for a in (*EDGES32, extended):
            wave = Wave()
            wave.s[4] = a
            assert wave.run(program) == 0
            assert wave.scc == ref.COMPARE_IMMEDIATE[mnemonic](a, extended), (hex(a), hex(immediate))


def test_moves_and_arithmetic_with_immediates() -> None:
    move, conditional, add, multiply = assemble(
        "gfx942",
        ["s_movk_i32 s8, 0x8001", "s_cmovk_i32 s8, 0x7fff", "s_addk_i32 s8, 0xfffe", "s_mulk_i32 s8, 0xfffd"],
    )
    wave = Wave()
    assert wave.run(move) == 0
    assert wave.s[8] == 0xFFFF8001
    wave.scc = 0
    assert wave.run(conditional) == 0
    assert wave.s[8] == 0xFFFF8001
    wave.scc = 1
    assert wave.run(conditional) == 0
    assert (wave.s[8], wave.scc) == (0x7FFF, 1)
    wave.s[8] = 0x80000001
    assert wave.run(add) == 0
    assert (wave.s[8], wave.scc) == (0x7FFFFFFF, 1)  # signed overflow
    wave.s[8] = 5
    assert wave.run(add) == 0
    assert (wave.s[8], wave.scc) == (3, 0)
    assert wave.run(multiply) == 0
    assert (wave.s[8], wave.scc) == (ref.M32 - 8, 0)


@pytest.mark.parametrize("bits", [32, 64])
def test_conditional_move(bits: int) -> None:
    (program,) = assemble("gfx942", [f"s_cmov_b{bits} {register(8, bits)}, {register(4, bits)}"])
    for scc in (0, 1):
        wave = Wave()
        wave.scc = scc
        wave.set_s64(4, 0x1111111122222222)
        wave.set_s64(8, 0x3333333344444444)
        assert wave.run(program) == 0
        expected = {(32, 0): 0x3333333344444444, (32, 1): 0x3333333322222222, (64, 0): 0x3333333344444444}
        assert wave.s64(8) == expected.get((bits, scc), 0x1111111122222222)
        assert wave.scc == scc
