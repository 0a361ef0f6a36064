"""Coefficients for the Bessel functions J and Y of orders 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from header import Header, literal, split
from minimax import Fit, round_to
from mpmath import besselj, besseljzero, bessely, besselyzero, ln, mp, mpf, pi, sqrt

mp.prec = 200
out = Header(
    "special/bessel_coefficients",
    "bessel.py",
    "Bessel functions around their zeros, near 0 and for large arguments.",
)


def rounded_at_once(fit: Fit) -> tuple[list[mpf], mpf]:
    best, _ = fit.solve(fit.exponents, {})
    done = {e: round_to(best[e], "f64") for e in fit.exponents}
    return [done[e] for e in fit.exponents], fit.solve([], done)[1]


# Pieces around zeros. Piece n of a function covers pi (n - low) to pi (n + 1 - low).
END = mpf(42)


def pieces(
    name: str, f: Callable[[mpf], mpf], zero: Callable[[int], mpf], first: int, low: mpf, terms: int
) -> None:
    rows, worst = [], mpf(0)
    n = first
    while pi * (n - low) < END:
        a, b = pi * (n - low) - mpf("0.001"), pi * (n + 1 - low) + mpf("0.001")
        with mp.workprec(300):
            z = zero(n)
            a = max(a, mpf(0)) if z == 0 else a

        def quotient(t: mpf, z: mpf = z) -> mpf:
            if abs(t) < mpf(2) ** -70:
                t = mpf(2) ** -70
            with mp.workprec(400):
                return f(z + t) / t

        c, e = rounded_at_once(Fit(quotient, (a - z, b - z), range(terms), points=6))
        worst = max(worst, e)
        hi, lo = split(z)
        text = ", ".join(literal(v, "f64") for v in c)
        rows.append(f"    {{{literal(hi, 'f64')}, {literal(lo, 'f64')}, {{{text}}}}},")
        n += 1
    error = float(mp.log(worst, 2))
    out.text(
        f"// {name}(x) = (x - z) P(x - z) between pi (n - {float(low)}) "
        f"and pi (n + {float(1 - low)}), n >= {first}"
    )
    out.text(f"struct {name}Piece {{\n    f64 hi, lo;\n    f64 coefficients[{terms}];\n}};")
    out.text(f"constexpr {name}Piece k{name}Pieces[] = {{  // largest error 2^{error:.1f}")
    out.lines += rows
    out.text("};")


quarter = mpf(1) / 4
pieces("J0", lambda x: besselj(0, x), lambda n: besseljzero(0, n), 1, 3 * quarter, 21)
pieces("J1", lambda x: besselj(1, x), lambda n: besseljzero(1, n) if n else mpf(0), 0, quarter, 21)
pieces("Y0", lambda x: bessely(0, x), lambda n: besselyzero(0, n + 1), 1, quarter, 24)
pieces("Y1", lambda x: bessely(1, x), lambda n: besselyzero(1, n), 2, 3 * quarter, 22)

small = mpf(2) ** -70
out.text()
out.text("// J0(x) in powers of x^2, for x <= 2.36; absolute error")
fit = Fit(lambda z: besselj(0, sqrt(z)), (0, "5.6"), range(11), lambda z: mpf(1))
c, e = fit.rounded(["f64"] * 11)
out.array("kJ0Small", c, "f64", e)


def j1_over_x(z: mpf) -> mpf:
    x = sqrt(z)
    return besselj(1, x) / x if z > small else mpf(1) / 2 - z / 16


fit = Fit(j1_over_x, (0, "15.6"), range(13), lambda z: mpf(1))
c, e = fit.rounded(["f64"] * 13)
out.text("// J1(x) / x in powers of x^2, for x <= 3.94; absolute error")
out.array("kJ1Small", c, "f64", e)

# Y0 = 2/pi log(x/z) J0 + (x^2 - z^2) Q(x^2), with z the first zero of Y0, which the second term shares.
with mp.workprec(300):
    z0, z1 = besselyzero(0, 1), besselyzero(1, 1)


def y0_rest(z: mpf) -> mpf:
    x = sqrt(max(z, mpf(2) ** -120))
    if abs(x - z0) < mpf(2) ** -60:
        x = z0 + mpf(2) ** -60
    with mp.workprec(500):
        return (bessely(0, x) - 2 / pi * ln(x / z0) * besselj(0, x)) / ((x - z0) * (x + z0))


fit = Fit(y0_rest, (0, "5.6"), range(14))
c, e = fit.rounded(["f64"] * 14)
out.text("// (Y0(x) - 2/pi log(x/z) J0(x)) / (x^2 - z^2) for x <= 2.36, z the first zero of Y0")
out.array("kY0Small", c, "f64", e)
out.parts("kY0Zero", z0, 2)
out.parts("kY0InverseZero", 1 / z0, 2)


def y1_rest(z: mpf) -> mpf:
    x = sqrt(max(z, mpf(2) ** -120))
    if abs(x - z1) < mpf(2) ** -60:
        x = z1 + mpf(2) ** -60
    with mp.workprec(500):
        return x * (bessely(1, x) - 2 / pi * ln(x / z1) * besselj(1, x)) / ((x - z1) * (x + z1))


fit = Fit(y1_rest, (0, "15.6"), range(16))
c, e = fit.rounded(["f64"] * 16)
out.text("// x (Y1(x) - 2/pi log(x/z) J1(x)) / (x^2 - z^2) for x <= 3.94, z the first zero of Y1")
out.array("kY1Small", c, "f64", e)
out.parts("kY1Zero", z1, 2)
out.parts("kY1InverseZero", 1 / z1, 2)
out.parts("kTwoOverPi", 2 / pi, 2)
out.parts("kQuarterPi", pi / 4, 2)


def phase_and_modulus(order: int, terms: int) -> tuple[list[Fraction], list[Fraction]]:
    """Series in 1/x^2 of x (phase - x + (order/2 + 1/4) pi) and of the modulus over sqrt(2 / (pi x)).

    From the asymptotic series of the squared modulus (Watson, 13.75) and phase' = 2 / (pi x modulus^2).
    """
    mu = 4 * order * order
    square = [Fraction(1)]
    for k in range(1, terms + 1):
        square.append(square[-1] * Fraction(2 * k - 1, 2 * k) * (mu - (2 * k - 1) ** 2) / 4)
    inverse = [Fraction(1)]
    for k in range(1, terms + 1):
        inverse.append(-sum((square[j] * inverse[k - j] for j in range(1, k + 1)), Fraction(0)))
    # The integral of the term c x^-2k is c x^(1 - 2k) / (1 - 2k).
    phase = [inverse[k] / (1 - 2 * k) for k in range(1, terms + 1)]
    root = [Fraction(1)]
    for k in range(1, terms + 1):
        root.append((square[k] - sum((root[j] * root[k - j] for j in range(1, k)), Fraction(0))) / 2)
    return phase, root


EXTENDED, TERMS, SHORT = 8, 30, 10
for order in (0, 1):
    phase, modulus = phase_and_modulus(order, TERMS)
    high = [mpf(p.numerator) / p.denominator for p in phase]
    parts = [split(p) for p in high]
    out.text()
    out.text(
        f"// Order {order}: x times what the phase has beyond x - "
        f"{'pi/4' if order == 0 else '3 pi/4'}, in powers of 1/x^2"
    )
    out.array(f"kPhase{order}", [p[0] for p in parts])
    out.text("// as many as f64 needs")
    out.array(f"kPhase{order}Short", [p[0] for p in parts[:SHORT]])
    out.text("// what the first of these coefficients lack")
    out.array(f"kPhase{order}Lo", [p[1] for p in parts[:EXTENDED]])
    out.text("// the modulus over sqrt(2 / (pi x)), in powers of 1/x^2")
    out.array(f"kModulus{order}", [mpf(float(mpf(m.numerator) / m.denominator)) for m in modulus[:SHORT]])
out.write()
