"""High-precision references for the device math, by mpmath."""

from __future__ import annotations

from collections.abc import Callable

from mpmath import mp, mpf

mp.prec = 160
INFINITY = mpf("inf")
NAN = mpf("nan")
TINY = mpf(10) ** -1000  # stands for results far below every denormal
HUGE = mpf(10) ** 1000  # and for those far above every finite number

Unary = Callable[[mpf], mpf]


def bounded(f: Unary, low: float, high: float, below: mpf, above: mpf) -> Unary:
    """``f``, without asking mpmath for astronomic exponents."""

    def g(x: mpf) -> mpf:
        if x < low:
            return below
        return above if x > high else f(x)

    return g


def on_domain(f: Unary, low: float, high: float) -> Unary:
    return lambda x: f(x) if low <= x <= high else NAN


def odd(f: Unary) -> Unary:
    return lambda x: f(x) if x >= 0 else -f(-x)


def _log(f: Unary) -> Unary:
    return lambda x: f(x) if x > 0 else (-INFINITY if x == 0 else NAN)


def _lgamma(x: mpf) -> mpf:
    if x > 0:
        return mp.loggamma(x)
    if x == mp.floor(x):
        return INFINITY
    with mp.workprec(500):
        if x > -200:
            return mp.log(abs(mp.gamma(x)))
        return mp.log(mp.pi / abs(x * mp.sinpi(x))) - mp.loggamma(-x)


def _tgamma(x: mpf) -> mpf:
    if x == 0:
        return INFINITY
    if x < 0 and x == mp.floor(x):
        return NAN
    if x > 250:
        return HUGE
    return mp.gamma(x)


def _erfcx(x: mpf) -> mpf:
    if x < -100:
        return HUGE
    if x < 1000:
        with mp.workprec(400):
            return mp.exp(x * x) * mp.erfc(x)
    u = 1 / (2 * x * x)
    return (1 - u + 3 * u * u - 15 * u**3) / (x * mp.sqrt(mp.pi))


def _erfcinv(y: mpf) -> mpf:
    if y < 0 or y > 2:
        return NAN
    if y in (0, 2):
        return INFINITY if y == 0 else -INFINITY
    if y > 1:
        return -_erfcinv(2 - y)
    if y > mpf("0.1"):
        return mp.erfinv(1 - y)
    with mp.workprec(300):
        w = -mp.log(y * (2 - y))
        x = mp.sqrt(w - mp.log(mp.sqrt(mp.pi * w)))
        for _ in range(80):
            newton = (y * mp.exp(x * x) - mp.exp(x * x) * mp.erfc(x)) * mp.sqrt(mp.pi) / 2
            step = newton / (1 + x * newton)
            x -= step
            if abs(step) < x * mpf(2) ** -150:
                break
        return +x


def _tanpi(x: mpf) -> mpf:
    c = mp.cospi(x)
    if c == 0:  # poles alternate: +infinity at 1/2, -infinity at 3/2
        upper = mp.fmod(abs(x), 2) > 1
        return -INFINITY if upper != (x < 0) else INFINITY
    return mp.sinpi(x) / c


