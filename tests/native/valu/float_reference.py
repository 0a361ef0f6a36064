"""What the floating-point instructions compute, by exact arithmetic.

Signatures as in integer_reference, with h f d for half, single and double precision. A destination letter
may be followed by o (the upper half stays), H (the result is the upper half) or a (the old destination is
the last source); a source k is the literal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import exact_float as x
from exact_float import DOUBLE, HALF, SINGLE, Format
from integer_reference import Reference, clip

TABLE: dict[str, tuple[str, Reference]] = {}
FORMATS = {"f16": (HALF, "h"), "f32": (SINGLE, "f"), "f64": (DOUBLE, "d")}
INVALID = {16: 0xFE00, 32: 0xFFC00000, 64: 0xFFF8000000000000}


def define(name: str, signature: str, function: Reference) -> None:
    TABLE[name] = (signature, function)


def is_integer(value: Fraction) -> bool:
    return value.denominator == 1


def rounder(f: Format, rule: Callable[[Fraction], int]) -> Reference:
    def result(a: int) -> int:
        if f.is_nan(a):
            return a | f.quiet
        if f.is_inf(a) or f.is_zero(a):
            return a
        return f.encode(Fraction(rule(f.value(a))), f.negative(a))

    return result


def nearest_even(value: Fraction) -> int:
    return round(value)  # Python rounds ties to even


def fract(f: Format) -> Reference:
    def result(a: int) -> int:
        if f.is_nan(a):
            return a | f.quiet
        if f.is_inf(a):
            return f.nan
        value = f.value(a)
        return min(f.encode(value - math.floor(value)), f.one - 1)

    return result


def frexp(f: Format, a: int) -> tuple[int, int]:
    if f.is_nan(a):
        return a | f.quiet, 0
    if f.is_inf(a) or f.is_zero(a):
        return a, 0
    value, exponent = abs(f.value(a)), 0
    while value >= 1:
        value, exponent = value / 2, exponent + 1
    while value < Fraction(1, 2):
        value, exponent = value * 2, exponent - 1
    return f.encode(value) | (a & f.sign), exponent


def ldexp(f: Format, a: int, n: int) -> int:
    if f.is_nan(a):
        return a | f.quiet
    if f.is_inf(a) or f.is_zero(a):
        return a
    return f.encode(f.value(a) * Fraction(2) ** clip(n, -5000, 5000), f.negative(a))


def to_integer(f: Format, a: int, low: int, high: int, rule: Callable[[Fraction], int] = math.trunc) -> int:
    if f.is_nan(a):
        return 0
    if f.is_inf(a):
        return low if f.negative(a) else high
    return clip(rule(f.value(a)), low, high)


def from_integer(f: Format, value: int) -> int:
    return f.encode(Fraction(value))


def div_fixup(f: Format) -> Reference:
    def result(q: int, d: int, n: int) -> int:
        nan = x.nan_of(f, n, d)
        if nan is not None:
            return nan
        sign = (d ^ n) & f.sign
        if (f.is_zero(d) and f.is_zero(n)) or (f.is_inf(d) and f.is_inf(n)):
            return INVALID[f.bits]
        if f.is_zero(d) or f.is_inf(n):
            return sign | f.inf
        if f.is_zero(n) or f.is_inf(d):
            return sign
        return sign | (f.inf if f.is_nan(q) else f.magnitude(q))

    return result


def define_arithmetic() -> None:
    for kind, (f, c) in FORMATS.items():
        pairs = f"{c}:{c}{c}"
        define(f"v_add_{kind}", pairs, lambda a, b, f=f: x.add(f, a, b))
        define(f"v_mul_{kind}", pairs, lambda a, b, f=f: x.mul(f, a, b))
        define(f"v_min_{kind}", pairs, lambda a, b, f=f: x.minimum(f, a, b))
        define(f"v_max_{kind}", pairs, lambda a, b, f=f: x.maximum(f, a, b))
        # Most instructions of 16 bits write whole registers; these do not (LLVM: zeroesHigh16BitsOfDest).
        result = f"{c}o" if kind == "f16" else c
        triple = f"{result}:{c * 3}"
        define(f"v_fma_{kind}", triple, lambda a, b, c, f=f: x.fma(f, a, b, c))
        define(f"v_div_fixup_{kind}", triple, div_fixup(f))
        if kind == "f64":
            continue
        # A difference of NaNs gives the NaN itself, not its negative.
        define(f"v_sub_{kind}", pairs, lambda a, b, f=f: x.nan_of(f, a, b) or x.add(f, a, x.neg(f, b)))
        define(f"v_subrev_{kind}", pairs, lambda a, b, f=f: x.nan_of(f, a, b) or x.add(f, b, x.neg(f, a)))
        define(f"v_min3_{kind}", triple, lambda a, b, c, f=f: x.minimum(f, x.minimum(f, a, b), c))
        define(f"v_max3_{kind}", triple, lambda a, b, c, f=f: x.maximum(f, x.maximum(f, a, b), c))
        define(f"v_med3_{kind}", triple, lambda a, b, c, f=f: x.median(f, a, b, c))
        define(f"v_mad_{kind}", triple, mad(f))
        define(f"v_mac_{kind}", f"{result}a:{c}{c}", mad(f))
        define(f"v_madak_{kind}", f"{result}:{c}{c}k", mad(f))
        define(f"v_madmk_{kind}", f"{result}:{c}k{c}", mad(f))
    define("v_fmac_f32", "fa:ff", lambda a, b, c: x.fma(SINGLE, a, b, c))
    define("v_fmac_f64", "da:dd", lambda a, b, c: x.fma(DOUBLE, a, b, c))
    define("v_fmaak_f32", "f:ffk", lambda a, b, c: x.fma(SINGLE, a, b, c))
    define("v_fmamk_f32", "f:fkf", lambda a, b, c: x.fma(SINGLE, a, b, c))
    define("v_fma_legacy_f16", "h:hhh", lambda a, b, c: x.fma(HALF, a, b, c))
    define("v_mad_legacy_f16", "h:hhh", mad(HALF))
    define("v_div_fixup_legacy_f16", "h:hhh", div_fixup(HALF))
    define("v_mul_legacy_f32", "f:ff", multiply_legacy)
    define("v_mad_legacy_f32", "f:fff", lambda a, b, c: add_first(SINGLE, multiply_legacy(a, b), a, b, c))


def add_first(f: Format, product: int, a: int, b: int, c: int) -> int:
    """product + c, where a NaN is the first among all three sources."""
    nan = x.nan_of(f, product)
    if nan is not None:
        return x.nan_of(f, a, b, c) or f.nan
    return x.add(f, product, c)


def mad(f: Format) -> Reference:
    def result(a: int, b: int, c: int) -> int:
        nan = x.nan_of(f, a, b, c)
        return nan if nan is not None else x.add(f, x.mul(f, a, b), c)

    return result


def multiply_legacy(a: int, b: int) -> int:
    return 0 if SINGLE.is_zero(a) or SINGLE.is_zero(b) else x.mul(SINGLE, a, b)


def define_rounding() -> None:
    for kind, (f, c) in FORMATS.items():
        define(f"v_trunc_{kind}", f"{c}:{c}", rounder(f, math.trunc))
        define(f"v_ceil_{kind}", f"{c}:{c}", rounder(f, math.ceil))
        define(f"v_floor_{kind}", f"{c}:{c}", rounder(f, math.floor))
        define(f"v_rndne_{kind}", f"{c}:{c}", rounder(f, nearest_even))
        define(f"v_fract_{kind}", f"{c}:{c}", fract(f))
        define(f"v_frexp_mant_{kind}", f"{c}:{c}", lambda a, f=f: frexp(f, a)[0])
        integer = "s" if kind == "f16" else "i"
        name = f"v_frexp_exp_i{16 if kind == 'f16' else 32}_{kind}"
        define(name, f"{integer}:{c}", lambda a, f=f: frexp(f, a)[1])
        width = 16 if kind == "f16" else 32

        def scale(a: int, n: int, f: Format = f, width: int = width) -> int:
            return ldexp(f, a, n - (1 << width) if n >> (width - 1) else n)

        define(f"v_ldexp_{kind}", f"{c}:{c}{integer}", scale)


def define_conversions() -> None:
    signed = lambda a: a - 2**32 if a >> 31 else a  # noqa: E731
    i32, u32 = (-(2**31), 2**31 - 1), (0, 2**32 - 1)
    for kind in ("f32", "f64"):
        f, c = FORMATS[kind]
        define(f"v_cvt_{kind}_i32", f"{c}:i", lambda a, f=f: from_integer(f, signed(a)))
        define(f"v_cvt_{kind}_u32", f"{c}:u", lambda a, f=f: from_integer(f, a))
        define(f"v_cvt_i32_{kind}", f"i:{c}", lambda a, f=f: to_integer(f, a, *i32))
        define(f"v_cvt_u32_{kind}", f"u:{c}", lambda a, f=f: to_integer(f, a, *u32))
    define("v_cvt_flr_i32_f32", "i:f", lambda a: to_integer(SINGLE, a, *i32, math.floor))
    half = SINGLE.encode(Fraction(1, 2))
    define("v_cvt_rpi_i32_f32", "i:f", lambda a: to_integer(SINGLE, x.add(SINGLE, a, half), *i32, math.floor))
    for n in range(4):
        define(f"v_cvt_f32_ubyte{n}", "f:u", lambda a, n=n: from_integer(SINGLE, a >> (8 * n) & 255))
    table = [0, 0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375]
    table += [-0.5, -0.4375, -0.375, -0.3125, -0.25, -0.1875, -0.125, -0.0625]
    define("v_cvt_off_f32_i4", "f:b", lambda a: SINGLE.encode(Fraction(table[a & 15])))
    define("v_cvt_f16_f32", "h:f", lambda a: x.convert(SINGLE, HALF, a))
    define("v_cvt_f32_f16", "f:h", lambda a: x.convert(HALF, SINGLE, a))
    define("v_cvt_f32_f64", "f:d", lambda a: x.convert(DOUBLE, SINGLE, a))
    define("v_cvt_f64_f32", "d:f", lambda a: x.convert(SINGLE, DOUBLE, a))
    define("v_cvt_f16_u16", "h:t", lambda a: from_integer(HALF, a))
    define("v_cvt_f16_i16", "h:s", lambda a: from_integer(HALF, a - 65536 if a >> 15 else a))
    define("v_cvt_u16_f16", "t:h", lambda a: to_integer(HALF, a, 0, 65535))
    define("v_cvt_i16_f16", "s:h", lambda a: to_integer(HALF, a, -32768, 32767))
    truncating = lambda a: x.convert(SINGLE, HALF, a, x.ZERO)  # noqa: E731
    define("v_cvt_pkrtz_f16_f32", "b:ff", lambda a, b: truncating(a) | truncating(b) << 16)
    for kind in ("f16", "f32"):
        f, c = FORMATS[kind]

        def norm(a: int, scale: int, low: int, f: Format = f) -> int:
            """The product is rounded to single precision before it is rounded to an integer."""
            wide = a if f is SINGLE else x.convert(f, SINGLE, a)
            product = x.mul(SINGLE, wide, from_integer(SINGLE, scale))
            return to_integer(SINGLE, product, low, scale, nearest_even) & 0xFFFF

        two = lambda a, b, n, low, norm=norm: norm(a, n, low) | norm(b, n, low) << 16  # noqa: E731
        define(f"v_cvt_pknorm_i16_{kind}", f"b:{c}{c}", lambda a, b, two=two: two(a, b, 32767, -32767))
        define(f"v_cvt_pknorm_u16_{kind}", f"b:{c}{c}", lambda a, b, two=two: two(a, b, 65535, 0))
        if kind == "f16":
            define("v_cvt_norm_i16_f16", "t:h", lambda a, norm=norm: norm(a, 32767, -32767))
            define("v_cvt_norm_u16_f16", "t:h", lambda a, norm=norm: norm(a, 65535, 0))

    def put_byte(a: int, position: int, into: int) -> int:
        shift = 8 * (position & 3)
        return into & ~(255 << shift) | to_integer(SINGLE, a, 0, 255, nearest_even) << shift

    define("v_cvt_pk_u8_f32", "b:fub", put_byte)
    define("v_cvt_pkaccum_u8_f32", "ba:fu", put_byte)


def define_cube() -> None:
    def axis(a: int, b: int, c: int) -> tuple[int, bool]:
        def reaches(p: int, q: int) -> bool:
            """|p| >= |q|, which is false for NaNs."""
            return (
                not SINGLE.is_nan(p) and not SINGLE.is_nan(q) and SINGLE.magnitude(p) >= SINGLE.magnitude(q)
            )

        which = 2 if reaches(c, a) and reaches(c, b) else 1 if reaches(b, a) else 0
        chosen = (a, b, c)[which]
        return which, SINGLE.negative(chosen) and not SINGLE.is_zero(chosen) and not SINGLE.is_nan(chosen)

    def face(a: int, b: int, c: int) -> int:
        which, negative = axis(a, b, c)
        return from_integer(SINGLE, 2 * which + negative)

    def coordinate_s(a: int, b: int, c: int) -> int:
        which, negative = axis(a, b, c)
        if which == 2:
            return a ^ SINGLE.sign if negative else a
        return a if which == 1 else c if negative else c ^ SINGLE.sign

    def coordinate_t(a: int, b: int, c: int) -> int:
        which, negative = axis(a, b, c)
        if which == 1:
            return c ^ SINGLE.sign if negative else c
        return b ^ SINGLE.sign

    def major(a: int, b: int, c: int) -> int:
        return x.mul(SINGLE, (a, b, c)[axis(a, b, c)[0]], from_integer(SINGLE, 2))

    for name, function in (("id", face), ("sc", coordinate_s), ("tc", coordinate_t), ("ma", major)):
        define(f"v_cube{name}_f32", "f:fff", function)


def define_pairs() -> None:
    def both(function: Callable[..., int]) -> Reference:
        return lambda *v: function(*(a & 0xFFFF for a in v)) | function(*(a >> 16 for a in v)) << 16

    def both_single(function: Callable[..., int]) -> Reference:
        low = 2**32 - 1
        return lambda *v: function(*(a & low for a in v)) | function(*(a >> 32 for a in v)) << 32

    define("v_pk_add_f16", "b:bb", both(lambda a, b: x.add(HALF, a, b)))
    define("v_pk_mul_f16", "b:bb", both(lambda a, b: x.mul(HALF, a, b)))
    define("v_pk_fma_f16", "b:bbb", both(lambda a, b, c: x.fma(HALF, a, b, c)))
    define("v_pk_fmac_f16", "ba:bb", both(lambda a, b, c: x.fma(HALF, a, b, c)))
    define("v_pk_min_f16", "b:bb", both(lambda a, b: x.minimum(HALF, a, b)))
    define("v_pk_max_f16", "b:bb", both(lambda a, b: x.maximum(HALF, a, b)))
    define("v_pk_add_f32", "B:BB", both_single(lambda a, b: x.add(SINGLE, a, b)))
    define("v_pk_mul_f32", "B:BB", both_single(lambda a, b: x.mul(SINGLE, a, b)))
    define("v_pk_fma_f32", "B:BBB", both_single(lambda a, b, c: x.fma(SINGLE, a, b, c)))
    define("v_pk_mov_b32", "B:BB", lambda a, b: a & 2**32 - 1 | (b & 2**32 - 1) << 32)

    def dot2(a: int, b: int, c: int) -> int:
        for shift in (0, 16):
            p, q = (x.convert(HALF, SINGLE, v >> shift & 0xFFFF) for v in (a, b))
            c = x.fma(SINGLE, p, q, c)
        return c

    define("v_dot2_f32_f16", "f:bbf", dot2)
    define("v_dot2c_f32_f16", "fa:bb", dot2)


def define_mix() -> None:
    """As the assembler's defaults have it: all sources in single precision."""
    single = lambda a, b, c: x.fma(SINGLE, a, b, c)  # noqa: E731
    half = lambda a, b, c: x.convert(SINGLE, HALF, single(a, b, c))  # noqa: E731
    define("v_fma_mix_f32", "f:fff", single)
    define("v_fma_mixlo_f16", "ho:fff", half)
    define("v_fma_mixhi_f16", "bH:fff", half)


