"""MUBUF and MTBUF: descriptors, range checks, swizzles, formats, transfers to and from LDS."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import access_cases as cases
import numpy as np
import pytest
from bare_wave import (
    ALL,
    LANE,
    LANES,
    M0,
    MEMORY_VIOLATION,
    UNSUPPORTED,
    Memory,
    Wave,
    assemble,
    instructions,
)
from memory_reference import LOADS, MEMORY_ATOMICS, STORES
from test_atomics import span
from tests.table_rows import rows

SIZE = 65536
DATA = 8


@dataclass(frozen=True)
class Descriptor:
    base: int
    records: int
    stride: int = 0
    swizzled: bool = False
    index_stride: int = 8
    adds_lane: bool = False
    data_format: int = 4
    number_format: int = 4
    select: tuple[int, int, int, int] = (4, 5, 6, 7)

    def words(self) -> list[int]:
        third = sum(s << 3 * i for i, s in enumerate(self.select))
        third |= (
            self.number_format << 12
            | {8: 0, 16: 1, 32: 2, 64: 3}[self.index_stride] << 21
            | self.adds_lane << 23
        )
        third |= 0 if self.adds_lane else self.data_format << 15
        return [
            self.base & 0xFFFFFFFF,
            self.base >> 32 & 0xFFFF | self.stride << 16 | self.swizzled << 31,
            self.records,
            third,
        ]

    def address(self, index: int, offset: int, scalar: int) -> int:
        if not self.swizzled:
            return self.base + scalar + offset + index * self.stride
        outer, inner = divmod(index, self.index_stride)
        row, byte = divmod(offset, 4)
        return self.base + scalar + (outer * self.stride + row * 4) * self.index_stride + inner * 4 + byte

    def inside(self, index: int, offset: int, scalar: int, size: int, indexed: bool) -> bool:
        """The three kinds of buffers in "Range Checking" of the CDNA3 ISA; raw ones add a scalar offset."""
        if indexed and self.stride:
            return index < self.records
        if self.adds_lane and not indexed:
            return True
        return offset + scalar + size <= self.records


MODES = {
    "off": ("off", False, False),
    "offen": ("v2", True, False),
    "idxen": ("v2", False, True),
    "both": ("v[2:3]", True, True),
}


def descriptors(base: int) -> dict[str, Descriptor]:
    return {
        "raw": Descriptor(base, 6000),
        "raw, short": Descriptor(base, 130),
        "structured": Descriptor(base, 50, stride=24),
        "swizzled": Descriptor(base, 60, stride=16, swizzled=True, index_stride=16),
        "lanes added": Descriptor(base, 20000, stride=32, adds_lane=True),
        "scratch": Descriptor(base, 20000, swizzled=True, index_stride=64, adds_lane=True),
        "empty": Descriptor(base, 0),
    }


def reach(
    d: Descriptor, lane: int, index: int, offset: int, scalar: int, size: int, indexed: bool
) -> list[int | None]:
    """Addresses of the pieces of one lane's data; None for those out of range."""
    index += lane if d.adds_lane else 0
    piece = min(size, 4)
    return [
        d.address(index, offset + i, scalar) if d.inside(index, offset + i, scalar, piece, indexed) else None
        for i in range(0, size, piece)
    ]


