"""Coefficients for the modified Bessel functions I0 and I1."""

from __future__ import annotations

from header import Header
from minimax import Fit
from mpmath import besseli, exp, mp, mpf, pi, sqrt

mp.prec = 200
small = mpf(2) ** -70
out = Header(
    "special/modified_bessel_coefficients", "modified_bessel.py", "Modified Bessel functions in three ranges."
)

for order in (0, 1):

    def series(z: mpf, order: int = order) -> mpf:
        x = sqrt(z)
        if z < small:
            return mpf(1) if order == 0 else mpf(1) / 2
        return besseli(order, x) / x**order

    terms = 12
    c, e = Fit(series, (0, "16.1"), range(terms), points=12).rounded(["f64"] * terms)
    out.text()
    out.text(f"// I{order}(x) / x^{order} in powers of x^2, for x <= 4; error relative")
    out.array(f"kI{order}Small", c, "f64", e)

    def middle(t: mpf, order: int = order) -> mpf:
        return besseli(order, 6 + t) * exp(-6 - t)

    terms = 21
    c, e = Fit(middle, (-2, 2), range(terms), points=12).rounded(["f64"] * terms)
    out.text(f"// I{order}(x) exp(-x) in powers of x - 6, for x from 4 to 8; error relative")
    out.array(f"kI{order}Middle", c, "f64", e)

    def scaled(r: mpf, order: int = order) -> mpf:
        if r < mpf(1) / 2000:  # the asymptotic series
            total, term = mpf(1), mpf(1)
            for k in range(1, 40):
                term = -term * (4 * order * order - (2 * k - 1) ** 2) * r / (8 * k)
                total += term
            return total / sqrt(2 * pi)
        x = 1 / r
        return besseli(order, x) * exp(-x) * sqrt(x)

    terms = 24
    sixteenth = mpf(1) / 16
    fit = Fit(
        lambda t: scaled(max(t + mpf(1) / 16, mpf(0))), (-sixteenth, sixteenth), range(terms), points=12
    )
    c, e = fit.rounded(["f64"] * terms)
    out.text(f"// I{order}(x) exp(-x) sqrt(x) in powers of 1/x - 1/16, for x >= 8; error relative")
    out.array(f"kI{order}Large", c, "f64", e)
out.write()
