"""What the integer and bit instructions compute, on Python integers.

Signatures read "destination:sources"; a letter is a type: b u i 32 bits, t s 16 bits unsigned and signed,
B U I 64 bits, Q 128 bits, m a bit of a lane mask, o the old destination. A function gets the sources as raw
unsigned bits and gives the result, or (result, mask bit).
"""

from __future__ import annotations

from collections.abc import Callable

Reference = Callable[..., object]
TABLE: dict[str, tuple[str, Reference]] = {}
SATURATING: dict[str, Reference] = {}


def s(x: int, bits: int = 32) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def clip(x: int, low: int, high: int) -> int:
    return min(max(x, low), high)


def define(name: str, signature: str, function: Reference, saturating: Reference | None = None) -> None:
    TABLE[name] = (signature, function)
    if saturating:
        SATURATING[name] = saturating


U32, U64 = (0, 2**32 - 1), (0, 2**64 - 1)
I32 = (-(2**31), 2**31 - 1)
U16, I16 = (0, 65535), (-32768, 32767)


def wrap(
    function: Callable[..., int], limits: tuple[int, int], signed: int = 0
) -> tuple[Reference, Reference]:
    """The function modulo 2^n and with its result limited; `signed`: width to read sources as signed."""

    def read(values: tuple[int, ...]) -> list[int]:
        return [s(v, signed) for v in values] if signed else list(values)

    return (lambda *v: function(*read(v))), (lambda *v: clip(function(*read(v)), *limits))


def low16(x: int) -> int:
    return x & 0xFFFF


def halves(x: int) -> list[int]:
    return [x & 0xFFFF, x >> 16]


def fields(x: int, width: int, signed: bool) -> list[int]:
    parts = [x >> i & ((1 << width) - 1) for i in range(0, 32, width)]
    return [s(p, width) for p in parts] if signed else parts


def pairwise(function: Callable[..., int]) -> Reference:
    """Applies a function to the low and the high halves of its sources."""
    return lambda *v: low16(function(*(x & 0xFFFF for x in v))) | low16(function(*(x >> 16 for x in v))) << 16


def dot(width: int, signed: bool) -> Callable[..., int]:
    def total(a: int, b: int, c: int) -> int:
        products = zip(fields(a, width, signed), fields(b, width, signed), strict=True)
        return sum(x * y for x, y in products) + (s(c) if signed else c)

    return total


def sad(a: int, b: int, width: int = 8, masked: bool = False) -> int:
    pairs = zip(fields(a, width, False), fields(b, width, False), strict=True)
    return sum(abs(x - y) for x, y in pairs if not (masked and y == 0))


def window(a: int, i: int) -> int:
    return a >> (8 * i) & 0xFFFFFFFF


def quad(masked: bool, limit: bool) -> Reference:
    def result(a: int, b: int, c: int) -> int:
        sums = [sad(window(a, i), b, 8, masked) + (c >> (16 * i) & 0xFFFF) for i in range(4)]
        return sum((min(x, 65535) if limit else x & 0xFFFF) << (16 * i) for i, x in enumerate(sums))

    return result


def quad32(limit: bool) -> Reference:
    def result(a: int, b: int, c: int) -> int:
        sums = [sad(window(a, i), b, 8, True) + (c >> (32 * i) & 0xFFFFFFFF) for i in range(4)]
        return sum((min(x, 2**32 - 1) if limit else x & 0xFFFFFFFF) << (32 * i) for i, x in enumerate(sums))

    return result


def perm(a: int, b: int, selector: int) -> int:
    data = [(a << 32 | b) >> (8 * i) & 0xFF for i in range(8)]
    out = 0
    for i in range(4):
        sel = selector >> (8 * i) & 0xFF
        if sel >= 13:
            byte = 0xFF
        elif sel == 12:
            byte = 0
        elif sel >= 8:
            byte = 0xFF if data[(sel - 8) * 2 + 1] & 0x80 else 0
        else:
            byte = data[sel]
        out |= byte << (8 * i)
    return out


def bfe_i(a: int, b: int, c: int) -> int:
    width = c & 31
    return s(s(a) >> (b & 31) & ((1 << width) - 1), width) if width else 0


