"""Functions with exact results or with two results, and half precision over all of its numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import samples
from host_library import TYPES, DeviceMath
from mpmath import mp, mpf
from references import UNARY
from tests.tiers import sweep
from ulp import error_in_ulps

KINDS = ["f32", "f64"]


def numbers(kind: str, count: int = 2000) -> np.ndarray:
    return samples.unary("log", kind, count)


def same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint", "fabs", "sqrt"])
def test_like_numpy(device_math: DeviceMath, name: str, kind: str) -> None:
    x = np.concatenate([numbers(kind), np.arange(-20, 20, 0.25).astype(TYPES[kind])])
    with np.errstate(invalid="ignore"):
        assert same(device_math.call(name, kind, x), getattr(np, name)(x)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["fmod", "nextafter", "copysign"])
def test_pairs_like_numpy(device_math: DeviceMath, name: str, kind: str) -> None:
    a, b = samples.binary(name, kind, 4000)
    for hardware in (0, 1, -1):
        device_math.set_hardware_error(hardware)
        with np.errstate(invalid="ignore", over="ignore", under="ignore"):
            assert same(device_math.call(name, kind, a, b), getattr(np, name)(a, b)).all()
    device_math.set_hardware_error(0)


@pytest.mark.parametrize("kind", KINDS)
def test_remquo(device_math: DeviceMath, kind: str) -> None:
    a, b = samples.binary("remquo", kind, 2000)
    keep = np.isfinite(a) & np.isfinite(b) & (b != 0)
    a, b = a[keep], b[keep]
    remainder, quotient = device_math.call_quotient("remquo", kind, a, b)
    for x, y, r, q in zip(a, b, remainder, quotient, strict=True):
        exact_quotient = round(Fraction(float(x)) / Fraction(float(y)))  # to even, as IEEE 754 wants
        exact = Fraction(float(x)) - exact_quotient * Fraction(float(y))
        assert Fraction(float(r)) == exact, (x, y)
        assert abs(q) == abs(exact_quotient) % 128, (x, y)
        assert q == 0 or (q < 0) == (exact_quotient < 0), (x, y)
        assert r != 0 or np.signbit(r) == np.signbit(x), (x, y)


@pytest.mark.parametrize("kind", KINDS)
def test_frexp_and_ldexp(device_math: DeviceMath, kind: str) -> None:
    x = numbers(kind)
    mantissa, exponent = device_math.call_exponent("frexp", kind, x)
    expected_mantissa, expected_exponent = np.frexp(x)
    assert same(mantissa, expected_mantissa).all()
    finite = np.isfinite(x)
    assert (exponent[finite] == expected_exponent[finite]).all()
    shift = np.random.default_rng(1).integers(-2200, 2200, len(x)).astype(np.int32)
    with np.errstate(over="ignore", under="ignore"):
        assert same(device_math.call_with_int("ldexp", kind, x, shift), np.ldexp(x, shift)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_modf(device_math: DeviceMath, kind: str) -> None:
    x = numbers(kind)
    fraction, whole = device_math.call_pair("modf", kind, x)
    expected_fraction, expected_whole = np.modf(x)
    assert same(fraction, expected_fraction).all()
    assert same(whole, expected_whole).all()


@pytest.mark.parametrize("kind", KINDS)
def test_sincos_agrees_with_sin_and_cos(device_math: DeviceMath, kind: str) -> None:
    x = samples.unary("sin", kind, 2000)
    for pair, sine, cosine in (("sincos", "sin", "cos"), ("sincospi", "sinpi", "cospi")):
        s, c = device_math.call_pair(pair, kind, x)
        assert same(s, device_math.call(sine, kind, x)).all()
        assert same(c, device_math.call(cosine, kind, x)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_lgamma_sign(device_math: DeviceMath, kind: str) -> None:
    x = np.array([0.5, 3.0, -0.5, -1.5, -2.5, -3.5, 0.0, -0.0, -101.25, -102.25], TYPES[kind])
    value, sign = device_math.call_exponent("lgamma_r", kind, x)
    assert sign.tolist() == [1, 1, -1, 1, -1, 1, 1, -1, 1, -1]
    assert same(value, device_math.call("lgamma", kind, x)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_lgamma_next_to_its_negative_zeros(device_math: DeviceMath, kind: str) -> None:
    zeros = [
        -2.4570247382208006,
        -2.7476826467274127,
        -3.14358088834998,
        -3.955294284858598,
        -6.001385294453155,
    ]
    x = np.array([samples.FLOAT[kind](z) for z in zeros])
    infinity = samples.FLOAT[kind](np.inf)
    x = np.concatenate([x, np.nextafter(x, infinity), np.nextafter(x, -infinity)])
    for argument, value in zip(x, device_math.call("lgamma", kind, x), strict=True):
        with mp.workprec(300):
            exact = mp.log(abs(mp.gamma(mpf(float(argument)))))
        assert error_in_ulps(value, exact, kind) <= 4, argument


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "reference"), [("pown", 1), ("rootn", -1)])
def test_integer_exponents(device_math: DeviceMath, name: str, reference: int, kind: str) -> None:
    rng = np.random.default_rng(2)
    x = np.exp2(rng.uniform(-12, 12, 400)).astype(TYPES[kind])
    n = np.where(rng.random(400) < 0.7, rng.integers(1, 12, 400), rng.integers(-12, 0, 400)).astype(np.int32)
    x = np.where(n % 2 == 1, x * rng.choice([-1, 1], 400), x).astype(TYPES[kind])
    for a, k, y in zip(x, n, device_math.call_with_int(name, kind, x, n), strict=True):
        magnitude = mpf(abs(float(a))) ** (mpf(int(k)) ** reference)
        assert error_in_ulps(y, -magnitude if a < 0 else magnitude, kind) <= 2, (a, k)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["len3", "rlen3", "len4", "rlen4"])
def test_lengths(device_math: DeviceMath, name: str, kind: str) -> None:
    count = int(name[-1])
    rng = np.random.default_rng(3)
    reach = 120 if kind == "f32" else 1000
    scale = np.exp2(rng.uniform(-reach, reach, 300))
    columns = [(scale * rng.uniform(-1, 1, 300)).astype(TYPES[kind]) for _ in range(count)]
    for i, y in enumerate(device_math.call(name, kind, *columns)):
        length = mp.sqrt(sum(mpf(float(c[i])) ** 2 for c in columns))
        exact = 1 / length if name.startswith("r") else length
        assert error_in_ulps(y, exact, kind) <= 3, [c[i] for c in columns]
    infinite = [np.array([v], TYPES[kind]) for v in (1.0, math.nan, -math.inf, 2.0)[:count]]
    assert device_math.call(name, kind, *infinite)[0] == (0.0 if name.startswith("r") else math.inf)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "function"), [("jn", mp.besselj), ("yn", mp.bessely)])
@pytest.mark.parametrize("count", sweep([30, 120], keep={"30"}, name=str))
def test_bessel_of_order_n(
    device_math: DeviceMath, name: str, function: object, kind: str, count: int
) -> None:
    rng = np.random.default_rng(4)
    x = rng.uniform(0.1, 60, count).astype(TYPES[kind])
    n = rng.integers(-12, 40, count).astype(np.int32)
    for order, a, y in zip(n, x, device_math.call_of_order(name, kind, n, x), strict=True):
        exact = function(int(order), mpf(float(a)))  # type: ignore[operator]
        # Next to a zero the error is that of the neighbours in order.
        neighbour = function(int(order) - 1, mpf(float(a)))  # type: ignore[operator]
        scale = max(1, float(abs(neighbour / exact)))
        assert error_in_ulps(y, exact, kind) <= (1 if kind == "f32" else 40 * scale), (order, a)


@pytest.mark.parametrize("name", sorted(set(UNARY) - {"sqrt"}))
def test_half_precision_over_all_numbers(device_math: DeviceMath, name: str) -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    x = x[np.isfinite(x)]
    half = device_math.call(name, "f16", x)
    exact = device_math.call(name, "f64", x.astype(np.float64))
    with np.errstate(over="ignore", invalid="ignore"):
        nearest = exact.astype(np.float16)
        spacing = np.maximum(np.spacing(np.abs(nearest)), np.finfo(np.float16).smallest_subnormal)
        error = np.abs(half.astype(np.float64) - exact) / spacing.astype(np.float64)
    special = ~np.isfinite(nearest) | ~np.isfinite(half)
    assert same(half[special], nearest[special]).all()
    assert error[~special].max() <= 0.51
