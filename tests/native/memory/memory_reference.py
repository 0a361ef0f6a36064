"""What memory instructions do, written from the ISA manual: data kinds and read-modify-write operations."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def signed(x: int, bits: int) -> int:
    return x - (1 << bits) if x >> (bits - 1) & 1 else x


@dataclass(frozen=True)
class Load:
    bytes: int
    to_registers: Callable[[bytes], list[int]]


@dataclass(frozen=True)
class Store:
    bytes: int
    from_registers: Callable[[list[int]], bytes]


def _dwords(count: int) -> Load:
    return Load(4 * count, lambda raw: list(struct.unpack(f"<{count}I", raw)))


def _widened(code: str) -> Load:
    return Load(struct.calcsize(code), lambda raw: [struct.unpack("<" + code, raw)[0] & M32])


def _half(code: str, high: bool) -> Load:
    """With ECC, the other half becomes zero: CDNA3 ISA, "16-bit Memory Operations"."""
    shift = 16 if high else 0
    return Load(struct.calcsize(code), lambda raw: [(struct.unpack("<" + code, raw)[0] & 0xFFFF) << shift])


def _store(count: int) -> Store:
    return Store(4 * count, lambda registers: struct.pack(f"<{count}I", *registers[:count]))


def _narrow(size: int, high: bool) -> Store:
    shift = 16 if high else 0
    return Store(size, lambda registers: (registers[0] >> shift).to_bytes(8, "little")[:size])


LOADS: dict[str, Load] = {
    "load_ubyte": _widened("B"),
    "load_sbyte": _widened("b"),
    "load_ushort": _widened("H"),
    "load_sshort": _widened("h"),
    "load_dword": _dwords(1),
    "load_dwordx2": _dwords(2),
    "load_dwordx3": _dwords(3),
    "load_dwordx4": _dwords(4),
    "load_ubyte_d16": _half("B", False),
    "load_ubyte_d16_hi": _half("B", True),
    "load_sbyte_d16": _half("b", False),
    "load_sbyte_d16_hi": _half("b", True),
    "load_short_d16": _half("H", False),
    "load_short_d16_hi": _half("H", True),
}
STORES: dict[str, Store] = {
    "store_byte": _narrow(1, False),
    "store_byte_d16_hi": _narrow(1, True),
    "store_short": _narrow(2, False),
    "store_short_d16_hi": _narrow(2, True),
    "store_dword": _store(1),
    "store_dwordx2": _store(2),
    "store_dwordx3": _store(3),
    "store_dwordx4": _store(4),
}
DS_READS: dict[str, Load] = {
    "ds_read_b32": _dwords(1),
    "ds_read_b64": _dwords(2),
    "ds_read_b96": _dwords(3),
    "ds_read_b128": _dwords(4),
    "ds_read_u8": _widened("B"),
    "ds_read_i8": _widened("b"),
    "ds_read_u16": _widened("H"),
    "ds_read_i16": _widened("h"),
    "ds_read_u8_d16": _half("B", False),
    "ds_read_u8_d16_hi": _half("B", True),
    "ds_read_i8_d16": _half("b", False),
    "ds_read_i8_d16_hi": _half("b", True),
    "ds_read_u16_d16": _half("H", False),
    "ds_read_u16_d16_hi": _half("H", True),
}
DS_WRITES: dict[str, Store] = {
    "ds_write_b8": _narrow(1, False),
    "ds_write_b8_d16_hi": _narrow(1, True),
    "ds_write_b16": _narrow(2, False),
    "ds_write_b16_d16_hi": _narrow(2, True),
    "ds_write_b32": _store(1),
    "ds_write_b64": _store(2),
    "ds_write_b96": _store(3),
    "ds_write_b128": _store(4),
}


@dataclass(frozen=True)
class Atomic:
    """new = combine(old, first data operand, second data operand), all as unsigned bits."""

    bytes: int
    combine: Callable[[int, int, int], int]
    operands: int = 1
    floating: str = ""


def _integer(bits: int) -> dict[str, Atomic]:
    mask, size = (1 << bits) - 1, bits // 8

    def least(old: int, a: int, b: int) -> int:
        return min(old, a, key=lambda x: signed(x, bits))

    def greatest(old: int, a: int, b: int) -> int:
        return max(old, a, key=lambda x: signed(x, bits))

    return {
        "swap": Atomic(size, lambda old, a, b: a),
        "cmpswap": Atomic(size, lambda old, a, b: a if old == b else old, 2),
        "add": Atomic(size, lambda old, a, b: old + a & mask),
        "sub": Atomic(size, lambda old, a, b: old - a & mask),
        "rsub": Atomic(size, lambda old, a, b: a - old & mask),
        "smin": Atomic(size, least),
        "umin": Atomic(size, lambda old, a, b: min(old, a)),
        "smax": Atomic(size, greatest),
        "umax": Atomic(size, lambda old, a, b: max(old, a)),
        "and": Atomic(size, lambda old, a, b: old & a),
        "or": Atomic(size, lambda old, a, b: old | a),
        "xor": Atomic(size, lambda old, a, b: old ^ a),
        "inc": Atomic(size, lambda old, a, b: 0 if old >= a else old + 1),
        "dec": Atomic(size, lambda old, a, b: a if old == 0 or old > a else old - 1),
        "mskor": Atomic(size, lambda old, a, b: old & ~a | b, 2),
    }


def _float_type(bits: int) -> tuple[type[np.floating], type[np.unsignedinteger]]:
    return (np.float32, np.uint32) if bits == 32 else (np.float64, np.uint64)


def _value(x: int, bits: int) -> np.floating:
    floating, integer = _float_type(bits)
    return np.array(x, dtype=integer).view(floating)[()]


def _float_add(bits: int) -> Callable[[int, int, int], int]:
    floating, integer = _float_type(bits)

    def add(old: int, a: int, b: int) -> int:
        with np.errstate(all="ignore"):
            total = np.array(_value(old, bits) + _value(a, bits), dtype=floating)
        return int(total.view(integer)[()])

    return add


def flushed(x: int) -> int:
    """A float's bits with a denormal replaced by zero."""
    return x & 0x80000000 if x & 0x7F800000 == 0 else x


