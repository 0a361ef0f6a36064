"""Coefficients for sine, cosine and tangent and the bits of 2/pi."""

from __future__ import annotations

from header import Header
from minimax import Fit
from mpmath import cos, mp, mpf, pi, sin, sqrt

mp.prec = 200

out = Header(
    "trigonometric/trig_coefficients", "trig.py", "Sine and cosine on [-pi/4, pi/4], and pi in pieces."
)
edge = pi / 4 + mpf(2) ** -20
tiny = mpf(2) ** -200


def sin_tail(z: mpf) -> mpf:
    """(sin r - r) / r^3 for z = r^2."""
    r = sqrt(z)
    return (sin(r) - r) / r**3 if z > mpf(2) ** -60 else mpf(-1) / 6 + z / 120


def cos_tail(z: mpf) -> mpf:
    """(cos r - 1 + r^2 / 2) / r^4 for z = r^2."""
    r = sqrt(z)
    return (cos(r) - 1 + z / 2) / z**2 if z > mpf(2) ** -60 else mpf(1) / 24 - z / 720


def sin_weight(z: mpf) -> mpf:
    r = sqrt(z)
    return r**3 / sin(r) if r > tiny else mpf(0)


def cos_weight(z: mpf) -> mpf:
    return z**2 / cos(sqrt(z))


for kind, sin_terms, cos_terms in (("f32", 3, 3), ("f64", 6, 6)):
    tag = kind.upper()
    c, e = Fit(sin_tail, (0, edge**2), range(sin_terms), sin_weight).rounded([kind] * sin_terms)
    out.array(f"kSin{tag}", c, kind, e)
    c, e = Fit(cos_tail, (0, edge**2), range(cos_terms), cos_weight).rounded([kind] * cos_terms)
    out.array(f"kCos{tag}", c, kind, e)

out.text()
out.scalar("kTwoOverPi", mpf(float(2 / pi)))
out.parts("kPi", pi, 3)
out.parts("kHalfPi", pi / 2, 4)
out.text()
out.text(
    "// 2/pi as a fixed-point number: word i holds the bits of weight 2^(63 - 32 i) down to 2^(32 - 32 i)."
)
with mp.workprec(2000):
    words = 42  # f64 exponents to 1024, 192 bits for the result, and two leading words of zeros
    value = int(mp.floor(2 / mp.pi * mpf(2) ** (32 * (words - 2))))
out.lines.append(f"constexpr u32 kTwoOverPiBits[{words}] = {{")
listing = [f"0x{(value >> (32 * (words - 1 - i))) & 0xFFFFFFFF:08x}" for i in range(words)]
for i in range(0, words, 8):
    out.lines.append("    " + ", ".join(listing[i : i + 8]) + ",")
out.lines.append("};")
out.write()
