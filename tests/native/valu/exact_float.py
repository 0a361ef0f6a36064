"""IEEE arithmetic on bit patterns by exact rational numbers: slow, and nothing like the simulator."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

NEAREST, UP, DOWN, ZERO = range(4)


@dataclass(frozen=True)
class Format:
    bits: int
    mantissa: int

    @property
    def sign(self) -> int:
        return 1 << (self.bits - 1)

    @property
    def exponent_ones(self) -> int:
        return (1 << (self.bits - 1 - self.mantissa)) - 1

    @property
    def bias(self) -> int:
        return self.exponent_ones >> 1

    @property
    def inf(self) -> int:
        return self.exponent_ones << self.mantissa

    @property
    def quiet(self) -> int:
        return 1 << (self.mantissa - 1)

    @property
    def nan(self) -> int:
        return self.inf | self.quiet

    @property
    def max_finite(self) -> int:
        return self.inf - 1

    @property
    def one(self) -> int:
        return self.bias << self.mantissa

    def magnitude(self, x: int) -> int:
        return x & (self.sign - 1)

    def is_nan(self, x: int) -> bool:
        return self.magnitude(x) > self.inf

    def is_snan(self, x: int) -> bool:
        return self.is_nan(x) and not x & self.quiet

    def is_inf(self, x: int) -> bool:
        return self.magnitude(x) == self.inf

    def is_zero(self, x: int) -> bool:
        return self.magnitude(x) == 0

    def is_denormal(self, x: int) -> bool:
        return 0 < self.magnitude(x) < 1 << self.mantissa

    def negative(self, x: int) -> bool:
        return bool(x & self.sign)

    def exponent(self, x: int) -> int:
        return self.magnitude(x) >> self.mantissa

    def value(self, x: int) -> Fraction:
        """Of a finite number."""
        exponent, fraction = self.exponent(x), x & ((1 << self.mantissa) - 1)
        significand = fraction | (1 << self.mantissa) if exponent else fraction
        power = max(exponent, 1) - self.bias - self.mantissa
        result = Fraction(significand) * Fraction(2) ** power
        return -result if self.negative(x) else result

    def encode(self, value: Fraction, negative_zero: bool = False, mode: int = NEAREST) -> int:
        """The nearest representation in a rounding mode; overflow as IEEE 754 says."""
        negative = value < 0 or (value == 0 and negative_zero)
        sign = self.sign if negative else 0
        size = abs(value)
        if size == 0:
            return sign
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if Fraction(2) ** exponent > size:
            exponent -= 1
        exponent = max(exponent, 1 - self.bias)
        unit = Fraction(2) ** (exponent - self.mantissa)
        quotient = size / unit
        whole, rest = (
            quotient.numerator // quotient.denominator,
            quotient - quotient.numerator // quotient.denominator,
        )
        if mode == NEAREST:
            up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1 == 1)
        elif mode == ZERO:
            up = False
        else:
            up = rest != 0 and negative == (mode == DOWN)
        whole += up
        result = (exponent + self.bias - 1 << self.mantissa) + whole
        if result >= self.inf:
            finite = mode == ZERO or (mode == UP and negative) or (mode == DOWN and not negative)
            result = self.max_finite if finite else self.inf
        return sign | result


HALF = Format(16, 10)
SINGLE = Format(32, 23)
DOUBLE = Format(64, 52)


def nan_of(f: Format, *sources: int) -> int | None:
    """The first NaN among the sources, quiet."""
    for x in sources:
        if f.is_nan(x):
            return x | f.quiet
    return None


def add(f: Format, a: int, b: int, mode: int = NEAREST) -> int:
    nan = nan_of(f, a, b)
    if nan is not None:
        return nan
    if f.is_inf(a) and f.is_inf(b):
        return a if a == b else f.nan
    if f.is_inf(a) or f.is_inf(b):
        return a if f.is_inf(a) else b
    return f.encode(f.value(a) + f.value(b), zero_sign(f, a, b, mode), mode)


def zero_sign(f: Format, a: int, b: int, mode: int) -> bool:
    """Is a sum that is zero a negative zero?"""
    if f.is_zero(a) and f.is_zero(b) and f.negative(a) == f.negative(b):
        return f.negative(a)
    return mode == DOWN


def mul(f: Format, a: int, b: int, mode: int = NEAREST) -> int:
    nan = nan_of(f, a, b)
    if nan is not None:
        return nan
    negative = f.negative(a) != f.negative(b)
    if f.is_inf(a) or f.is_inf(b):
        return f.nan if f.is_zero(a) or f.is_zero(b) else f.inf | (f.sign if negative else 0)
    return f.encode(f.value(a) * f.value(b), negative, mode)


def fma(f: Format, a: int, b: int, c: int, mode: int = NEAREST) -> int:
    nan = nan_of(f, a, b, c)
    if nan is not None:
        return nan
    negative = f.negative(a) != f.negative(b)
    if f.is_inf(a) or f.is_inf(b):
        if f.is_zero(a) or f.is_zero(b) or (f.is_inf(c) and f.negative(c) != negative):
            return f.nan
        return f.inf | (f.sign if negative else 0)
    if f.is_inf(c):
        return c
    product = f.value(a) * f.value(b)
    total = product + f.value(c)
    if product == 0 and f.is_zero(c):
        return (
            f.sign
            if negative and f.negative(c)
            else f.sign
            if mode == DOWN and negative != f.negative(c)
            else 0
        )
    return f.encode(total, mode == DOWN, mode)


def neg(f: Format, a: int) -> int:
    return a ^ f.sign


def convert(source: Format, target: Format, x: int, mode: int = NEAREST) -> int:
    sign = target.sign if source.negative(x) else 0
    if source.is_nan(x):
        payload = x & ((1 << source.mantissa) - 1)
        shift = target.mantissa - source.mantissa
        return sign | target.inf | target.quiet | (payload << shift if shift >= 0 else payload >> -shift)
    if source.is_inf(x):
        return sign | target.inf
    return target.encode(source.value(x), source.negative(x), mode)


def rank(f: Format, x: int) -> int:
    """Orders numbers by value, -0 below +0."""
    return -f.magnitude(x) - 1 if f.negative(x) else f.magnitude(x)


def minimum(f: Format, a: int, b: int, ieee: bool = True) -> int:
    return _order(f, a, b, ieee, smaller=True)


def maximum(f: Format, a: int, b: int, ieee: bool = True) -> int:
    return _order(f, a, b, ieee, smaller=False)


def _order(f: Format, a: int, b: int, ieee: bool, smaller: bool) -> int:
    if ieee:
        for x in (a, b):
            if f.is_snan(x):
                return x | f.quiet
    if f.is_nan(a):
        return b
    if f.is_nan(b):
        return a
    return min(a, b, key=lambda x: rank(f, x)) if smaller else max(a, b, key=lambda x: rank(f, x))


def median(f: Format, a: int, b: int, c: int) -> int:
    if any(f.is_nan(x) for x in (a, b, c)):
        return minimum(f, minimum(f, a, b), c)
    largest = max(
        f.value(x) if not f.is_inf(x) else (-1 if f.negative(x) else 1) * Fraction(2) ** 5000
        for x in (a, b, c)
    )

    def equals(x: int) -> bool:
        value = (-1 if f.negative(x) else 1) * Fraction(2) ** 5000 if f.is_inf(x) else f.value(x)
        return value == largest

    if equals(a):
        return maximum(f, b, c)
    return maximum(f, a, c) if equals(b) else maximum(f, a, b)


def ulps_apart(f: Format, a: int, b: int) -> int:
    """Distance of two numbers, both not NaN, counted in representable values."""
    place = [(-f.magnitude(x) if f.negative(x) else f.magnitude(x)) for x in (a, b)]
    return abs(place[0] - place[1])
