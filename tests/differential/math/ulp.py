"""Errors in units in the last place."""

from __future__ import annotations

import math

import numpy as np
from mpmath import mp, mpf

PRECISION = {"f16": 11, "f32": 24, "f64": 53}
MIN_EXPONENT = {"f16": -13, "f32": -125, "f64": -1021}
MAX_EXPONENT = {"f16": 16, "f32": 128, "f64": 1024}
WRONG = math.inf  # NaN for a number, a number for NaN, or the wrong infinity


def error_in_ulps(actual: np.generic, exact: mpf, kind: str) -> float:
    """|actual - exact| in ulps of the exact value; an overflow counts as the number after the largest."""
    value = float(actual)
    if mp.isnan(exact) or math.isnan(value):
        return 0.0 if mp.isnan(exact) and math.isnan(value) else WRONG
    beyond = mpf(2) ** MAX_EXPONENT[kind]
    limit = lambda v: max(-beyond, min(beyond, v))  # noqa: E731
    clamped = limit(exact)
    if clamped == 0:
        return 0.0 if value == 0 else WRONG
    _, exponent = mp.frexp(clamped)
    exponent = min(max(int(exponent), MIN_EXPONENT[kind]), MAX_EXPONENT[kind])
    ulp = mpf(2) ** (exponent - PRECISION[kind])
    return float(abs(limit(mpf(value)) - clamped) / ulp)