def lerp(a: int, b: int, c: int) -> int:
    return sum(((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) // 2 << i for i in (0, 8, 16, 24))


def first_high(a: int) -> int:
    return 32 - a.bit_length() if a else -1


def first_high_signed(a: int) -> int:
    text = f"{a:032b}"
    return text.find("1" if text[0] == "0" else "0")


def first_low(a: int) -> int:
    return (a & -a).bit_length() - 1 if a else -1


def define_arithmetic() -> None:
    define("v_add_u32", "u:uu", *wrap(lambda a, b: a + b, U32))
    define("v_sub_u32", "u:uu", *wrap(lambda a, b: a - b, U32))
    define("v_subrev_u32", "u:uu", *wrap(lambda a, b: b - a, U32))
    define("v_add_i32", "i:ii", *wrap(lambda a, b: a + b, I32, 32))
    define("v_sub_i32", "i:ii", *wrap(lambda a, b: a - b, I32, 32))
    define("v_add3_u32", "u:uuu", lambda a, b, c: a + b + c)
    define("v_xad_u32", "u:uuu", lambda a, b, c: (a ^ b) + c)
    define("v_lshl_add_u32", "u:uuu", lambda a, b, c: (a << (b & 31)) + c)
    define("v_add_lshl_u32", "u:uuu", lambda a, b, c: a + b << (c & 31))
    define("v_mul_lo_u32", "u:uu", lambda a, b: a * b)
    define("v_mul_hi_u32", "u:uu", lambda a, b: a * b >> 32)
    define("v_mul_hi_i32", "i:ii", lambda a, b: s(a) * s(b) >> 32)
    m24 = 0xFFFFFF
    define("v_mul_u32_u24", "u:uu", *wrap(lambda a, b: (a & m24) * (b & m24), U32))
    define("v_mul_hi_u32_u24", "u:uu", lambda a, b: (a & m24) * (b & m24) >> 32)
    define("v_mul_i32_i24", "i:ii", *wrap(lambda a, b: s(a, 24) * s(b, 24), I32))
    define("v_mul_hi_i32_i24", "i:ii", lambda a, b: s(a, 24) * s(b, 24) >> 32)
    define("v_mad_u32_u24", "u:uuu", *wrap(lambda a, b, c: (a & m24) * (b & m24) + c, U32))
    define("v_mad_i32_i24", "i:iii", *wrap(lambda a, b, c: s(a, 24) * s(b, 24) + s(c), I32))
    define("v_lshl_add_u64", "U:UuU", lambda a, b, c: (a << (b & 7)) + c)
    define("v_lshlrev_b64", "B:uB", lambda a, b: b << (a & 63))
    define("v_lshrrev_b64", "B:uB", lambda a, b: b >> (a & 63))
    define("v_ashrrev_i64", "I:uI", lambda a, b: s(b, 64) >> (a & 63))

    def mad_u64(a: int, b: int, c: int) -> tuple[int, int]:
        return a * b + c, (a * b + c) >> 64

    def mad_i64(a: int, b: int, c: int) -> tuple[int, int]:
        exact = s(a) * s(b) + s(c, 64)
        return exact, exact >> 64 & 1

    define("v_mad_u64_u32", "U:uuU", mad_u64)
    define("v_mad_i64_i32", "I:iiI", mad_i64)


def define_carry() -> None:
    define("v_add_co_u32", "u:uu", lambda a, b: (a + b, a + b >> 32))
    define("v_sub_co_u32", "u:uu", lambda a, b: (a - b, b > a))
    define("v_subrev_co_u32", "u:uu", lambda a, b: (b - a, a > b))
    define("v_addc_co_u32", "u:uum", lambda a, b, c: (a + b + c, a + b + c >> 32))
    define("v_subb_co_u32", "u:uum", lambda a, b, c: (a - b - c, b + c > a))
    define("v_subbrev_co_u32", "u:uum", lambda a, b, c: (b - a - c, a + c > b))


def define_logic() -> None:
    define("v_mov_b32", "b:b", lambda a: a)
    define("v_mov_b64", "B:B", lambda a: a)
    define("v_not_b32", "b:b", lambda a: ~a)
    define("v_and_b32", "b:bb", lambda a, b: a & b)
    define("v_or_b32", "b:bb", lambda a, b: a | b)
    define("v_xor_b32", "b:bb", lambda a, b: a ^ b)
    define("v_xnor_b32", "b:bb", lambda a, b: ~(a ^ b))
    define("v_and_or_b32", "b:bbb", lambda a, b, c: a & b | c)
    define("v_or3_b32", "b:bbb", lambda a, b, c: a | b | c)
    define("v_lshl_or_b32", "b:bub", lambda a, b, c: a << (b & 31) | c)
    define("v_lshlrev_b32", "b:ub", lambda a, b: b << (a & 31))
    define("v_lshrrev_b32", "b:ub", lambda a, b: b >> (a & 31))
    define("v_ashrrev_i32", "i:ui", lambda a, b: s(b) >> (a & 31))
    define("v_bfi_b32", "b:bbb", lambda a, b, c: a & b | ~a & c)
    define("v_bfm_b32", "b:uu", lambda a, b: ((1 << (a & 31)) - 1) << (b & 31))
    define("v_bfe_u32", "u:uuu", lambda a, b, c: a >> (b & 31) & ((1 << (c & 31)) - 1))
    define("v_bfe_i32", "i:iuu", bfe_i)
    define("v_alignbit_b32", "b:bbu", lambda a, b, c: (a << 32 | b) >> (c & 31))
    define("v_alignbyte_b32", "b:bbu", lambda a, b, c: (a << 32 | b) >> (8 * (c & 3)))
    define("v_bfrev_b32", "b:b", lambda a: int(f"{a:032b}"[::-1], 2))
    define("v_bcnt_u32_b32", "u:bu", lambda a, b: a.bit_count() + b)
    define("v_ffbh_u32", "i:u", first_high)
    define("v_ffbh_i32", "i:i", first_high_signed)
    define("v_ffbl_b32", "i:b", first_low)
    define("v_cndmask_b32", "b:bbm", lambda a, b, c: b if c else a)
    define("v_perm_b32", "b:bbb", perm)
    define("v_lerp_u8", "u:uuu", lerp)


def define_order() -> None:
    for kind, read in (("i", s), ("u", lambda x, bits=32: x & ((1 << bits) - 1))):
        for width in (32, 16):

            def ordered(pick: Callable[..., int], read=read, width=width) -> Reference:
                return lambda *v: pick([read(x, width) for x in v])

            letter = {("i", 32): "i", ("u", 32): "u", ("i", 16): "s", ("u", 16): "t"}[kind, width]
            define(f"v_min_{kind}{width}", f"{letter}:{letter * 2}", ordered(min))
            define(f"v_max_{kind}{width}", f"{letter}:{letter * 2}", ordered(max))
            keep = "o" if width == 16 else ""
            define(f"v_min3_{kind}{width}", f"{letter}{keep}:{letter * 3}", ordered(min))
            define(f"v_max3_{kind}{width}", f"{letter}{keep}:{letter * 3}", ordered(max))
            define(f"v_med3_{kind}{width}", f"{letter}{keep}:{letter * 3}", ordered(lambda v: sorted(v)[1]))


def define_16() -> None:
    define("v_add_u16", "t:tt", *wrap(lambda a, b: a + b, U16))
    define("v_sub_u16", "t:tt", *wrap(lambda a, b: a - b, U16))
    define("v_subrev_u16", "t:tt", *wrap(lambda a, b: b - a, U16))
    define("v_mul_lo_u16", "t:tt", lambda a, b: a * b)
    define("v_lshlrev_b16", "t:tt", lambda a, b: b << (a & 15))
    define("v_lshrrev_b16", "t:tt", lambda a, b: b >> (a & 15))
    define("v_ashrrev_i16", "s:ts", lambda a, b: s(b, 16) >> (a & 15))
    define("v_add_i16", "so:ss", *wrap(lambda a, b: a + b, I16, 16))
    define("v_sub_i16", "so:ss", *wrap(lambda a, b: a - b, I16, 16))
    define("v_mad_u16", "to:ttt", *wrap(lambda a, b, c: a * b + c, U16))
    define("v_mad_i16", "so:sss", *wrap(lambda a, b, c: a * b + c, I16, 16))
    define("v_mad_legacy_u16", "t:ttt", *wrap(lambda a, b, c: a * b + c, U16))
    define("v_mad_legacy_i16", "s:sss", *wrap(lambda a, b, c: a * b + c, I16, 16))
    define("v_mad_u32_u16", "u:ttu", *wrap(lambda a, b, c: a * b + c, U32))
    mad = lambda a, b, c: s(a, 16) * s(b, 16) + s(c)  # noqa: E731
    define("v_mad_i32_i16", "i:ssi", *wrap(mad, I32))
    define("v_sat_pk_u8_i16", "t:b", lambda a: clip(s(a, 16), 0, 255) | clip(s(a >> 16, 16), 0, 255) << 8)
    define("v_cvt_pk_u16_u32", "b:uu", lambda a, b: min(a, 65535) | min(b, 65535) << 16)
    pack = lambda a, b: low16(clip(s(a), *I16)) | low16(clip(s(b), *I16)) << 16  # noqa: E731
    define("v_cvt_pk_i16_i32", "b:ii", pack)
    define("v_pack_b32_f16", "b:tt", lambda a, b: a | b << 16)


def define_packed() -> None:
    limit_u = lambda f: pairwise(lambda *v: clip(f(*v), *U16))  # noqa: E731
    limit_i = lambda f: pairwise(lambda *v: clip(f(*(s(x, 16) for x in v)), *I16))  # noqa: E731
    add, sub, mad = (lambda a, b: a + b), (lambda a, b: a - b), (lambda a, b, c: a * b + c)
    for name, function in (("add", add), ("sub", sub), ("mad", mad)):
        sources = "b" * (3 if name == "mad" else 2)
        define(f"v_pk_{name}_u16", f"b:{sources}", pairwise(function), limit_u(function))
        define(f"v_pk_{name}_i16", f"b:{sources}", pairwise(function), limit_i(function))
    define("v_pk_mul_lo_u16", "b:bb", pairwise(lambda a, b: a * b))
    define("v_pk_lshlrev_b16", "b:bb", pairwise(lambda a, b: b << (a & 15)))
    define("v_pk_lshrrev_b16", "b:bb", pairwise(lambda a, b: b >> (a & 15)))
    define("v_pk_ashrrev_i16", "b:bb", pairwise(lambda a, b: s(b, 16) >> (a & 15)))
    define("v_pk_min_u16", "b:bb", pairwise(min))
    define("v_pk_max_u16", "b:bb", pairwise(max))
    define("v_pk_min_i16", "b:bb", pairwise(lambda a, b: min(s(a, 16), s(b, 16))))
    define("v_pk_max_i16", "b:bb", pairwise(lambda a, b: max(s(a, 16), s(b, 16))))


def define_sums() -> None:
    for width, name in ((16, "dot2_i32_i16"), (8, "dot4_i32_i8"), (4, "dot8_i32_i4")):
        total = dot(width, True)
        define(f"v_{name}", "i:bbi", total, lambda a, b, c, total=total: clip(total(a, b, c), *I32))
        define(f"v_{name.replace('_', 'c_', 1)}", "ia:bb", lambda a, b, old, total=total: total(a, b, old))
    for width, name in ((16, "dot2_u32_u16"), (8, "dot4_u32_u8"), (4, "dot8_u32_u4")):
        total = dot(width, False)
        define(f"v_{name}", "u:bbu", total, lambda a, b, c, total=total: clip(total(a, b, c), *U32))
    define("v_sad_u8", "u:bbu", *wrap(lambda a, b, c: sad(a, b) + c, U32))
    define("v_sad_hi_u8", "u:bbu", *wrap(lambda a, b, c: (sad(a, b) << 16) + c, U32))
    define("v_sad_u16", "u:bbu", *wrap(lambda a, b, c: sad(a, b, 16) + c, U32))
    define("v_sad_u32", "u:uuu", *wrap(lambda a, b, c: abs(a - b) + c, U32))
    define("v_msad_u8", "u:bbu", *wrap(lambda a, b, c: sad(a, b, 8, True) + c, U32))
    define("v_qsad_pk_u16_u8", "B:BbB", quad(False, False), quad(False, True))
    define("v_mqsad_pk_u16_u8", "B:BbB", quad(True, False), quad(True, True))
    define("v_mqsad_u32_u8", "Q:BbQ", quad32(False), quad32(True))


def define_compare() -> None:
    relations: dict[str, Callable[[int, int], bool]] = {
        "f": lambda a, b: False,
        "lt": lambda a, b: a < b,
        "eq": lambda a, b: a == b,
        "le": lambda a, b: a <= b,
        "gt": lambda a, b: a > b,
        "ne": lambda a, b: a != b,
        "ge": lambda a, b: a >= b,
        "t": lambda a, b: True,
    }
    letters = {"i16": "s", "u16": "t", "i32": "i", "u32": "u", "i64": "I", "u64": "U"}
    for kind, letter in letters.items():
        width = int(kind[1:])
        for name, relation in relations.items():

            def compare(a: int, b: int, relation=relation, width=width, kind=kind) -> bool:
                if kind[0] == "i":
                    return bool(relation(s(a, width), s(b, width)))
                return bool(relation(a & ((1 << width) - 1), b & ((1 << width) - 1)))

            for prefix in ("cmp", "cmpx"):
                define(f"v_{prefix}_{name}_{kind}", f":{letter * 2}", compare)


for _define in (
    define_arithmetic,
    define_carry,
    define_logic,
    define_order,
    define_16,
    define_packed,
    define_sums,
    define_compare,
):
    _define()