UNARY: dict[str, Unary] = {
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "sinpi": mp.sinpi,
    "cospi": mp.cospi,
    "tanpi": _tanpi,
    "asin": on_domain(mp.asin, -1, 1),
    "acos": on_domain(mp.acos, -1, 1),
    "atan": mp.atan,
    "asinpi": on_domain(lambda x: mp.asin(x) / mp.pi, -1, 1),
    "acospi": on_domain(lambda x: mp.acos(x) / mp.pi, -1, 1),
    "atanpi": lambda x: mp.atan(x) / mp.pi,
    "sinh": bounded(mp.sinh, -2000, 2000, -HUGE, HUGE),
    "cosh": bounded(mp.cosh, -2000, 2000, HUGE, HUGE),
    "tanh": bounded(mp.tanh, -2000, 2000, mpf(-1), mpf(1)),
    "asinh": odd(mp.asinh),
    "acosh": lambda x: mp.acosh(x) if x >= 1 else NAN,
    "atanh": lambda x: mp.atanh(x) if abs(x) < 1 else (INFINITY * x if abs(x) == 1 else NAN),
    "exp": bounded(mp.exp, -2000, 2000, TINY, HUGE),
    "exp2": bounded(lambda x: mpf(2) ** x, -3000, 3000, TINY, HUGE),
    "exp10": bounded(lambda x: mpf(10) ** x, -1000, 1000, TINY, HUGE),
    "expm1": bounded(mp.expm1, -2000, 2000, mpf(-1), HUGE),
    "log": _log(mp.log),
    "log2": _log(lambda x: mp.log(x) / mp.log(2)),
    "log10": _log(lambda x: mp.log(x) / mp.log(10)),
    "log1p": lambda x: mp.log1p(x) if x > -1 else (-INFINITY if x == -1 else NAN),
    "sqrt": lambda x: mp.sqrt(x) if x >= 0 else NAN,
    "rsqrt": lambda x: 1 / mp.sqrt(x) if x > 0 else (INFINITY if x == 0 else NAN),
    "cbrt": odd(mp.cbrt),
    "rcbrt": lambda x: odd(lambda v: 1 / mp.cbrt(v))(x) if x else INFINITY,
    "erf": bounded(mp.erf, -100, 100, mpf(-1), mpf(1)),
    "erfc": bounded(mp.erfc, -100, 100, mpf(2), TINY),
    "erfcx": _erfcx,
    "erfinv": lambda x: (mp.erfinv(x) if abs(x) < 1 else INFINITY * x) if abs(x) <= 1 else NAN,
    "erfcinv": _erfcinv,
    "ncdf": bounded(lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, -200, 200, TINY, mpf(1)),
    "ncdfinv": lambda p: -mp.sqrt(2) * _erfcinv(2 * p),
    "tgamma": _tgamma,
    "lgamma": _lgamma,
    "j0": lambda x: mp.besselj(0, x),
    "j1": lambda x: mp.besselj(1, x),
    "y0": lambda x: mp.bessely(0, x) if x > 0 else (-INFINITY if x == 0 else NAN),
    "y1": lambda x: mp.bessely(1, x) if x > 0 else (-INFINITY if x == 0 else NAN),
    "i0": bounded(lambda x: mp.besseli(0, x), -2000, 2000, HUGE, HUGE),
    "i1": bounded(lambda x: mp.besseli(1, x), -2000, 2000, -HUGE, HUGE),
}

# Beyond these magnitudes mpmath takes too long, or the result is a constant that the edge cases cover.
MAGNITUDE_LIMIT: dict[str, float] = {
    "j0": 1e5,
    "j1": 1e5,
    "y0": 1e5,
    "y1": 1e5,
    "tgamma": 180.0,
    "lgamma": 1e300,
}


def power(x: mpf, y: mpf) -> mpf:
    if y == 0 or x == 1:
        return mpf(1)
    if x == 0:
        return mpf(0) if y > 0 else INFINITY
    whole = y == mp.floor(y)
    if x < 0 and not whole:
        return NAN
    exponent = y * mp.log(abs(x))
    far = HUGE if exponent > 0 else TINY
    magnitude = far if abs(exponent) > 3000 else mp.exp(exponent)
    return -magnitude if x < 0 and mp.fmod(y, 2) != 0 else magnitude


BINARY: dict[str, Callable[[mpf, mpf], mpf]] = {
    "pow": power,
    "powr": power,
    "atan2": lambda y, x: mp.atan2(y, x) if x or y else mpf(0),
    "atan2pi": lambda y, x: mp.atan2(y, x) / mp.pi if x or y else mpf(0),
    "hypot": mp.hypot,
    "rhypot": lambda x, y: 1 / mp.hypot(x, y) if x or y else INFINITY,
}
