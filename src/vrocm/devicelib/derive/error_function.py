"""Coefficients for erf, erfc, erfcx and their inverses."""

from __future__ import annotations

from functools import cache

from header import Header
from minimax import Fit
from mpmath import erf, erfc, erfinv, exp, expm1, log, mp, mpf, pi, sqrt

mp.prec = 200
small = mpf(2) ** -60

out = Header("special/error_coefficients", "error_function.py", "The error function and its relatives.")


def erf_tail(z: mpf) -> mpf:
    """erf(x) / x - 1 for z = x^2."""
    x = sqrt(z)
    return erf(x) / x - 1 if z > small else 2 / sqrt(pi) * (1 - z / 3) - 1


c, e = Fit(erf_tail, (0, "1.001"), range(13), lambda z: 1 / (1 + erf_tail(z))).rounded(["f64"] * 13)
out.text("// erf(x) = x + x P(x^2) for |x| <= 1; error relative to erf")
out.array("kErfF64", c, "f64", e)
c, e = Fit(erf_tail, (0, "1.001"), range(7), lambda z: 1 / (1 + erf_tail(z))).rounded(["f32"] * 7)
out.text("// the same in f32")
out.array("kErfSmallF32", c, "f32", e)
# An error d of the logarithm is an error of log(2) erfc d in erf.
fit = Fit(lambda t: log(erfc(t), 2), ("0.999", 4), range(6), lambda t: log(2) * erfc(t) / erf(t))
c, e = fit.rounded(["f32"] * 6)
out.text("// erf(x) = 1 - 2^P(x) for 1 <= x <= 4; error relative to erf")
out.array("kErfLargeF32", c, "f32", e)


def erfcx(x: mpf) -> mpf:
    """exp(x^2) erfc(x)."""
    if x < 15:
        with mp.workprec(800):
            return exp(x * x) * erfc(x)
    total, term = mpf(1), mpf(1)
    for k in range(1, 200):
        following = -term * (2 * k - 1) / (2 * x * x)
        if abs(following) > abs(term) or abs(following) < mpf(2) ** -190:
            break
        term = following
        total += term
    return total / (x * sqrt(pi))


CENTRE = mpf(4)


@cache
def erfcx_of_t(t: mpf) -> mpf:
    """(1 + 2 x) erfcx(x) for x = 4 (1 + t) / (1 - t), the map of Shepherd and Laframboise."""
    if t > 1 - mpf(2) ** -100:
        return 2 / sqrt(pi)
    x = CENTRE * (1 + t) / (1 - t)
    return (1 + 2 * x) * erfcx(x)


for suffix, terms in (("F64", 25), ("ForF32", 13)):
    c, e = Fit(erfcx_of_t, (-1, 1), range(terms), points=16).rounded(["f64"] * terms)
    out.text("// (1 + 2 x) exp(x^2) erfc(x) = P(t), t = (x - 4) / (x + 4), for x >= 0; error relative")
    out.array(f"kErfcx{suffix}", c, "f64", e)


def inverse_tail(s: mpf) -> mpf:
    """erfinv(sqrt(1 - exp(-s^2))) for large s: the root of erfc(y) = 1 - sqrt(1 - exp(-s^2))."""
    with mp.workprec(1400 if s > 12 else 500):
        u = exp(-s * s)
        target = u / (1 + sqrt(1 - u))
        y = s - log(s * sqrt(pi)) / (2 * s)
        for _ in range(60):
            difference = (erfc(y) - target) / (-2 / sqrt(pi) * exp(-y * y))
            step = difference / (1 + y * difference)
            y -= step
            if abs(step) < y * mpf(2) ** -195:
                break
        return +y


def inverse_centre(w: mpf) -> mpf:
    """erfinv(x) / x for w = -log(1 - x^2)."""
    if w < small:
        return sqrt(pi) / 2
    x = sqrt(-expm1(-w))
    return erfinv(x) / x


for suffix, terms in (("F64", 25), ("ForF32", 11)):
    fit = Fit(lambda t: inverse_centre(t + mpf("3.125")), ("-3.125", "3.126"), range(terms), points=8)
    c, e = fit.rounded(["f64"] * terms)
    out.text("// erfinv(x) = x P(w - 3.125), w = -log(1 - x^2), for w <= 6.25; error relative")
    out.array(f"kInverseCentre{suffix}", c, "f64", e)
c, e = Fit(lambda t: inverse_tail(t + 4), (-1.5, "1.5001"), range(12), points=8).rounded(["f64"] * 12)
out.text("// erfinv = P(sqrt(w) - 4) for sqrt(w) from 2.5 to 5.5; error relative")
out.array("kInverseMiddle", c, "f64", e)
fit = Fit(lambda r: inverse_tail(1 / r) * r, (1 / mpf("27.4"), 1 / mpf("5.4999")), range(10), points=8)
c, e = fit.rounded(["f64"] * 10)
out.text("// erfinv = s P(1/s), s = sqrt(w), from 5.5 on; error relative")
out.array("kInverseFar", c, "f64", e)
out.text()
out.parts("kSqrtHalf", sqrt(mpf(1) / 2), 2)
out.parts("kSqrt2", sqrt(mpf(2)), 2)
out.write()
