"""Coefficients for the inverse trigonometric functions."""

from __future__ import annotations

from header import Header
from minimax import Fit
from mpmath import asin, atan, mp, mpf, pi, sqrt

mp.prec = 200
small = mpf(2) ** -60
top = mpf("0.2501")

out = Header("trigonometric/arc_coefficients", "arc.py", "Arcus tangent and arcus sine on [-1/2, 1/2].")


def atan_tail(z: mpf) -> mpf:
    """(atan t - t) / t^3 for z = t^2."""
    t = sqrt(z)
    return (atan(t) - t) / t**3 if z > small else mpf(-1) / 3 + z / 5


def asin_tail(z: mpf) -> mpf:
    """(asin s - s) / s^3 for z = s^2."""
    s = sqrt(z)
    return (asin(s) - s) / s**3 if z > small else mpf(1) / 6 + z * 3 / 40


for name, tail, f64_terms, f32_terms in (("Atan", atan_tail, 12, 7), ("Asin", asin_tail, 13, 6)):
    for suffix, terms in (("F64", f64_terms), ("ForF32", f32_terms)):
        fit = Fit(tail, (0, top), range(terms), lambda z, tail=tail: z / (1 + z * tail(z)))
        c, e = fit.rounded(["f64"] * terms)
        out.array(f"k{name}{suffix}", c, "f64", e)
out.text()
out.parts("kPi", pi, 2)
out.parts("kHalfPi", pi / 2, 2)
out.parts("kQuarterPi", pi / 4, 2)
out.parts("kOneOverPi", 1 / pi, 2)
out.write()
