"""Runs one vector instruction on chosen lanes and compares every lane with its reference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import float_reference
import integer_reference
import numpy as np
from bare_wave import ALL, LANES, VCC, Wave, assemble

TABLE = {**integer_reference.TABLE, **float_reference.TABLE}
WIDTH = {
    **dict.fromkeys("buif", 32),
    **dict.fromkeys("tsh", 16),
    **dict.fromkeys("BUId", 64),
    "Q": 128,
    "m": 1,
}
SOURCE = [4, 6, 8]  # v4, v[6:7], ... : room for wide values
WIDE_SOURCE = 12
DST = 20
LITERAL = {"f": 0x3FA00000, "h": 0x3D00}

EDGES = {
    32: [
        0,
        1,
        2,
        31,
        32,
        33,
        0x7FFFFFFF,
        0x80000000,
        0x80000001,
        0xFFFFFFFF,
        0xFFFF,
        0x10000,
        0x8000,
        0x00FF00FF,
    ],
    16: [0, 1, 2, 15, 16, 17, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0xFF, 0x100],
    64: [0, 1, 63, 64, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, 0x100000000],
}
FLOAT_EDGES = {
    "f": [
        0x00000000,
        0x80000000,
        0x3F800000,
        0xBF800000,
        0x7F800000,
        0xFF800000,
        0x7FC00001,
        0xFFC00002,
        0x7F800003,
        0xFF812345,
        0x00000001,
        0x80000001,
        0x007FFFFF,
        0x00800000,
        0x7F7FFFFF,
        0xFF7FFFFF,
        0x3F000000,
        0x40490FDB,
        0x4B000001,
        0x4F000000,
        0xCF000000,
        0x4F800000,
        0x5F000000,
        0x33800000,
        0x3FC00000,
        0x40200000,
        0xC0600000,
    ],
    "h": [
        0x0000,
        0x8000,
        0x3C00,
        0xBC00,
        0x7C00,
        0xFC00,
        0x7E01,
        0xFE02,
        0x7C03,
        0xFD45,
        0x0001,
        0x8001,
        0x03FF,
        0x0400,
        0x7BFF,
        0xFBFF,
        0x3800,
        0x4248,
        0x6401,
        0x1000,
        0x3E00,
        0x4100,
        0xC300,
    ],
    "d": [
        0x0000000000000000,
        0x8000000000000000,
        0x3FF0000000000000,
        0xBFF0000000000000,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0x7FF8000000000001,
        0xFFF8000000000002,
        0x7FF0000000000003,
        0xFFF123456789ABCD,
        0x0000000000000001,
        0x800FFFFFFFFFFFFF,
        0x0010000000000000,
        0x7FEFFFFFFFFFFFFF,
        0x3FE0000000000000,
        0x41DFFFFFFFC00000,
        0x41E0000000000000,
        0xC1E0000000000000,
        0x41EFFFFFFFE00000,
        0x4340000000000001,
        0x36A0000000000000,
        0x47EFFFFFF0000000,
        0x4004000000000000,
        0xC00C000000000000,
    ],
}
BITS = {"f": (32, 23, 8), "h": (16, 10, 5), "d": (64, 52, 11)}


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    signature: str

    @property
    def result(self) -> str:
        return self.signature.partition(":")[0]

    @property
    def sources(self) -> str:
        return self.signature.partition(":")[2]


def vgpr(number: int, letter: str) -> str:
    count = max(WIDTH[letter] // 32, 1)
    return f"v{number}" if count == 1 else f"v[{number}:{number + count - 1}]"


def source_register(index: int, letter: str) -> int:
    return WIDE_SOURCE if letter == "Q" else SOURCE[index]


def case_for(name: str, destination: int = DST, suffix: str = "") -> Case:
    """The instruction in its plain form: `destination` may be one of the sources."""
    signature = TABLE[name][0]
    result, _, sources = signature.partition(":")
    operands = [vgpr(destination, result[0])] if result else ["vcc"]
    if name in WRITES_MASK and result:
        operands.append("vcc")
    for index, letter in enumerate(sources):
        if letter == "k":
            operands.append(hex(LITERAL[result[0]]))
        elif letter == "m":
            operands.append("vcc")
        else:
            operands.append(vgpr(source_register(index, letter), letter))
    return Case(name, f"{name} {', '.join(operands)}{suffix}", signature)


WRITES_MASK = {
    *(
        "v_add_co_u32",
        "v_sub_co_u32",
        "v_subrev_co_u32",
        "v_addc_co_u32",
        "v_subb_co_u32",
        "v_subbrev_co_u32",
    ),
    *("v_mad_u64_u32", "v_mad_i64_i32", "v_div_scale_f32", "v_div_scale_f64"),
}


def values(letter: str, rng: np.random.Generator, count: int) -> list[int]:
    """Half edge values, half random ones; random floats are mostly of ordinary size."""
    width = WIDTH[letter]
    if letter in FLOAT_EDGES:
        bits, mantissa, exponent_bits = BITS[letter]
        edges = FLOAT_EDGES[letter]
        middle = (1 << (exponent_bits - 1)) - 1
        spread = max(middle // 8, 4)
        randoms = []
        for _ in range(count):
            anything = int.from_bytes(rng.bytes(8), "little") % (1 << bits)
            exponent = int(rng.integers(middle - spread, middle + spread))
            usual = anything & ~(((1 << exponent_bits) - 1) << mantissa) | exponent << mantissa
            randoms.append(usual if rng.random() < 0.7 else anything)
    else:
        edges = EDGES.get(width, [0, 1, (1 << width) - 1])
        randoms = [int.from_bytes(rng.bytes(16), "little") % (1 << width) for _ in range(count)]
    return [edges[int(rng.integers(len(edges)))] if rng.random() < 0.5 else number for number in randoms]


def set_lanes(wave: Wave, register: int, letter: str, lanes: list[int], rng: np.random.Generator) -> None:
    width = WIDTH[letter]
    if width == 16:  # what lies above a 16-bit value must not matter
        lanes = [x | int(rng.integers(0, 65536)) << 16 for x in lanes]
    for part in range(max(width // 32, 1)):
        wave.v[register + part] = np.array([x >> (32 * part) & 0xFFFFFFFF for x in lanes], dtype=np.uint32)


def get_lanes(wave: Wave, register: int, letter: str) -> list[int]:
    parts = max(WIDTH[letter] // 32, 1)
    return [sum(int(wave.v[register + p][lane]) << (32 * p) for p in range(parts)) for lane in range(LANES)]


def random_exec(rng: np.random.Generator) -> int:
    choice = rng.integers(0, 4)
    if choice == 0:
        return ALL
    if choice == 1:
        return 1 << int(rng.integers(0, 64))
    return int.from_bytes(rng.bytes(8), "little")


def mask_of(bits: Iterable[object]) -> int:
    return sum(1 << lane for lane, bit in enumerate(bits) if bit)


def expected_bits(case: Case, new: object, old: int) -> int:
    letter, rule = case.result[0], case.result[1:]
    assert isinstance(new, int)
    if rule == "H":  # the result is the upper half
        return old & 0xFFFF | (new & 0xFFFF) << 16
    bits = new & ((1 << WIDTH[letter]) - 1)
    if "o" in rule:
        return old & 0xFFFF0000 | bits & 0xFFFF
    return bits


@cache
def code_for(arch: str, texts: tuple[str, ...]) -> dict[str, bytes]:
    return dict(zip(texts, assemble(arch, texts), strict=True))


def check(
    arch: str, case: Case, code: bytes, rounds: int = 2, seed: int = 1, destination: int = DST, reference=None
) -> None:
    """Runs the instruction on `rounds` waves with random EXEC; compares all lanes and the mask it writes."""
    function = reference or TABLE[case.name][1]
    rng = np.random.default_rng([seed, *case.name.encode()])
    for _ in range(rounds):
        wave = Wave(arch)
        wave.exec = random_exec(rng)
        wave.v[:32] = rng.integers(0, 2**32, (32, LANES), dtype=np.uint32)
        carries = int.from_bytes(rng.bytes(8), "little")
        wave.set_s64(VCC, carries)
        inputs: list[list[int]] = []
        for index, letter in enumerate(case.sources):
            if letter == "m":
                inputs.append([carries >> lane & 1 for lane in range(LANES)])
            elif letter == "k":
                inputs.append([LITERAL[case.result[0]]] * LANES)
            else:
                lanes = values(letter, rng, LANES)
                inputs.append(lanes)
                set_lanes(wave, source_register(index, letter), letter, lanes, rng)
        if "a" in case.result[1:]:
            old_values = values(case.result[0], rng, LANES)
            if destination == DST:
                set_lanes(wave, DST, case.result[0], old_values, rng)
            old_lanes = get_lanes(wave, destination, case.result[0])
            inputs.append([x & ((1 << WIDTH[case.result[0]]) - 1) for x in old_lanes])
        before = get_lanes(wave, destination, case.result[0]) if case.result else []
        exec_before = wave.exec
        kind = wave.run(code)
        assert kind == 0, f"{case.text}: {wave.message}"
        outcomes = [function(*lane) for lane in zip(*inputs, strict=True)]
        mask_bits = [o[1] if isinstance(o, tuple) else o for o in outcomes]
        if case.result:
            after = get_lanes(wave, destination, case.result[0])
            for lane in range(LANES):
                new = outcomes[lane][0] if isinstance(outcomes[lane], tuple) else outcomes[lane]
                active = exec_before >> lane & 1
                want = expected_bits(case, new, before[lane]) if active else before[lane]
                shown = [hex(values[lane]) for values in inputs]
                assert after[lane] == want, (
                    f"{case.text} lane {lane} {shown}: {after[lane]:#x}, expected {want:#x}"
                )
        if case.name in WRITES_MASK or not case.result:
            want_mask = mask_of(mask_bits) & exec_before
            assert wave.s64(VCC) == want_mask, (
                f"{case.text}: mask {wave.s64(VCC):#x}, expected {want_mask:#x}"
            )
        wants_exec = mask_of(mask_bits) & exec_before if case.name.startswith("v_cmpx") else exec_before
        assert wave.exec == wants_exec, f"{case.text}: EXEC {wave.exec:#x}, expected {wants_exec:#x}"
