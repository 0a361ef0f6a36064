"""Quantiles of Student's t distribution, from the regularised incomplete beta function."""

from __future__ import annotations

import math

_TINY = 1e-300
_TERMS = 300
_EXACT = 1e-12


def quantile(probability: float, freedom: float) -> float:
    """t with P(T <= t) = probability, for probabilities from one half on."""
    if not 0.5 <= probability < 1:
        raise ValueError("probability is from 0.5 to below 1")
    low, high = 0.0, 1.0
    while cumulative(high, freedom) < probability:
        high *= 2
    while high - low > _EXACT * max(1.0, high):
        middle = (low + high) / 2
        if cumulative(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high


def cumulative(t: float, freedom: float) -> float:
    """P(T <= t) for t >= 0: 1 - I(f / (f + t²); f / 2, 1 / 2) / 2."""
    return 1 - 0.5 * _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side only
        return 1 - _incomplete_beta(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 26.5.8 of Abramowitz and Stegun, by Lentz's method."""
    c, d = 1.0, 1.0 / _away(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            result *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return result


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
