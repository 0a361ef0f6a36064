"""What scalar instructions compute, written from the ISA manual with Python's integers.

Each function takes its sources as unsigned numbers and the old SCC, and gives (result, SCC).
"""

from __future__ import annotations

from collections.abc import Callable

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
Result = tuple[int, int]
Two = Callable[[int, int, int], Result]
One = Callable[[int, int], Result]


def signed(x: int, bits: int = 32) -> int:
    return x - (1 << bits) if x >> (bits - 1) & 1 else x


def _nonzero(function: Callable[[int, int], int], bits: int) -> Two:
    mask = (1 << bits) - 1
    return lambda a, b, scc: ((r := function(a, b) & mask), int(r != 0))


def _keeps_scc(function: Callable[[int, int], int], bits: int = 32) -> Two:
    mask = (1 << bits) - 1
    return lambda a, b, scc: (function(a, b) & mask, scc)


def _overflow(exact: int) -> int:
    return int(not -(1 << 31) <= exact < 1 << 31)


def _field(a: int, b: int, bits: int, is_signed: bool) -> int:
    offset, width = b & (bits - 1), b >> 16 & 0x7F
    value = (signed(a, bits) if is_signed else a) >> offset
    if width >= bits:
        return value
    value &= (1 << width) - 1
    return signed(value, width) if is_signed and width else value


def _logic(bits: int) -> dict[str, Two]:
    return {
        f"s_and_b{bits}": _nonzero(lambda a, b: a & b, bits),
        f"s_or_b{bits}": _nonzero(lambda a, b: a | b, bits),
        f"s_xor_b{bits}": _nonzero(lambda a, b: a ^ b, bits),
        f"s_andn2_b{bits}": _nonzero(lambda a, b: a & ~b, bits),
        f"s_orn2_b{bits}": _nonzero(lambda a, b: a | ~b, bits),
        f"s_nand_b{bits}": _nonzero(lambda a, b: ~(a & b), bits),
        f"s_nor_b{bits}": _nonzero(lambda a, b: ~(a | b), bits),
        f"s_xnor_b{bits}": _nonzero(lambda a, b: ~(a ^ b), bits),
        f"s_lshl_b{bits}": _nonzero(lambda a, b: a << (b & (bits - 1)), bits),
        f"s_lshr_b{bits}": _nonzero(lambda a, b: a >> (b & (bits - 1)), bits),
        f"s_ashr_i{bits}": _nonzero(lambda a, b: signed(a, bits) >> (b & (bits - 1)), bits),
        f"s_bfm_b{bits}": _keeps_scc(lambda a, b: ((1 << (a & (bits - 1))) - 1) << (b & (bits - 1)), bits),
        f"s_bfe_u{bits}": _nonzero(lambda a, b: _field(a, b, bits, False), bits),
        f"s_bfe_i{bits}": _nonzero(lambda a, b: _field(a, b, bits, True), bits),
        f"s_cselect_b{bits}": lambda a, b, scc: (a if scc else b, scc),
    }