def _flushing_add(old: int, a: int, b: int) -> int:
    return flushed(_float_add(32)(flushed(old), flushed(a), 0))


def _float_extreme(bits: int, maximum: bool) -> Callable[[int, int, int], int]:
    def pick(old: int, a: int, b: int) -> int:
        x, y = _value(old, bits), _value(a, bits)
        if np.isnan(x) or np.isnan(y):
            return a if np.isnan(x) else old
        # Ordered by value, then by sign of zero.
        order = sorted(
            [old, a], key=lambda bits_: (float(_value(bits_, bits)), not np.signbit(_value(bits_, bits)))
        )
        return order[1] if maximum else order[0]

    return pick


def _half_sum(x: int, y: int) -> int:
    a, b = np.array([x, y], dtype=np.uint16).view(np.float16).astype(np.float64)
    with np.errstate(all="ignore"):
        return int(np.array(a + b).astype(np.float16).view(np.uint16)[()])


def _brain_value(x: int) -> float:
    return float(np.array(x << 16, dtype=np.uint32).view(np.float32)[()])


def _brain_sum(x: int, y: int) -> int:
    """The bfloat16 nearest to the exact sum, found among the neighbours of the truncated one."""
    total = _brain_value(x) + _brain_value(y)  # exact enough: 53 bits for operands of 8
    if np.isnan(total):
        return 0x7FC0
    with np.errstate(all="ignore"):
        near = int(np.array(total, dtype=np.float32).view(np.uint32)[()]) >> 16
    if np.isinf(total):
        return near
    candidates = (near - 1, near) if near & 0x7FFF == 0x7F80 else (near, near + 1)
    largest = Fraction(2) ** 128

    def distance(n: int) -> tuple[Fraction, int]:
        value = _brain_value(n)
        exact = largest if value == np.inf else -largest if value == -np.inf else Fraction(value)
        return abs(exact - Fraction(total)), n & 1

    return min(candidates, key=distance)