def define_compare() -> None:
    def relation(name: str, f: Format) -> Reference:
        negated = name.startswith("n")
        base = {"nge": "ge", "nlg": "lg", "ngt": "gt", "nle": "le", "neq": "eq", "nlt": "lt", "u": "o"}.get(
            name, name
        )

        def key(a: int) -> int:
            return -f.magnitude(a) if f.negative(a) else f.magnitude(a)

        def holds(a: int, b: int) -> bool:
            if f.is_nan(a) or f.is_nan(b):
                return False
            p, q = key(a), key(b)
            results = {
                "lt": p < q,
                "eq": p == q,
                "le": p <= q,
                "gt": p > q,
                "lg": p != q,
                "ge": p >= q,
                "o": True,
            }
            return results[base]

        if name in ("f", "tru"):
            return lambda a, b: name == "tru"
        return lambda a, b: not holds(a, b) if negated or name == "u" else holds(a, b)

    names = ["f", "lt", "eq", "le", "gt", "lg", "ge", "o"]
    names += ["u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "tru"]
    for kind, (f, c) in FORMATS.items():
        for prefix in ("cmp", "cmpx"):
            for name in names:
                define(f"v_{prefix}_{name}_{kind}", f":{c}{c}", relation(name, f))
            define(
                f"v_{prefix}_class_{kind}", f":{c}b", lambda a, mask, f=f: bool(mask >> class_bit(f, a) & 1)
            )


def class_bit(f: Format, a: int) -> int:
    if f.is_nan(a):
        return 0 if f.is_snan(a) else 1
    if f.is_inf(a):
        bit = 9
    elif f.is_zero(a):
        bit = 6
    else:
        bit = 7 if f.is_denormal(a) else 8
    return 11 - bit if f.negative(a) else bit


def define_fp8() -> None:
    """E4M3 and E5M2 without infinities and negative zero: biases 8 and 16, NaN is 0x80."""
    for kind, (mantissa, bias) in {"fp8": (3, 8), "bf8": (2, 16)}.items():

        def value(byte: int, mantissa: int = mantissa, bias: int = bias) -> Fraction:
            exponent, fraction = (byte & 127) >> mantissa, byte & ((1 << mantissa) - 1)
            size = Fraction(fraction + ((1 << mantissa) if exponent else 0), 1 << mantissa)
            size *= Fraction(2) ** (max(exponent, 1) - bias)
            return -size if byte & 128 else size

        def widen(byte: int, value=value) -> int:
            return 0x7FC00000 if byte == 0x80 else SINGLE.encode(value(byte), False)

        finite = [b for b in range(256) if b != 0x80]

        def narrow(a: int, value=value, finite=finite, mantissa=mantissa) -> int:
            """The nearest number, the even one of two; NaN when that would be beyond the largest."""
            if SINGLE.is_nan(a) or SINGLE.is_inf(a):
                return 0x80
            wanted = SINGLE.value(a)
            sign = 128 if wanted < 0 else 0
            same = [b for b in finite if b & 128 == sign] + ([0] if sign else [])
            step = value(0x7F) - value(0x7E)
            if abs(wanted) >= value(0x7F) + step / 2:
                return 0x80
            best = min(same, key=lambda b: (abs(value(b) - wanted), b & 1))
            return best if value(best) != 0 else 0

        define(f"v_cvt_f32_{kind}", "f:b", lambda a, widen=widen: widen(a & 255))
        define(
            f"v_cvt_pk_f32_{kind}", "B:b", lambda a, widen=widen: widen(a & 255) | widen(a >> 8 & 255) << 32
        )
        define(f"v_cvt_pk_{kind}_f32", "bo:ff", lambda a, b, narrow=narrow: narrow(a) | narrow(b) << 8)


for _define in (
    define_arithmetic,
    define_rounding,
    define_conversions,
    define_cube,
    define_pairs,
    define_mix,
    define_compare,
    define_fp8,
):
    _define()
