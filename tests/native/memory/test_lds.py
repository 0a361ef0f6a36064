"""DS instructions: reads, writes, atomics, exchanges between lanes, addresses out of range."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import access_cases as cases
import numpy as np
import pytest
from bare_wave import ALL, LANE, LANES, M0, UNSUPPORTED, Wave, assemble, instructions, merged
from memory_reference import DS_ATOMICS, DS_READS, DS_RETURNING, DS_WRITES
from test_atomics import same, span, values
from tests.table_rows import rows

ARCHES = ["gfx942", "gfx90a"]
DATA, SECOND, RESULT = 8, 12, 16
OFFSET = 260
TWO_PLACES = ["ds_read2{s}_b{b}", "ds_write2{s}_b{b}", "ds_wrxchg2{s}_rtn_b{b}"]
CROSS_LANE = {"ds_swizzle_b32", "ds_permute_b32", "ds_bpermute_b32"}
OTHERS = {"ds_nop", "ds_append", "ds_consume", "ds_read_addtid_b32", "ds_write_addtid_b32"}
GWS = {"init", "barrier", "sema_v", "sema_br", "sema_p", "sema_release_all"}


@pytest.mark.parametrize("arch", ARCHES)
def test_every_instruction_is_covered(arch: str) -> None:
    covered = set(DS_READS) | set(DS_WRITES) | set(DS_ATOMICS) | set(DS_RETURNING) | CROSS_LANE | OTHERS
    covered |= {t.format(s=s, b=b) for t in TWO_PLACES for s in ("", "st64") for b in (32, 64)}
    covered |= {f"ds_gws_{name}" for name in GWS}
    table = instructions(arch, "DS")
    assert table <= covered
    missing_there = {n for n in covered if "pk_add" in n} if arch == "gfx90a" else set()
    assert covered - table == missing_there


def lds_wave(arch: str, seed: int, mask: int) -> Wave:
    wave = Wave(arch)
    wave.lds[:] = np.random.default_rng(seed).integers(0, 256, wave.lds.size, dtype=np.uint8)
    wave.exec = mask
    for register in range(DATA, DATA + 16):
        wave.v[register] = cases.random_words(64, seed + register)
    return wave


@cache
def code(arch: str) -> dict[str, bytes]:
    texts = {}
    for name, read in DS_READS.items():
        texts[name] = f"{name} {span(DATA, max(1, read.bytes // 4))}, v2 offset:{OFFSET}"
    for name, write in DS_WRITES.items():
        texts[name] = f"{name} v2, {span(DATA, max(1, write.bytes // 4))} offset:{OFFSET}"
    for name, atomic in (DS_ATOMICS | DS_RETURNING).items():
        operands = [span(RESULT, atomic.bytes // 4)] if "_rtn_" in name else []
        operands += ["v2", span(DATA, atomic.bytes // 4)]
        operands += [span(SECOND, atomic.bytes // 4)] if atomic.operands == 2 else []
        texts[name] = f"{name} {', '.join(operands)} offset:{OFFSET}"
    texts = {name: text for name, text in texts.items() if name in instructions(arch, "DS")}
    return dict(zip(texts, assemble(arch, list(texts.values())), strict=True))


def shapes(bytes_per_lane: int) -> dict[str, np.ndarray]:
    """Register values; some wrap around with the offset, some lie past the end of LDS."""
    found = dict(cases.offsets(bytes_per_lane, 3))
    found["wraps"] = -OFFSET + LANE * 16
    found["past the end"] = 65536 - OFFSET - 40 * bytes_per_lane + LANE * bytes_per_lane
    found["far away"] = np.where(LANE % 5 == 0, 0x40000000 + LANE, LANE * 32)
    return found


@pytest.mark.parametrize("arch", ARCHES)
@rows("name", DS_READS)
def test_reads(arch: str, name: str) -> None:
    read = DS_READS[name]
    count = max(1, read.bytes // 4)
    for seed, (shape_name, shape) in enumerate(shapes(read.bytes).items()):
        if arch == "gfx90a" and seed % 3:  # same code underneath: a sample will do
            continue
        for mask_name, mask in cases.masks(seed).items():
            wave = lds_wave(arch, seed, mask)
            wave.v[2] = (shape & 0xFFFFFFFF).astype(np.uint32)
            expected = wave.v.copy()
            for lane in cases.lanes(mask):
                at = int(shape[lane]) + OFFSET & 0xFFFFFFFF
                inside = at + read.bytes <= 65536
                raw = wave.lds[at : at + read.bytes].tobytes() if inside else bytes(read.bytes)
                expected[DATA : DATA + count, lane] = read.to_registers(raw)
            assert wave.run(code(arch)[name]) == 0, wave.message
            assert np.array_equal(wave.v, expected), (shape_name, mask_name)


@pytest.mark.parametrize("arch", ARCHES)
@rows("name", DS_WRITES)
def test_writes(arch: str, name: str) -> None:
    write = DS_WRITES[name]
    for seed, (shape_name, shape) in enumerate(shapes(write.bytes).items()):
        if arch == "gfx90a" and seed % 3:  # same code underneath: a sample will do
            continue
        for mask_name, mask in cases.masks(seed).items():
            wave = lds_wave(arch, seed, mask)
            wave.v[2] = (shape & 0xFFFFFFFF).astype(np.uint32)
            expected = wave.lds.copy()
            for lane in cases.lanes(mask):
                at = int(shape[lane]) + OFFSET & 0xFFFFFFFF
                raw = write.from_registers([int(wave.v[DATA + r, lane]) for r in range(4)])
                if at + write.bytes <= 65536:
                    expected[at : at + write.bytes] = np.frombuffer(raw, dtype=np.uint8)
            assert wave.run(code(arch)[name]) == 0, wave.message
            assert np.array_equal(wave.lds, expected), (shape_name, mask_name)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("stride", ["", "st64"])
@pytest.mark.parametrize("first", [0, 5])
def test_two_places(stride: str, bits: int, first: int) -> None:
    size = bits // 8
    count = size // 4
    unit = size * (64 if stride else 1)
    second = first + 1
    pair = span(RESULT, 2 * count)
    data, more = span(DATA, count), span(SECOND, count)
    read, write, exchange, onto_address = assemble(
        "gfx942",
        [
            f"ds_read2{stride}_b{bits} {pair}, v2 offset0:{first} offset1:{second}",
            f"ds_write2{stride}_b{bits} v2, {data}, {more} offset0:{first} offset1:{second}",
            f"ds_wrxchg2{stride}_rtn_b{bits} {pair}, v2, {data}, {more} offset0:{first} offset1:{second}",
            f"ds_read2{stride}_b{bits} {span(2, 2 * count)}, v2 offset0:{first} offset1:{second}",
        ],
    )
    for seed, shape in enumerate(
        [LANE * size, LANE * 2 * size, LANE[::-1] * 48, np.full(LANES, 64), LANE * 1040]
    ):
        for mask in cases.masks(seed).values():
            places = np.concatenate([(shape + place * unit) // size for place in (first, second)])
            distinct = (
                np.unique(places).size == places.size
            )  # the order of writes to one place is not specified
            for program in (read, onto_address, *((write, exchange) if distinct else ())):
                wave = lds_wave("gfx942", seed, mask)
                wave.v[2] = shape
                registers, lds = wave.v.copy(), wave.lds.copy()
                target = 2 if program is onto_address else RESULT
                for lane in cases.lanes(mask):
                    olds = []
                    for place, register in ((first, DATA), (second, SECOND)):
                        at = int(shape[lane]) + place * unit
                        inside = at + size <= 65536
                        olds.append(lds[at : at + size].copy() if inside else np.zeros(size, np.uint8))
                        if program in (write, exchange) and inside:
                            lds[at : at + size] = np.ascontiguousarray(
                                wave.v[register : register + count, lane]
                            ).view(np.uint8)
                    if program is not write:
                        registers[target : target + 2 * count, lane] = np.concatenate(olds).view(np.uint32)
                assert wave.run(program) == 0
                assert np.array_equal(wave.lds, lds)
                assert np.array_equal(wave.v, registers)


def atomics() -> list[tuple[str, str]]:
    return [(a, n) for a in ARCHES for n in [*DS_ATOMICS, *DS_RETURNING] if n in instructions(a, "DS")]


@rows("arch, name", atomics)
def test_atomics(arch: str, name: str) -> None:
    atomic = (DS_ATOMICS | DS_RETURNING)[name]
    dtype = np.uint64 if atomic.bytes == 8 else np.uint32
    for seed, mask in enumerate(cases.masks(4).values()):
        wave = lds_wave(arch, seed, mask)
        memory = wave.lds.view(dtype)
        start = 512 // atomic.bytes
        memory[start : start + 32] = values(atomic, 32, seed)
        place = np.random.default_rng(seed).integers(0, 24, LANES)
        outside = LANE % 9 == 8
        address = np.where(outside, 70000 + LANE, 512 + place * atomic.bytes - OFFSET)
        wave.v[2] = address
        first, second = values(atomic, 64, seed + 20), values(atomic, 64, seed + 30)
        for register, data in ((DATA, first), (SECOND, second)):
            if atomic.bytes == 8:
                wave.set_v64(register, data)
            else:
                wave.v[register] = data
        registers, expected, olds = wave.v.copy(), memory.copy(), {}
        for lane in cases.lanes(mask):
            index = start + int(place[lane])
            olds[lane] = 0 if outside[lane] else int(expected[index])
            if not outside[lane]:
                expected[index] = atomic.combine(olds[lane], int(first[lane]), int(second[lane]))
        assert wave.run(code(arch)[name]) == 0, wave.message
        changed = np.flatnonzero(memory != expected)
        assert all(same(int(memory[i]), int(expected[i]), atomic) for i in changed)
        if "_rtn_" in name:
            got = wave.v64(RESULT) if atomic.bytes == 8 else wave.v[RESULT]
            assert all(same(int(got[lane]), old, atomic) for lane, old in olds.items())
            registers[RESULT : RESULT + 2] = wave.v[RESULT : RESULT + 2]
        assert np.array_equal(wave.v, registers)


def test_float_add_follows_the_denormal_mode() -> None:
    (program,) = assemble("gfx942", ["ds_add_rtn_f32 v16, v2, v8"])
    tiny, smallest_normal = 0x00000003, 0x00800000
    # (mode bits [5:4]: 1 keeps inputs, 2 keeps results; old, data, expected)
    table = [
        (3, tiny, tiny, 6),
        (0, tiny, tiny, 0),
        (0, smallest_normal, 0x80000001, smallest_normal),
        (2, tiny, tiny, 0),
        (1, tiny, tiny, 0),
        (1, smallest_normal, 0x80000001, 0),
        (2, smallest_normal, smallest_normal | 1 << 31, 0),
    ]
    for mode, old, data, expected in table:
        wave = Wave()
        wave.mode = 0x3C0 | mode << 4
        wave.exec = 1
        wave.lds.view(np.uint32)[0] = old
        wave.v[8] = data
        assert wave.run(program) == 0
        assert int(wave.lds.view(np.uint32)[0]) == expected, (mode, hex(old))
        assert int(wave.v[16, 0]) == old


def exchange(wave: Wave, source: np.ndarray) -> np.ndarray:
    """What a register holds after each active lane took the value of `source`; inactive lanes give zero."""
    active = np.array([wave.exec >> lane & 1 for lane in range(LANES)], dtype=bool)
    visible = np.where(active, wave.v[DATA], 0)
    return merged(wave.v[RESULT], visible[source], wave.exec)


def test_backward_permute() -> None:
    (program,) = assemble("gfx942", [f"ds_bpermute_b32 v{RESULT}, v2, v{DATA} offset:8"])
    for seed, mask in enumerate(cases.masks(1).values()):
        wave = lds_wave("gfx942", seed, mask)
        wave.v[2] = cases.random_words(64, seed)
        expected = exchange(wave, ((wave.v[2].astype(np.int64) + 8) & 0xFFFFFFFF) // 4 % 64)
        assert wave.run(program) == 0
        assert np.array_equal(wave.v[RESULT], expected)


def test_forward_permute() -> None:
    (program,) = assemble("gfx942", [f"ds_permute_b32 v{RESULT}, v2, v{DATA} offset:4"])
    for seed, mask in enumerate(cases.masks(1).values()):
        wave = lds_wave("gfx942", seed, mask)
        wave.v[2] = np.random.default_rng(seed).integers(0, 40, 64) * 4
        pushed = np.zeros(LANES, dtype=np.uint32)
        for lane in cases.lanes(mask):
            pushed[(int(wave.v[2, lane]) + 4) // 4 % 64] = wave.v[DATA, lane]
        expected = merged(wave.v[RESULT], pushed, mask)
        assert wave.run(program) == 0
        assert np.array_equal(wave.v[RESULT], expected)


def _reverse5(lane: int) -> int:
    return int(format(lane & 31, "05b")[::-1], 2)


SWIZZLES: dict[str, tuple[str, Callable[[int], int]]] = {
    "swap": ("swizzle(SWAP,16)", lambda lane: lane ^ 16),
    "reverse": ("swizzle(REVERSE,8)", lambda lane: lane ^ 7),
    "broadcast": ("swizzle(BROADCAST,4,1)", lambda lane: (lane & ~3) | 1),
    "quad": ("swizzle(QUAD_PERM,1,2,0,3)", lambda lane: (lane & ~3) | (1, 2, 0, 3)[lane & 3]),
    "bits": ('swizzle(BITMASK_PERM,"01pi0")', lambda lane: (lane & 32) | 8 | (lane & 4) | (~lane & 2)),
    "rotate left": ("swizzle(ROTATE,0,3)", lambda lane: (lane & 32) | (lane + 3 & 31)),
    "rotate right": ("swizzle(ROTATE,1,5)", lambda lane: (lane & 32) | (lane - 5 & 31)),
    "fft": ("swizzle(FFT,0)", lambda lane: (lane & 32) | _reverse5(lane)),
    "fft in pairs": ("swizzle(FFT,1)", lambda lane: (lane & 32) | _reverse5(lane) >> 1 | (lane & 1)),
}


@pytest.mark.parametrize("name", SWIZZLES)
def test_swizzle(name: str) -> None:
    pattern, source = SWIZZLES[name]
    (program,) = assemble("gfx942", [f"ds_swizzle_b32 v{RESULT}, v{DATA} offset:{pattern}"])
    for seed, mask in enumerate(cases.masks(2).values()):
        wave = lds_wave("gfx942", seed, mask)
        expected = exchange(wave, np.array([source(lane) for lane in range(LANES)]))
        assert wave.run(program) == 0
        assert np.array_equal(wave.v[RESULT], expected)


def test_append_and_consume() -> None:
    append, consume = assemble(
        "gfx942", [f"ds_append v{RESULT} offset:12", f"ds_consume v{RESULT} offset:12"]
    )
    for mask in (ALL, 0x1234, 1 << 63):
        for program, sign in ((append, 1), (consume, -1)):
            wave = lds_wave("gfx942", 3, mask)
            wave.s[M0] = 0xABC00100
            place = (0x100 + 12) // 4
            wave.lds.view(np.uint32)[place] = 1000
            expected = merged(wave.v[RESULT], np.full(LANES, 1000), mask)
            assert wave.run(program) == 0
            assert np.array_equal(wave.v[RESULT], expected)
            assert wave.lds.view(np.uint32)[place] == 1000 + sign * mask.bit_count()


def test_addresses_by_lane_number() -> None:
    read, write, nothing = assemble(
        "gfx942", ["ds_read_addtid_b32 v16 offset:16", "ds_write_addtid_b32 v8 offset:16", "ds_nop"]
    )
    for mask in cases.masks(9).values():
        wave = lds_wave("gfx942", 1, mask)
        wave.s[M0] = 0x200
        words = wave.lds.view(np.uint32)[(0x200 + 16) // 4 :][:64].copy()
        expected = merged(wave.v[16], words, mask)
        assert wave.run(read) == 0
        assert np.array_equal(wave.v[16], expected)
        assert wave.run(write) == 0
        after = wave.lds.view(np.uint32)[(0x200 + 16) // 4 :][:64]
        assert np.array_equal(after, merged(words, wave.v[8], mask))
        assert wave.run(nothing) == 0


def test_global_wave_sync_is_refused_by_name() -> None:
    texts = [f"ds_gws_{n} {'v2 ' if n in ('init', 'barrier', 'sema_br') else ''}gds" for n in sorted(GWS)]
    for name, program in zip(sorted(GWS), assemble("gfx942", texts), strict=True):
        wave = Wave()
        assert wave.run(program) == UNSUPPORTED
        assert f"ds_gws_{name}" in wave.message