def _packed_add(half_sum: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda old, a, b: half_sum(old & 0xFFFF, a & 0xFFFF) | half_sum(old >> 16, a >> 16) << 16


FLOAT_ATOMICS: dict[str, Atomic] = {
    "add_f32": Atomic(4, _float_add(32), floating="f32"),
    "add_f64": Atomic(8, _float_add(64), floating="f64"),
    "min_f64": Atomic(8, _float_extreme(64, False), floating="f64"),
    "max_f64": Atomic(8, _float_extreme(64, True), floating="f64"),
    "min_f32": Atomic(4, _float_extreme(32, False), floating="f32"),
    "max_f32": Atomic(4, _float_extreme(32, True), floating="f32"),
    "pk_add_f16": Atomic(4, _packed_add(_half_sum), floating="f16"),
    "pk_add_bf16": Atomic(4, _packed_add(_brain_sum), floating="bf16"),
}

# The memory of gfx90a has no denormal floats.
GFX90A_ADD_F32 = Atomic(4, _flushing_add, floating="f32")

_I32, _I64 = _integer(32), _integer(64)
_MEMORY_NAMES = [
    "swap",
    "cmpswap",
    "add",
    "sub",
    "smin",
    "umin",
    "smax",
    "umax",
    "and",
    "or",
    "xor",
    "inc",
    "dec",
]
INTEGER_ATOMICS = {f"atomic_{n}": _I32[n] for n in _MEMORY_NAMES} | {
    f"atomic_{n}_x2": _I64[n] for n in _MEMORY_NAMES
}
MEMORY_ATOMICS = INTEGER_ATOMICS | {
    f"atomic_{name}": FLOAT_ATOMICS[name]
    for name in ("add_f32", "add_f64", "min_f64", "max_f64", "pk_add_f16", "pk_add_bf16")
}


def _compare_store(size: int, view: Callable[[int], object]) -> Atomic:
    return Atomic(size, lambda old, a, b: b if view(old) == view(a) else old, 2)


def _conditional_exchange(old: int, a: int, b: int) -> int:
    new = 0
    for shift in (0, 32):
        data = a >> shift & M32
        new |= (data & 0x7FFFFFFF if data >> 31 else old >> shift & M32) << shift
    return new


def _ds() -> dict[str, Atomic]:
    table: dict[str, Atomic] = {}
    for bits, group in ((32, _I32), (64, _I64)):
        for name in ("add", "sub", "rsub", "inc", "dec"):
            table[f"ds_{name}_u{bits}"] = group[name]
        for name in ("min", "max"):
            table[f"ds_{name}_i{bits}"] = group["s" + name]
            table[f"ds_{name}_u{bits}"] = group["u" + name]
            table[f"ds_{name}_f{bits}"] = FLOAT_ATOMICS[f"{name}_f{bits}"]
        for name in ("and", "or", "xor", "mskor"):
            table[f"ds_{name}_b{bits}"] = group[name]
        table[f"ds_cmpst_b{bits}"] = _compare_store(bits // 8, lambda x: x)
        table[f"ds_cmpst_f{bits}"] = _compare_store(bits // 8, lambda x, bits=bits: float(_value(x, bits)))
        table[f"ds_add_f{bits}"] = FLOAT_ATOMICS[f"add_f{bits}"]
    table["ds_pk_add_f16"] = FLOAT_ATOMICS["pk_add_f16"]
    table["ds_pk_add_bf16"] = FLOAT_ATOMICS["pk_add_bf16"]
    return table


# The forms without a returned value; DS_RETURNING has the rest, and what exists only with one.
DS_ATOMICS = _ds()
DS_RETURNING = {
    f"ds_{'pk_add' if 'pk_' in name else name.split('_')[1]}_rtn_{name.split('_')[-1]}": atomic
    for name, atomic in DS_ATOMICS.items()
} | {
    "ds_wrxchg_rtn_b32": _I32["swap"],
    "ds_wrxchg_rtn_b64": _I64["swap"],
    "ds_wrap_rtn_b32": Atomic(4, lambda old, a, b: (old - a if old >= a else old + b) & M32, 2),
    "ds_condxchg32_rtn_b64": Atomic(8, _conditional_exchange),
}