TWO_SOURCES: dict[str, Two] = {
    **_logic(32),
    **_logic(64),
    "s_add_u32": lambda a, b, scc: (a + b & M32, a + b >> 32),
    "s_sub_u32": lambda a, b, scc: (a - b & M32, int(b > a)),
    "s_add_i32": lambda a, b, scc: (a + b & M32, _overflow(signed(a) + signed(b))),
    "s_sub_i32": lambda a, b, scc: (a - b & M32, _overflow(signed(a) - signed(b))),
    "s_addc_u32": lambda a, b, scc: (a + b + scc & M32, a + b + scc >> 32),
    "s_subb_u32": lambda a, b, scc: (a - b - scc & M32, int(b + scc > a)),
    "s_min_i32": lambda a, b, scc: (min(a, b, key=signed), int(signed(a) < signed(b))),
    "s_min_u32": lambda a, b, scc: (min(a, b), int(a < b)),
    "s_max_i32": lambda a, b, scc: (max(a, b, key=signed), int(signed(a) > signed(b))),
    "s_max_u32": lambda a, b, scc: (max(a, b), int(a > b)),
    "s_mul_i32": _keeps_scc(lambda a, b: a * b),
    "s_mul_hi_u32": _keeps_scc(lambda a, b: a * b >> 32),
    "s_mul_hi_i32": _keeps_scc(lambda a, b: signed(a) * signed(b) >> 32),
    "s_absdiff_i32": _nonzero(lambda a, b: abs(signed(a - b & M32)), 32),
    "s_lshl1_add_u32": lambda a, b, scc: ((a << 1) + b & M32, int((a << 1) + b > M32)),
    "s_lshl2_add_u32": lambda a, b, scc: ((a << 2) + b & M32, int((a << 2) + b > M32)),
    "s_lshl3_add_u32": lambda a, b, scc: ((a << 3) + b & M32, int((a << 3) + b > M32)),
    "s_lshl4_add_u32": lambda a, b, scc: ((a << 4) + b & M32, int((a << 4) + b > M32)),
    "s_pack_ll_b32_b16": _keeps_scc(lambda a, b: (a & 0xFFFF) | (b & 0xFFFF) << 16),
    "s_pack_lh_b32_b16": _keeps_scc(lambda a, b: (a & 0xFFFF) | b >> 16 << 16),
    "s_pack_hh_b32_b16": _keeps_scc(lambda a, b: a >> 16 | b >> 16 << 16),
}


def _compare(suffix: str, view: Callable[[int], int]) -> dict[str, Callable[[int, int], bool]]:
    return {
        f"eq_{suffix}": lambda a, b: view(a) == view(b),
        f"lg_{suffix}": lambda a, b: view(a) != view(b),
        f"gt_{suffix}": lambda a, b: view(a) > view(b),
        f"ge_{suffix}": lambda a, b: view(a) >= view(b),
        f"lt_{suffix}": lambda a, b: view(a) < view(b),
        f"le_{suffix}": lambda a, b: view(a) <= view(b),
    }


ORDER = {**_compare("i32", signed), **_compare("u32", lambda x: x)}
COMPARE: dict[str, Callable[[int, int], bool]] = {
    **{f"s_cmp_{name}": function for name, function in ORDER.items()},
    "s_cmp_eq_u64": lambda a, b: a == b,
    "s_cmp_lg_u64": lambda a, b: a != b,
    "s_bitcmp0_b32": lambda a, b: not a >> (b & 31) & 1,
    "s_bitcmp1_b32": lambda a, b: bool(a >> (b & 31) & 1),
    "s_bitcmp0_b64": lambda a, b: not a >> (b & 63) & 1,
    "s_bitcmp1_b64": lambda a, b: bool(a >> (b & 63) & 1),
}
COMPARE_IMMEDIATE = {f"s_cmpk_{name}": function for name, function in ORDER.items()}


