"""Coefficients for exponentials and logarithms."""

from __future__ import annotations

from header import Header
from minimax import Fit
from mpmath import atanh, exp, expm1, ln, log10, mp, mpf, sqrt

mp.prec = 200
ln2, ln10 = ln(mpf(2)), ln(mpf(10))
half = ln2 / 2 + mpf(2) ** -20
small = mpf(2) ** -60

out = Header("exponential/explog_coefficients", "explog.py", "Exponentials, logarithms and their constants.")


def exp_tail(r: mpf) -> mpf:
    """(e^r - 1 - r - r^2/2) / r^3."""
    if abs(r) < mpf(2) ** -40:
        return mpf(1) / 6 + r / 24
    return (expm1(r) - r - r * r / 2) / r**3


terms = 9
c, e = Fit(exp_tail, (-half, half), range(terms), lambda r: abs(r) ** 3 / exp(r)).rounded(["f64"] * terms)
out.text("// (exp(r) - 1 - r - r^2/2) / r^3 for |r| <= ln(2)/2; error relative to exp(r)")
out.array("kExpTailF64", c, "f64", e)
c, e = Fit(exp_tail, (-half, half), range(4), lambda r: abs(r) ** 3 / exp(r)).rounded(["f64"] * 4)
out.text("// the same with the accuracy that an f32 result needs")
out.array("kExpTailForF32", c, "f64", e)


def expm1_tail(r: mpf) -> mpf:
    """(e^r - 1 - r) / r^2."""
    return (expm1(r) - r) / r**2 if abs(r) > mpf(2) ** -60 else mpf(1) / 2 + r / 6


c, e = Fit(expm1_tail, (-half, half), range(5), lambda r: r * r / abs(expm1(r)) if r else mpf(0)).rounded(
    ["f32"] * 5
)
out.text("// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2 in f32; error relative to exp(r) - 1")
out.array("kExpm1TailF32", c, "f32", e)


def log_tail(z: mpf) -> mpf:
    """(2 atanh(s) - 2 s) / s for z = s^2: 2/3 z + 2/5 z^2 + ..., divided by z."""
    if z < small:
        return mpf(2) / 3 + z * 2 / 5
    s = sqrt(z)
    return (2 * atanh(s) - 2 * s) / (s * z)


out.text()
out.text("// log((1 + s) / (1 - s)) = 2 s + s z P(z), z = s^2, |s| <= 1/5; error relative to the logarithm")
largest = mpf("0.0401")
for name, terms in (("kLogTailF64", 8), ("kLogTailForF32", 4)):
    fit = Fit(log_tail, (0, largest), range(terms), lambda z: z / (2 + z * log_tail(z)))
    c, e = fit.rounded(["f64"] * terms)
    out.array(name, c, "f64", e)


def log_tail_5(z: mpf) -> mpf:
    """What remains of 2 atanh(s) after 2 s + 2/3 s^3, over s^5."""
    if z < small:
        return mpf(2) / 5 + z * 2 / 7
    return (log_tail(z) - mpf(2) / 3) / z


fit = Fit(log_tail_5, (0, largest), range(9), lambda z: z * z / (2 + z * log_tail(z)))
c, e = fit.rounded(["f64"] * 9)
out.text("// for double-double: log = 2 s + 2/3 s^3 + s^5 P(z)")
out.array("kLogTailExtended", c, "f64", e)

out.text()
out.parts("kLn2", ln2, 3)
out.parts("kLog2E", 1 / ln2, 2)
out.parts("kLn10", ln10, 2)
out.parts("kLog2Of10", ln10 / ln2, 2)
out.parts("kLog10Of2", log10(mpf(2)), 2)
out.parts("kLog10OfE", 1 / ln10, 2)
out.text("// ln(2) and log10(2) with trailing zeros: times an exponent of 11 bits is exact")
for name, value in (("kLn2Short", ln2), ("kLog10Of2Short", log10(mpf(2)))):
    with mp.workprec(40):
        piece = +mpf(value)
    out.scalar(name, piece)
    out.scalar(name + "Rest", mpf(float(value - piece)))
out.text()
out.parts("kLn2F32", ln2, 2, "f32")
out.parts("kLog2EF32", 1 / ln2, 2, "f32")
out.parts("kLog2Of10F32", ln10 / ln2, 2, "f32")
out.parts("kLog10Of2F32", log10(mpf(2)), 2, "f32")
with mp.workprec(15):
    piece = +ln2
out.text("// ln(2) with trailing zeros for f32: times an exponent of 8 bits is exact")
out.scalar("kLn2ShortF32", piece, "f32")
with mp.workprec(24):
    rest = +(ln2 - piece)
out.scalar("kLn2ShortRestF32", rest, "f32")

out.text()
out.text("// 2^f for |f| <= 1/2, for f32 results; error relative")
f = Fit(lambda f: mpf(2) ** f, (-0.5, 0.5), range(7))
c, e = f.rounded(["f64"] * 7)
out.array("kExp2ForF32", c, "f64", e)
out.text("// log2((1 + s) / (1 - s)) = s P(z), z = s^2, |s| <= 1/5, for f32 powers; error relative")
f = Fit(lambda z: 2 * atanh(sqrt(z)) / sqrt(z) / ln2 if z > small else 2 / ln2, (0, largest), range(6))
c, e = f.rounded(["f64"] * 6)
out.array("kLog2ForF32", c, "f64", e)
out.write()