SCALARS = (4, 0, 100, 120, 5960)  # the last ones lead near the ends of buffers, and beyond
ARCHS = ("gfx90a", "gfx942")


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name", ["load_dword", "load_dwordx4", "load_sbyte", "load_short_d16_hi", "load_dwordx3"]
)
def test_loads_through_descriptors(name: str, mode: str, arch: str) -> None:
    load = LOADS[name]
    count, piece = max(1, load.bytes // 4), min(load.bytes, 4)
    register, offen, idxen = MODES[mode]
    flags = " idxen" * idxen + " offen" * offen
    (program,) = assemble(
        arch, [f"buffer_{name} {span(DATA, count)}, {register}, s[36:39], s40{flags} offset:8"]
    )
    memory = Memory(cases.random_words(SIZE // 4, 1))
    for descriptor_name, d in descriptors(memory.address + 128).items():
        for seed, mask in enumerate(cases.masks(6).values()):
            wave = Wave(arch, memory)
            generator = np.random.default_rng(seed)
            index, offset = generator.integers(0, 70, LANES), generator.integers(0, 40, LANES) * 4
            wave.v[2], wave.v[3] = (index if idxen else offset), offset
            wave.s[36:40] = d.words()
            wave.s[40] = scalar = SCALARS[seed % len(SCALARS)]
            wave.exec = mask
            expected = wave.v.copy()
            for lane in cases.lanes(mask):
                used_index = int(index[lane]) if idxen else 0
                used_offset = (int(offset[lane]) if offen else 0) + 8
                raw = b""
                for address in reach(d, lane, used_index, used_offset, scalar, load.bytes, idxen):
                    at = None if address is None else address - memory.address
                    raw += bytes(piece) if at is None else memory.bytes[at : at + piece].tobytes()
                expected[DATA : DATA + count, lane] = load.to_registers(raw)
            assert wave.run(program) == 0, wave.message
            assert np.array_equal(wave.v, expected), descriptor_name


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["store_dword", "store_dwordx2", "store_byte"])
def test_stores_through_descriptors(name: str, mode: str, arch: str) -> None:
    store = STORES[name]
    register, offen, idxen = MODES[mode]
    flags = " idxen" * idxen + " offen" * offen
    data = span(DATA, max(1, store.bytes // 4))
    (program,) = assemble(arch, [f"buffer_{name} {data}, {register}, s[36:39], s40{flags} offset:8"])
    for seed, mask in enumerate(cases.masks(6).values()):
        for which in descriptors(0):
            memory = Memory(cases.random_words(SIZE // 4, 1))
            d = descriptors(memory.address + 128)[which]
            wave = Wave(arch, memory)
            generator = np.random.default_rng(seed)
            index, offset = generator.integers(0, 70, LANES), generator.integers(0, 40, LANES) * 4
            wave.v[2], wave.v[3] = (index if idxen else offset), offset
            wave.v[DATA], wave.v[DATA + 1] = cases.random_words(64, seed), cases.random_words(64, seed + 1)
            wave.s[36:40] = d.words()
            wave.s[40] = scalar = SCALARS[seed % len(SCALARS)]
            wave.exec = mask
            expected = memory.bytes.copy()
            for lane in cases.lanes(mask):
                raw = store.from_registers([int(wave.v[DATA + r, lane]) for r in range(4)])
                used_index = int(index[lane]) if idxen else 0
                used_offset = (int(offset[lane]) if offen else 0) + 8
                pieces = reach(d, lane, used_index, used_offset, scalar, store.bytes, idxen)
                for i, address in enumerate(pieces):
                    if address is not None:
                        piece = np.frombuffer(raw[4 * i : 4 * i + 4], dtype=np.uint8)
                        expected[address - memory.address : address - memory.address + piece.size] = piece
            assert wave.run(program) == 0, wave.message
            assert np.array_equal(memory.bytes, expected), which


def test_linear_block_that_ends_at_the_last_record() -> None:
    """The fast path for blocks must not read or write what the range check forbids."""
    load, store = assemble(
        "gfx942",
        ["buffer_load_dword v8, v2, s[36:39], 0 offen", "buffer_store_dword v9, v2, s[36:39], 0 offen"],
    )
    for records in (0, 4, 255, 256, 257, 400):
        memory = Memory(cases.random_words(256, 3))
        wave = Wave(memory=memory)
        wave.v[2], wave.v[8], wave.v[9] = LANE * 4, 1, LANE + 1000
        wave.s[36:40] = Descriptor(memory.address, records).words()
        words = memory.view(np.uint32)[:64].copy()
        inside = records >= LANE * 4 + 4
        assert wave.run(load) == 0
        assert np.array_equal(wave.v[8], np.where(inside, words, 0))
        assert wave.run(store) == 0
        assert np.array_equal(memory.view(np.uint32)[:64], np.where(inside, LANE + 1000, words))


RAW_ENDS = {
    "load_ubyte": 1,
    "load_ushort": 2,
    "load_short_d16": 2,
    "load_dword": 4,
    "load_dwordx4": 16,
    "store_byte": 1,
    "store_short": 2,
    "store_dword": 4,
    "store_dwordx3": 12,
    "atomic_add": 4,
    "atomic_add_x2": 8,
    "load_format_x": 4,
    "store_format_xy": 8,
}


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("name", RAW_ENDS)
def test_scalar_offset_takes_from_the_length_of_a_raw_buffer(name: str, arch: str) -> None:
    """Up to the last byte, and also where the scalar offset is longer than the buffer."""
    size, records, guard = RAW_ENDS[name], 128, 0x5A
    all_or_nothing = "atomic" in name or "format" in name
    data = span(DATA, max(1, size // 4))
    (program,) = assemble(arch, [f"buffer_{name} {data}, v2, s[36:39], s40 offen offset:3"])
    step = size if all_or_nothing else min(size, 4)
    for scalar in (0, 1, 60, 121, 124, 125, 126, 127, 128, 129, 4096, 1 << 31, (1 << 32) - 1):
        memory = Memory(np.full(1024, guard, dtype=np.uint8))
        base = memory.address + 256
        wave = Wave(arch, memory)
        # Atomics lie at multiples of their size; loads and stores may lie anywhere.
        offsets = LANE * step + ((-(scalar + 3)) % step if all_or_nothing else 0)
        wave.v[2] = offsets
        wave.v[DATA : DATA + 4] = 0x01010101
        number_format, data_format = 4, {4: 4, 8: 11}.get(size, 4)
        wave.s[36:40] = Descriptor(
            base, records, data_format=data_format, number_format=number_format
        ).words()
        wave.s[40] = scalar
        before = memory.bytes.copy()
        expected = before.copy()
        loaded = np.full((4, LANES), 0x01010101, dtype=np.uint32)
        for lane in range(LANES):
            for at in range(0, size, step):
                start = int(offsets[lane]) + 3 + scalar + at
                inside = start + step <= records
                if "load" in name:
                    words = np.frombuffer(bytes([guard if inside else 0] * step).ljust(4, b"\0"), np.uint32)
                    loaded[at // 4, lane] = words[0]
                elif inside and "store" in name:
                    expected[256 + start : 256 + start + step] = 1
        if "atomic" in name:
            for lane in range(LANES):
                start = int(offsets[lane]) + 3 + scalar
                if start + size <= records:
                    expected[256 + start : 256 + start + size] += 1
        assert wave.run(program) == 0, (wave.message, scalar)
        assert np.array_equal(memory.bytes, expected), scalar
        if "load" in name:
            assert np.array_equal(wave.v[DATA : DATA + max(1, size // 4)], loaded[: max(1, size // 4)]), (
                scalar
            )


def test_inside_the_descriptor_but_not_in_memory_is_a_fault() -> None:
    load, store, add = assemble(
        "gfx942",
        [
            "buffer_load_dword v8, v2, s[36:39], 0 offen",
            "buffer_store_dword v8, v2, s[36:39], 0 offen",
            "buffer_atomic_add v8, v2, s[36:39], 0 offen",
        ],
    )
    memory = Memory(np.zeros(64, dtype=np.uint32))
    for program, base in itertools.product((load, store, add), (memory.address, 0, 0x7FFFFFFF0000)):
        wave = Wave(memory=memory)
        wave.v[2] = LANE * 8
        wave.s[36:40] = Descriptor(base, 0xFFFFFFFF).words()
        assert wave.run(program) == MEMORY_VIOLATION


def test_atomics_out_of_range_change_nothing_and_return_zero() -> None:
    (program,) = assemble("gfx942", ["buffer_atomic_add v8, v2, s[36:39], 0 offen sc0"])
    memory = Memory(np.arange(64, dtype=np.uint32))
    wave = Wave(memory=memory)
    wave.v[2], wave.v[8] = LANE * 4, 1000
    wave.s[36:40] = Descriptor(memory.address, 128).words()
    assert wave.run(program) == 0
    assert np.array_equal(wave.v[8], np.where(LANE < 32, LANE, 0))
    assert np.array_equal(memory.view(np.uint32), LANE + 1000 * (LANE < 32))


# data format: (bits of the components from the lowest up)
LAYOUTS = {
    1: [8], 2: [16], 3: [8, 8], 4: [32], 5: [16, 16], 6: [11, 11, 10], 7: [10, 11, 11], 8: [2, 10, 10, 10],
    9: [10, 10, 10, 2], 10: [8, 8, 8, 8], 11: [32, 32], 12: [16] * 4, 13: [32] * 3, 14: [32] * 4,
}  # fmt: skip
UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 0, 1, 2, 3, 4, 5, 7


def as_signed(raw: int, bits: int) -> int:
    return raw - (1 << bits) if raw >> (bits - 1) else raw


def small_float(raw: int, bits: int) -> float:
    """Half, or the unsigned floats of 11 and 10 bits: five exponent bits, the rest fraction."""
    fraction_bits = {16: 10, 11: 6, 10: 5}[bits]
    sign = -1.0 if bits == 16 and raw >> 15 else 1.0
    exponent, fraction = raw >> fraction_bits & 31, raw & (1 << fraction_bits) - 1
    if exponent == 31:
        return float("nan") if fraction else sign * float("inf")
    scale = fraction / (1 << fraction_bits) + (exponent != 0)
    return float(sign * scale * 2.0 ** (max(exponent, 1) - 15))


def decoded(raw: int, bits: int, number: int) -> int:
    """Register bits of a component."""
    if number == UINT:
        return raw
    if number == SINT:
        return as_signed(raw, bits) & 0xFFFFFFFF
    if number == FLOAT and bits == 32:
        return raw
    value = {
        UNORM: lambda: raw / ((1 << bits) - 1),
        SNORM: lambda: max(as_signed(raw, bits) / ((1 << (bits - 1)) - 1), -1.0),
        USCALED: lambda: float(raw),
        SSCALED: lambda: float(as_signed(raw, bits)),
        FLOAT: lambda: small_float(raw, bits),
    }[number]()
    return int(np.float32(value).view(np.uint32))


def split(element: bytes, layout: list[int]) -> list[int]:
    value, out = int.from_bytes(element, "little"), []
    for bits in layout:
        out.append(value & (1 << bits) - 1)
        value >>= bits
    return out


def formats() -> list[tuple[int, int]]:
    floats = {d for d, layout in LAYOUTS.items() if set(layout) <= {10, 11, 16, 32} and 2 not in layout}
    integers = (UNORM, SNORM, USCALED, SSCALED, UINT, SINT)
    pairs = [(d, n) for d in LAYOUTS for n in integers if not (32 in LAYOUTS[d] and n in (UNORM, SNORM))]
    return pairs + [(d, FLOAT) for d in sorted(floats - {8, 9})]


@rows("data, number", formats)
def test_typed_loads(data: int, number: int) -> None:
    layout = LAYOUTS[data]
    size = sum(layout) // 8
    (load,) = assemble("gfx942", ["buffer_load_format_xyzw v[8:11], v2, s[36:39], 0 idxen"])
    memory = Memory(cases.random_words(1024, data * 8 + number))
    d = Descriptor(memory.address, 60, stride=size, data_format=data, number_format=number)
    wave = Wave(memory=memory)
    wave.v[2] = LANE
    wave.s[36:40] = d.words()
    assert wave.run(load) == 0, wave.message
    one = 1 if number in (UINT, SINT) else 0x3F800000
    for lane in range(LANES):
        raw = split(memory.bytes[lane * size : lane * size + size].tobytes(), layout)
        expected = [decoded(r, b, number) for r, b in zip(raw, layout, strict=True)]
        expected = (expected + [0, 0, 0, one][len(expected) :]) if lane < 60 else [0] * 4
        got = [int(x) for x in wave.v[8:12, lane]]
        for g, e in zip(got, expected, strict=True):
            both_nan = number == FLOAT and g & 0x7FFFFFFF > 0x7F800000 and e & 0x7FFFFFFF > 0x7F800000
            assert g == e or both_nan, (lane, raw, got, expected)


@rows("data, number", formats)
def test_typed_stores_come_back(data: int, number: int) -> None:
    """What was loaded from a format and is stored again gives the same bytes."""
    layout = LAYOUTS[data]
    size = sum(layout) // 8
    (program,) = assemble(
        "gfx942",
        [
            "buffer_load_format_xyzw v[8:11], v2, s[36:39], 0 idxen\n"
            "buffer_store_format_xyzw v[8:11], v2, s[40:43], 0 idxen"
        ],
    )
    source = cases.random_words(1024, data * 8 + number)
    if number == FLOAT:
        source &= np.uint32(0x3FFF3FFF if 16 in layout or 32 in layout else 0x7BDEF7BD & 0x77BDEF7B)
    memory = Memory(np.concatenate([source, np.zeros(1024, dtype=np.uint32)]))
    wave = Wave(memory=memory)
    wave.v[2] = LANE
    wave.s[36:40] = Descriptor(memory.address, 64, size, data_format=data, number_format=number).words()
    wave.s[40:44] = Descriptor(
        memory.address + 4096, 64, size, data_format=data, number_format=number
    ).words()
    assert wave.run(program) == 0, wave.message
    for lane in range(LANES):
        before = split(memory.bytes[lane * size :][:size].tobytes(), layout)
        after = split(memory.bytes[4096 + lane * size :][:size].tobytes(), layout)
        for b, a, bits in zip(before, after, layout, strict=True):
            lowest = number == SNORM and b == 1 << (bits - 1)  # two encodings of -1
            inexact = number in (USCALED, SSCALED) and bits == 32  # floats have 24 bits
            assert a == b or lowest or inexact, (lane, before, after)


def test_store_conversions_saturate() -> None:
    (store,) = assemble(
        "gfx942",
        ["tbuffer_store_format_x v8, v2, s[36:39], 0 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_UNORM] offen"],
    )
    (store_signed,) = assemble(
        "gfx942",
        ["tbuffer_store_format_x v8, v2, s[36:39], 0 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_SINT] offen"],
    )
    memory = Memory(np.zeros(64, dtype=np.uint8))
    wave = Wave(memory=memory)
    wave.v[2] = LANE
    wave.s[36:40] = Descriptor(memory.address, 64).words()
    values = np.resize(np.array([-1, 0, 0.5, 1, 2, np.inf, -np.inf, np.nan], dtype=np.float32), LANES)
    wave.v[8] = values.view(np.uint32)
    assert wave.run(store) == 0
    assert list(memory.bytes[:8]) == [0, 0, 128, 255, 255, 255, 0, 0]
    wave.v[8] = np.resize(np.array([-1000, -128, -1, 127, 1000], dtype=np.int32), LANES).view(np.uint32)
    assert wave.run(store_signed) == 0
    assert list(memory.bytes[:5].view(np.int8)) == [-128, -128, -1, 127, 127]


def test_half_precision_forms() -> None:
    loads = {
        n: f"buffer_load_format_d16_{n} {{d}}, v2, s[36:39], 0 idxen" for n in ("x", "xy", "xyz", "xyzw")
    }
    texts = [text.format(d=span(8, 1 if len(n) < 3 else 2)) for n, text in loads.items()]
    texts.append("buffer_load_format_d16_hi_x v8, v2, s[36:39], 0 idxen")
    memory = Memory(cases.random_words(256, 4) & np.uint32(0x7BFF7BFF))
    halves = memory.view(np.uint16)[:256].reshape(64, 4)
    for index, program in enumerate(assemble("gfx942", texts)):
        wave = Wave(memory=memory)
        wave.v[2], wave.v[8], wave.v[9] = LANE, 0xAAAABBBB, 0xCCCCDDDD
        wave.s[36:40] = Descriptor(memory.address, 64, 8, data_format=12, number_format=FLOAT).words()
        assert wave.run(program) == 0
        # Registers that are written are written whole.
        expected = np.tile(np.array([0, 0, 0xDDDD, 0xCCCC], dtype=np.uint16), (64, 1))
        if index in (2, 3):
            expected[:, 2:] = 0
        if index < 4:
            expected[:, : index + 1] = halves[:, : index + 1]
        else:
            expected[:, 1] = halves[:, 0]
        got = np.ascontiguousarray(wave.v[8:10].T).view(np.uint16)
        assert np.array_equal(got, expected), index


def test_half_precision_stores() -> None:
    forms = {"d16_x": 1, "d16_xy": 1, "d16_xyz": 2, "d16_xyzw": 2, "d16_hi_x": 1}
    texts = [f"buffer_store_format_{n} {span(8, c)}, v2, s[36:39], 0 idxen" for n, c in forms.items()]
    for name, program in zip(forms, assemble("gfx942", texts), strict=True):
        memory = Memory(np.full(256, 0x11111111, dtype=np.uint32))
        wave = Wave(memory=memory)
        wave.v[2] = LANE
        wave.v[8], wave.v[9] = cases.random_words(64, 1) & 0x7BFF7BFF, cases.random_words(64, 2) & 0x7BFF7BFF
        halves = np.ascontiguousarray(wave.v[8:10].T).view(np.uint16)
        wave.s[36:40] = Descriptor(memory.address, 64, 8, data_format=12, number_format=FLOAT).words()
        assert wave.run(program) == 0
        stored = memory.view(np.uint16).reshape(-1, 4)[:64]
        count = 1 if name.endswith("_x") else len(name) - 4
        source = halves[:, 1:2] if "hi" in name else halves[:, :count]
        # An element is written as a whole: components that the instruction lacks are zero.
        assert np.array_equal(stored[:, :count], source), name
        assert not stored[:, count:].any()


def test_component_selection_and_reserved_formats() -> None:
    (load,) = assemble("gfx942", ["buffer_load_format_xyzw v[8:11], v2, s[36:39], 0 idxen"])
    memory = Memory(cases.random_words(256, 4))
    wave = Wave(memory=memory)
    wave.v[2] = LANE
    wave.s[36:40] = Descriptor(
        memory.address, 64, 16, data_format=14, number_format=UINT, select=(7, 0, 1, 4)
    ).words()
    assert wave.run(load) == 0
    words = memory.view(np.uint32).reshape(64, 4)
    assert np.array_equal(
        wave.v[8:12].T, np.stack([words[:, 3], 0 * LANE, 0 * LANE + 1, words[:, 0]], axis=1)
    )
    wave.s[39] &= 0xFFF87FFF
    assert wave.run(load) == UNSUPPORTED


def test_instruction_format_beats_the_descriptor() -> None:
    names = ["x", "xy", "xyz", "xyzw"]
    form = "format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UINT]"
    texts = [
        f"tbuffer_{k}_format_{n} {span(8, c)}, v2, s[36:39], 0 {form} idxen"
        for k in ("load", "store")
        for n, c in zip(names, (1, 2, 3, 4), strict=True)
    ]
    texts += [
        f"tbuffer_{k}_format_d16_{n} {span(8, c)}, v2, s[36:39], 0 {form} idxen"
        for k in ("load", "store")
        for n, c in zip(names, (1, 1, 2, 2), strict=True)
    ]
    programs = assemble("gfx942", texts)
    for index, program in enumerate(programs):
        count, stores, halves = index % 4 + 1, index // 4 % 2 == 1, index >= 8
        memory = Memory(cases.random_words(64, index))
        before = memory.bytes.reshape(64, 4).copy()
        wave = Wave(memory=memory)
        wave.v[2] = LANE
        wave.s[36:40] = Descriptor(memory.address, 64, 4, data_format=4, number_format=FLOAT).words()
        values = np.random.default_rng(index).integers(0, 256, (64, 4), dtype=np.uint32)
        if stores:
            packed = np.ascontiguousarray(values.astype(np.uint16)).view(np.uint32) if halves else values
            wave.v[8 : 8 + packed.shape[1]] = packed.T
        assert wave.run(program) == 0, wave.message
        if stores:
            assert np.array_equal(memory.bytes.reshape(64, 4)[:, :count], values[:, :count])
        elif halves:
            assert np.array_equal(
                np.ascontiguousarray(wave.v[8:10].T).view(np.uint16)[:, :count], before[:, :count]
            )
        else:
            assert np.array_equal(wave.v[8 : 8 + count].T, before[:, :count])


@pytest.mark.parametrize("arch", ["gfx942", "gfx90a"])
def test_every_instruction_is_covered(arch: str) -> None:
    shapes = ["x", "xy", "xyz", "xyzw"]
    typed = {f"{k}_format_{d}{n}" for k in ("load", "store") for d in ("", "d16_") for n in shapes}
    covered = {f"{p}buffer_{name}" for name in typed for p in ("", "t")}
    covered |= {"buffer_load_format_d16_hi_x", "buffer_store_format_d16_hi_x"}
    covered |= {f"buffer_{name}" for name in [*LOADS, *STORES]}
    covered |= {f"buffer_{name}" for name in MEMORY_ATOMICS if name != "atomic_pk_add_bf16"}
    gfx90a_only = {"buffer_invl2", "buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_store_lds_dword"}
    covered |= {"buffer_wbl2"} | ({"buffer_inv"} if arch == "gfx942" else gfx90a_only)
    assert instructions(arch, "MUBUF", "MTBUF") == covered


@pytest.mark.parametrize("arch", ["gfx942", "gfx90a"])
def test_cache_control_changes_nothing(arch: str) -> None:
    texts = {
        "gfx942": ["buffer_inv sc0 sc1", "buffer_inv sc1", "buffer_wbl2 sc1"],
        "gfx90a": ["buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_wbl2", "buffer_invl2"],
    }[arch]
    for program in assemble(arch, [f"{text}\ns_mov_b32 s8, 5" for text in texts]):
        wave = Wave(arch)
        assert wave.run(program) == 0
        assert wave.s[8] == 5


LDS_LOADS = {
    "ubyte": "load_ubyte",
    "sbyte": "load_sbyte",
    "ushort": "load_ushort",
    "sshort": "load_sshort",
    "dword": "load_dword",
}


@pytest.mark.parametrize("name", LDS_LOADS)
@pytest.mark.parametrize("arch", ["gfx942", "gfx90a"])
def test_loads_to_lds(arch: str, name: str) -> None:
    load = LOADS[LDS_LOADS[name]]
    texts = [f"buffer_load_{name} v2, s[36:39], 0 offen offset:16 lds"]
    if arch == "gfx942":
        texts += [
            f"global_load_lds_{name} v2, s[36:37] offset:16",
            f"global_load_lds_{name} v[4:5], off offset:16",
        ]
    else:
        texts += [
            f"global_load_{name} v2, s[36:37] offset:16 lds",
            f"global_load_{name} v[4:5], off offset:16 lds",
        ]
    for program in assemble(arch, texts):
        for mask in cases.masks(2).values():
            memory = Memory(cases.random_words(1024, 2))
            wave = Wave(arch, memory)
            place = np.random.default_rng(3).integers(0, 2000, LANES)
            wave.v[2] = place
            wave.set_v64(4, memory.address + place)
            wave.s[36:40] = Descriptor(memory.address, 4096).words()
            wave.s[M0] = 0xF0000100
            wave.exec = mask
            expected = wave.lds.view(np.uint32).copy()
            for lane in cases.lanes(mask):
                raw = memory.bytes[place[lane] + 16 :][: load.bytes].tobytes()
                expected[(0x100 + 16) // 4 + lane] = load.to_registers(raw)[0]
            assert wave.run(program) == 0, wave.message
            assert np.array_equal(wave.lds.view(np.uint32), expected)


def test_scratch_and_formats_load_to_lds() -> None:
    scratch, typed = assemble(
        "gfx942",
        [
            "scratch_store_dword off, v8, off offset:20\n"
            + "\n".join(
                f"s_movk_i32 m0, {0x100 * i:#x}\nscratch_load_lds_{name} off, off offset:20"
                for i, name in enumerate(LDS_LOADS)
            ),
            "buffer_load_format_x v2, s[36:39], 0 idxen lds",
        ],
    )
    wave = Wave()
    wave.v[8] = cases.random_words(64, 8)
    assert wave.run(scratch) == 0, wave.message
    words = wave.lds.view(np.uint32)
    for i, name in enumerate(LDS_LOADS.values()):
        expected = [
            LOADS[name].to_registers(int(x).to_bytes(4, "little")[: LOADS[name].bytes])[0] for x in wave.v[8]
        ]
        assert list(words[64 * i + 5 :][:59]) == expected[:59], name  # the next one overwrites the rest
    memory = Memory(cases.random_words(64, 8))
    wave = Wave(memory=memory)
    wave.v[2] = LANE
    wave.s[36:40] = Descriptor(memory.address, 64, 4, data_format=3, number_format=UINT).words()
    assert wave.run(typed) == 0, wave.message
    assert np.array_equal(wave.lds.view(np.uint32)[:64], memory.bytes.reshape(64, 4)[:, 0])


def test_stores_from_lds() -> None:
    (program,) = assemble("gfx90a", ["buffer_store_lds_dword s[36:39], s40 offset:8 lds"])
    memory = Memory(np.zeros(256, dtype=np.uint32))
    wave = Wave("gfx90a", memory)
    wave.lds.view(np.uint32)[:256] = cases.random_words(256, 1)
    wave.s[M0], wave.s[40] = 64, 12
    wave.s[36:40] = Descriptor(memory.address, 1024, stride=4, adds_lane=True).words()
    assert wave.run(program) == 0, wave.message
    assert np.array_equal(memory.view(np.uint32)[5:69], wave.lds.view(np.uint32)[18:82])
    assert wave.exec == ALL
