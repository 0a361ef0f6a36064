"""Coefficients for the gamma function: Stirling's correction, log gamma near 2, and its negative zeros."""

from __future__ import annotations

from header import Header, literal, split
from minimax import Fit
from mpmath import bernoulli, factorial, gamma, ln, loggamma, mp, mpf, pi, psi, sqrt

mp.prec = 250

out = Header(
    "special/gamma_coefficients",
    "gamma.py",
    "Stirling's correction, log gamma near 2 and near its negative zeros.",
)


def stirling_tail(v: mpf) -> mpf:
    """y (log gamma(y) - (y - 1/2) log y + y - log(2 pi) / 2) for v = 1 / y^2."""
    if v < mpf(1) / 10000:  # the asymptotic series itself
        total, power = mpf(0), mpf(1)
        for k in range(1, 16):
            total += bernoulli(2 * k) / (2 * k * (2 * k - 1)) * power
            power *= v
        return total
    y = 1 / sqrt(v)
    return y * (loggamma(y) - (y - mpf(1) / 2) * ln(y) + y - ln(2 * pi) / 2)


c, e = Fit(stirling_tail, (0, mpf("0.01563")), range(8), lambda v: mpf(1)).rounded(["f64"] * 8)
out.text("// y times the correction to Stirling's formula, in powers of 1/y^2, for y >= 8; error absolute")
out.array("kStirling", c, "f64", e)


def near_two(t: mpf) -> mpf:
    """log gamma(2 + t) / t."""
    if abs(t) < mpf(2) ** -60:
        return psi(0, 2) + t * psi(1, 2) / 2
    return loggamma(2 + t) / t


terms = 23
c, e = Fit(near_two, ("-0.7501", "0.501"), range(terms)).rounded(["f64"] * terms)
out.text("// log gamma(2 + t) = t P(t) for t from -3/4 to 1/2; error relative")
out.array("kLogGammaNearTwo", c, "f64", e)


def log_abs_gamma(x: mpf) -> mpf:
    return ln(abs(gamma(x)))


FIRST, LAST, TERMS = 2, 17, 18
out.text()
out.text(
    "// Zeros of log |gamma| between -n - 1 and -n, the one next to -n first: position in two parts, "
    "distance to"
)
out.text("// the nearest pole, and log |gamma| = u P(u) for u = (x - position) / distance, |u| <= 1/8.")
out.text(f"struct NegativeZero {{\n    f64 hi, lo, distance;\n    f64 coefficients[{TERMS}];\n}};")
out.text(f"constexpr i32 kFirstInterval = {FIRST}, kLastInterval = {LAST};")
rows = []
for n in range(FIRST, LAST + 1):
    for pole, side in ((mpf(-n), -1), (mpf(-n - 1), 1)):
        # Near a pole |gamma| is about 1 / (k! |x - pole|).
        guess = mpf(1) / factorial(-pole)
        if n == 2:
            guess = mpf("0.457") if side < 0 else mpf("0.2523")
        elif n == 3 and side < 0:
            guess = mpf("0.1436")
        with mp.workprec(400):
            zero = pole + side * guess
            for _ in range(12):  # Newton; the derivative of log |gamma| is psi
                zero -= log_abs_gamma(zero) / psi(0, zero)
            nearest = abs(zero - mp.nint(zero))
            scale = mpf(float(nearest))
            value = [psi(k, zero) for k in range(TERMS)]
            c = [value[k] / factorial(k + 1) * scale ** (k + 1) for k in range(TERMS)]
        hi, lo = split(zero)
        text = ", ".join(literal(mpf(float(v)), "f64") for v in c)
        rows.append(
            f"    {{{literal(hi, 'f64')}, {literal(lo, 'f64')}, {literal(scale, 'f64')},\n     {{{text}}}}},"
        )
out.lines.append("constexpr NegativeZero kNegativeZeros[] = {")
out.lines += rows
out.lines.append("};")
out.text()
out.parts("kHalfLog2Pi", ln(2 * pi) / 2, 2)
out.parts("kPi", pi, 2)
out.write()