def _quads(a: int, bits: int) -> list[int]:
    return [int(a >> 4 * quad & 15 != 0) for quad in range(bits // 4)]


def _first(text: str, wanted: str) -> int:
    """Place of the first wanted digit, all ones when there is none."""
    return text.index(wanted) if wanted in text else M32


def _binary(a: int, bits: int) -> str:
    return format(a, f"0{bits}b")


def _sign_run(a: int, bits: int) -> int:
    text = _binary(a, bits)
    return _first(text, "0" if text[0] == "1" else "1")


def _wide(bits: int) -> dict[str, One]:
    mask = (1 << bits) - 1

    def nz(function: Callable[[int], int]) -> One:
        return lambda a, scc: ((r := function(a)), int(r != 0))

    def kept(function: Callable[[int], int]) -> One:
        return lambda a, scc: (function(a), scc)

    return {
        f"s_mov_b{bits}": kept(lambda a: a),
        f"s_not_b{bits}": nz(lambda a: ~a & mask),
        f"s_wqm_b{bits}": nz(lambda a: sum(15 * q << 4 * i for i, q in enumerate(_quads(a, bits)))),
        f"s_quadmask_b{bits}": nz(lambda a: sum(q << i for i, q in enumerate(_quads(a, bits)))),
        f"s_brev_b{bits}": kept(lambda a: int(_binary(a, bits)[::-1], 2)),
        f"s_bcnt0_i32_b{bits}": nz(lambda a: _binary(a, bits).count("0")),
        f"s_bcnt1_i32_b{bits}": nz(lambda a: _binary(a, bits).count("1")),
        f"s_ff0_i32_b{bits}": kept(lambda a: _first(_binary(a, bits)[::-1], "0")),
        f"s_ff1_i32_b{bits}": kept(lambda a: _first(_binary(a, bits)[::-1], "1")),
        f"s_flbit_i32_b{bits}": kept(lambda a: _first(_binary(a, bits), "1")),
    }


ONE_SOURCE: dict[str, One] = {
    **_wide(32),
    **_wide(64),
    "s_flbit_i32": lambda a, scc: (_sign_run(a, 32), scc),
    "s_flbit_i32_i64": lambda a, scc: (_sign_run(a, 64), scc),
    "s_sext_i32_i8": lambda a, scc: (signed(a & 0xFF, 8) & M32, scc),
    "s_sext_i32_i16": lambda a, scc: (signed(a & 0xFFFF, 16) & M32, scc),
    "s_abs_i32": lambda a, scc: (abs(signed(a)) & M32, int(a != 0)),
    "s_bitreplicate_b64_b32": lambda a, scc: (int("".join(d * 2 for d in _binary(a, 32)), 2), scc),
}

# (source, old destination) -> new destination
BIT_SET: dict[str, Callable[[int, int], int]] = {
    "s_bitset0_b32": lambda a, old: old & ~(1 << (a & 31)) & M32,
    "s_bitset1_b32": lambda a, old: old | 1 << (a & 31),
    "s_bitset0_b64": lambda a, old: old & ~(1 << (a & 63)) & M64,
    "s_bitset1_b64": lambda a, old: old | 1 << (a & 63),
}

# (source, EXEC) -> new EXEC
SAVE_EXEC: dict[str, Callable[[int, int], int]] = {
    "s_and_saveexec_b64": lambda a, e: a & e,
    "s_or_saveexec_b64": lambda a, e: a | e,
    "s_xor_saveexec_b64": lambda a, e: a ^ e,
    "s_andn2_saveexec_b64": lambda a, e: a & ~e,
    "s_orn2_saveexec_b64": lambda a, e: (a | ~e) & M64,
    "s_nand_saveexec_b64": lambda a, e: ~(a & e) & M64,
    "s_nor_saveexec_b64": lambda a, e: ~(a | e) & M64,
    "s_xnor_saveexec_b64": lambda a, e: ~(a ^ e) & M64,
    "s_andn1_saveexec_b64": lambda a, e: ~a & e,
    "s_orn1_saveexec_b64": lambda a, e: (~a | e) & M64,
}
WRITE_EXEC: dict[str, Callable[[int, int], int]] = {
    "s_andn1_wrexec_b64": lambda a, e: ~a & e,
    "s_andn2_wrexec_b64": lambda a, e: a & ~e,
}


def source_bits(mnemonic: str, source: int) -> int:
    """Width of a source operand."""
    narrow_second = ("s_lsh", "s_ashr", "s_bfe", "s_bitcmp")
    if mnemonic in ("s_bfm_b64", "s_bitreplicate_b64_b32", "s_bitset0_b64", "s_bitset1_b64"):
        return 32
    if source == 1 and mnemonic.startswith(narrow_second):
        return 32
    return 64 if mnemonic.endswith("64") else 32


def result_bits(mnemonic: str) -> int:
    if "_i32_" in mnemonic:
        return 32
    return 64 if "64" in mnemonic else 32
