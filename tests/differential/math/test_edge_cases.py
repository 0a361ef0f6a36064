"""Results for zeros, infinities, NaN and domain errors, as C99 Annex F and IEEE 754 have them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from host_library import TYPES, DeviceMath
from tests.table_rows import rows

INF, NAN = math.inf, math.nan
PI = math.pi

# name: (argument, result) pairs; a zero's sign counts.
UNARY_CASES: dict[str, list[tuple[float, float]]] = {
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (NAN, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (NAN, NAN)],
    "sinpi": [
        (0.0, 0.0),
        (-0.0, -0.0),
        (3.0, 0.0),
        (-3.0, -0.0),
        (0.5, 1.0),
        (1.5, -1.0),
        (1e30, 0.0),
        (INF, NAN),
    ],
    "cospi": [
        (0.0, 1.0),
        (0.5, 0.0),
        (1.5, 0.0),
        (-2.5, 0.0),
        (1.0, -1.0),
        (1e30, 1.0),
        (INF, NAN),
        (NAN, NAN),
    ],
    "tanpi": [
        (0.0, 0.0),
        (-0.0, -0.0),
        (1.0, -0.0),
        (2.0, 0.0),
        (0.5, INF),
        (1.5, -INF),
        (-0.5, -INF),
        (INF, NAN),
    ],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.0, PI / 2), (1.5, NAN), (-INF, NAN), (NAN, NAN)],
    "acos": [(1.0, 0.0), (-1.0, PI), (1.5, NAN), (-1.5, NAN), (NAN, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, PI / 2), (-INF, -PI / 2), (NAN, NAN)],
    "asinpi": [(1.0, 0.5), (-1.0, -0.5), (-0.0, -0.0), (2.0, NAN)],
    "acospi": [(1.0, 0.0), (-1.0, 1.0), (2.0, NAN)],
    "atanpi": [(INF, 0.5), (-INF, -0.5), (1.0, 0.25), (-0.0, -0.0)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (1e4, INF), (-1e4, -INF)],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN), (1e4, INF)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN), (100.0, 1.0)],
    "asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN)],
    "acosh": [(1.0, 0.0), (0.5, NAN), (-3.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "atanh": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN), (NAN, NAN)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1e5, INF), (-1e5, 0.0)],
    "exp2": [(0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (3.0, 8.0), (1e5, INF), (-1e5, 0.0)],
    "exp10": [(0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1e5, INF), (-1e5, 0.0)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (NAN, NAN), (1e5, INF), (-1e5, -1.0)],
    "log": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "log2": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (8.0, 3.0), (-1.0, NAN), (INF, INF), (NAN, NAN)],
    "log10": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF), (NAN, NAN)],
    "log1p": [(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-2.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "logb": [(0.0, -INF), (-0.0, -INF), (INF, INF), (-INF, INF), (NAN, NAN), (10.0, 3.0), (0.1, -4.0)],
    "sqrt": [(0.0, 0.0), (-0.0, -0.0), (-1.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN), (9.0, 3.0)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (-1.0, NAN), (INF, 0.0), (NAN, NAN), (4.0, 0.5)],
    "cbrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (-27.0, -3.0)],
    "rcbrt": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-INF, -0.0), (NAN, NAN), (-8.0, -0.5)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN)],
    "erfc": [(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (NAN, NAN), (1e3, 0.0)],
    "erfcx": [(0.0, 1.0), (INF, 0.0), (-INF, INF), (NAN, NAN), (-1e3, INF)],
    "erfinv": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (NAN, NAN)],
    "erfcinv": [(1.0, 0.0), (0.0, INF), (2.0, -INF), (-0.5, NAN), (2.5, NAN), (NAN, NAN)],
    "ncdf": [(0.0, 0.5), (INF, 1.0), (-INF, 0.0), (NAN, NAN)],
    "ncdfinv": [(0.0, -INF), (1.0, INF), (-0.5, NAN), (1.5, NAN), (NAN, NAN)],
    "tgamma": [
        (0.0, INF),
        (-0.0, -INF),
        (INF, INF),
        (-INF, NAN),
        (-2.0, NAN),
        (NAN, NAN),
        (5.0, 24.0),
        (1e3, INF),
    ],
    "lgamma": [
        (0.0, INF),
        (-0.0, INF),
        (1.0, 0.0),
        (2.0, 0.0),
        (-3.0, INF),
        (INF, INF),
        (-INF, INF),
        (NAN, NAN),
    ],
    "j0": [(0.0, 1.0), (INF, 0.0), (-INF, 0.0), (NAN, NAN)],
    "j1": [(0.0, 0.0), (-0.0, -0.0), (INF, 0.0), (NAN, NAN)],
    "y0": [(0.0, -INF), (-1.0, NAN), (INF, 0.0), (NAN, NAN)],
    "y1": [(0.0, -INF), (-1.0, NAN), (INF, 0.0), (NAN, NAN)],
    "i0": [(0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN)],
    "i1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN)],
    "round": [(2.5, 3.0), (-2.5, -3.0), (0.4, 0.0), (-0.4, -0.0), (INF, INF), (NAN, NAN)],
    "rint": [(2.5, 2.0), (-1.5, -2.0), (-0.4, -0.0), (INF, INF), (NAN, NAN)],
    "trunc": [(2.9, 2.0), (-2.9, -2.0), (-0.4, -0.0), (INF, INF), (NAN, NAN)],
    "floor": [(2.9, 2.0), (-2.1, -3.0), (-0.0, -0.0), (INF, INF), (NAN, NAN)],
    "ceil": [(2.1, 3.0), (-2.9, -2.0), (-0.4, -0.0), (INF, INF), (NAN, NAN)],
}

BINARY_CASES: dict[str, list[tuple[float, float, float]]] = {
    "pow": [
        (0.0, 0.0, 1.0),
        (NAN, 0.0, 1.0),
        (1.0, NAN, 1.0),
        (1.0, INF, 1.0),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
        (0.0, -0.5, INF),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (0.5, INF, 0.0),
        (2.0, INF, INF),
        (0.5, -INF, INF),
        (2.0, -INF, 0.0),
        (INF, 2.0, INF),
        (INF, -1.0, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, 0.5, INF),
        (-2.0, 0.5, NAN),
        (-2.0, 3.0, -8.0),
        (-2.0, 2.0, 4.0),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (-2.0, INF, INF),
        (-0.5, INF, 0.0),
        (0.0, INF, 0.0),
        (0.0, -INF, INF),
    ],
    "powr": [
        (0.0, 0.0, NAN),
        (INF, 0.0, NAN),
        (1.0, INF, NAN),
        (-1.0, 2.0, NAN),
        (2.0, 3.0, 8.0),
        (0.0, 2.0, 0.0),
    ],
    "atan2": [
        (0.0, 1.0, 0.0),
        (-0.0, 1.0, -0.0),
        (0.0, -1.0, PI),
        (-0.0, -1.0, -PI),
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, PI),
        (-0.0, -0.0, -PI),
        (1.0, 0.0, PI / 2),
        (-1.0, -0.0, -PI / 2),
        (1.0, INF, 0.0),
        (-1.0, INF, -0.0),
        (1.0, -INF, PI),
        (INF, 1.0, PI / 2),
        (INF, INF, PI / 4),
        (INF, -INF, 3 * PI / 4),
        (-INF, -INF, -3 * PI / 4),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
    ],
    "atan2pi": [(1.0, 1.0, 0.25), (0.0, -1.0, 1.0), (-0.0, -0.0, -1.0), (INF, -INF, 0.75), (NAN, INF, NAN)],
    "hypot": [
        (INF, NAN, INF),
        (NAN, -INF, INF),
        (NAN, 1.0, NAN),
        (3.0, 4.0, 5.0),
        (0.0, -0.0, 0.0),
        (INF, 1.0, INF),
    ],
    "rhypot": [(INF, NAN, 0.0), (NAN, 1.0, NAN), (0.0, 0.0, INF), (0.0, -2.0, 0.5)],
    "fmod": [
        (5.0, 3.0, 2.0),
        (-5.0, 3.0, -2.0),
        (-6.0, 3.0, -0.0),
        (1.0, 0.0, NAN),
        (INF, 1.0, NAN),
        (2.0, INF, 2.0),
    ],
    "remainder": [
        (5.0, 3.0, -1.0),
        (-5.0, 3.0, 1.0),
        (3.0, 2.0, -1.0),
        (1.0, 2.0, 1.0),
        (1.0, 0.0, NAN),
        (2.0, INF, 2.0),
    ],
    "fdim": [(3.0, 1.0, 2.0), (1.0, 3.0, 0.0), (INF, INF, 0.0), (NAN, 1.0, NAN), (1.0, NAN, NAN)],
    "fmin": [(1.0, 2.0, 1.0), (NAN, 2.0, 2.0), (1.0, NAN, 1.0), (NAN, NAN, NAN), (-INF, 3.0, -INF)],
    "fmax": [(1.0, 2.0, 2.0), (NAN, 2.0, 2.0), (1.0, NAN, 1.0), (NAN, NAN, NAN), (-INF, 3.0, 3.0)],
    "maxmag": [(-3.0, 2.0, -3.0), (1.0, -1.0, 1.0)],
    "minmag": [(-3.0, 2.0, 2.0), (1.0, -1.0, -1.0)],
    "copysign": [(3.0, -0.0, -3.0), (-3.0, 1.0, 3.0)],
    "scalb": [
        (1.5, 3.0, 12.0),
        (1.5, 0.5, NAN),
        (1.0, INF, INF),
        (0.0, INF, NAN),
        (1.0, -INF, 0.0),
        (INF, -INF, NAN),
    ],
}


def same(actual: float, expected: float, kind: str) -> bool:
    if math.isnan(expected):
        return math.isnan(actual)
    wanted = TYPES[kind](expected)
    close = actual == wanted or abs(actual - wanted) <= abs(
        np.spacing(wanted)
    )  # constants such as pi/2 are rounded
    exact = expected in (0.0, INF, -INF) or expected == round(expected)
    return bool(
        (actual == wanted if exact else close) and math.copysign(1, actual) == math.copysign(1, expected)
    )


@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
@rows("name", sorted(UNARY_CASES))
def test_unary(device_math: DeviceMath, name: str, kind: str) -> None:
    with np.errstate(over="ignore"):
        cases = [(x, y) for x, y in UNARY_CASES[name] if math.isinf(x) or not np.isinf(TYPES[kind](x))]
    arguments = np.array([x for x, _ in cases], TYPES[kind])
    for (x, expected), actual in zip(cases, device_math.call(name, kind, arguments), strict=True):
        assert same(float(actual), expected, kind), f"{name}_{kind}({x}) = {actual}, not {expected}"


@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
@rows("name", sorted(BINARY_CASES))
def test_binary(device_math: DeviceMath, name: str, kind: str) -> None:
    cases = BINARY_CASES[name]
    a = np.array([c[0] for c in cases], TYPES[kind])
    b = np.array([c[1] for c in cases], TYPES[kind])
    for (x, y, expected), actual in zip(cases, device_math.call(name, kind, a, b), strict=True):
        assert same(float(actual), expected, kind), f"{name}_{kind}({x}, {y}) = {actual}, not {expected}"
