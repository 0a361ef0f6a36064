"""Arguments worth testing: edge values, every binade, random bit patterns, and where functions are hard."""

from __future__ import annotations

import numpy as np
from mpmath import mp, mpf
from numpy.typing import NDArray

BITS = {"f16": np.uint16, "f32": np.uint32, "f64": np.uint64}
FLOAT = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
MANTISSA = {"f16": 10, "f32": 23, "f64": 52}

Array = NDArray[np.generic]

# Where each function is neither constant nor out of range (f32, f64), in magnitude when symmetric.
RANGES: dict[str, dict[str, tuple[float, float]]] = {
    "exp": {"f32": (-104, 89), "f64": (-746, 710)},
    "exp2": {"f32": (-150, 128.5), "f64": (-1075, 1025)},
    "exp10": {"f32": (-46, 39), "f64": (-324, 309)},
    "expm1": {"f32": (-20, 89), "f64": (-40, 710)},
    "sinh": {"f32": (-90, 90), "f64": (-711, 711)},
    "cosh": {"f32": (-90, 90), "f64": (-711, 711)},
    "tanh": {"f32": (-10, 10), "f64": (-20, 20)},
    "asin": {"f32": (-1, 1), "f64": (-1, 1)},
    "acos": {"f32": (-1, 1), "f64": (-1, 1)},
    "asinpi": {"f32": (-1, 1), "f64": (-1, 1)},
    "acospi": {"f32": (-1, 1), "f64": (-1, 1)},
    "atanh": {"f32": (-1, 1), "f64": (-1, 1)},
    "acosh": {"f32": (1, 100), "f64": (1, 100)},
    "erf": {"f32": (-4, 4), "f64": (-6, 6)},
    "erfc": {"f32": (-4, 10.1), "f64": (-6, 27.3)},
    "erfcx": {"f32": (-9.4, 50), "f64": (-26.7, 100)},
    "ncdf": {"f32": (-14.2, 6), "f64": (-38.5, 9)},
    "erfinv": {"f32": (-1, 1), "f64": (-1, 1)},
    "erfcinv": {"f32": (0, 2), "f64": (0, 2)},
    "ncdfinv": {"f32": (0, 1), "f64": (0, 1)},
    "tgamma": {"f32": (-42, 35.1), "f64": (-185, 171.7)},
    "lgamma": {"f32": (-20, 40), "f64": (-20, 40)},
    "i0": {"f32": (-92, 92), "f64": (-714, 714)},
    "i1": {"f32": (-92, 92), "f64": (-714, 714)},
}
DEFAULT_RANGE = (-50.0, 50.0)


def edges(kind: str) -> Array:
    """Zeros, infinities, NaN, the ends of the denormal and normal ranges, and neighbours of small numbers."""
    info = np.finfo(FLOAT[kind])
    base = [0.0, info.smallest_subnormal, info.tiny, info.max, 1.0, 2.0, 0.5, 3.0, 4.0, 10.0, 1.5, 2.5]
    if kind != "f16":
        base += [2.0**24, 2.0**31, 2.0**32, 2.0**53, 2.0**63, 1e10, 1e30]
    values: list[np.generic] = []
    with np.errstate(over="ignore"):
        for b in base:
            v = FLOAT[kind](b)
            for w in (v, np.nextafter(v, FLOAT[kind](np.inf)), np.nextafter(v, FLOAT[kind](-np.inf))):
                values += [w, -w]
    values += [FLOAT[kind](np.inf), FLOAT[kind](-np.inf), FLOAT[kind](np.nan)]
    return np.array(values, FLOAT[kind])


def random_bits(kind: str, count: int, rng: np.random.Generator) -> Array:
    raw = rng.integers(0, np.iinfo(BITS[kind]).max, count, dtype=BITS[kind], endpoint=True)
    return raw.view(FLOAT[kind])


def around(kind: str, centre: float, count: int, rng: np.random.Generator) -> Array:
    """Numbers at distances 2^-k from ``centre``, for all k."""
    distance = 2.0 ** rng.uniform(-MANTISSA[kind] - 3, 0, count) * rng.choice([-1.0, 1.0], count)
    return (np.float64(centre) + distance * max(1.0, abs(centre))).astype(FLOAT[kind])


def near_multiples_of_half_pi(kind: str, count: int, rng: np.random.Generator) -> Array:
    """The floats next to k pi/2 for k of every size: the hardest arguments of sine, cosine and tangent."""
    values = []
    top = 127 if kind == "f32" else 1023
    with mp.workprec(1300):
        half_pi = mp.pi / 2
        for _ in range(count):
            size = int(rng.integers(1, min(top, 60) if rng.random() < 0.7 else top))
            k = int(mpf(2) ** size * mpf(1 + rng.random()))
            values.append(float(min(k * half_pi, mpf(float(np.finfo(FLOAT[kind]).max)))))
    array = np.array(values, np.float64).astype(FLOAT[kind])
    return np.concatenate([array, np.nextafter(array, FLOAT[kind](0)), -array])


def unary(name: str, kind: str, count: int, seed: int = 1) -> Array:
    """About ``count`` arguments for a function of one variable."""
    rng = np.random.default_rng([seed, count, sum(name.encode())])
    low, high = RANGES.get(name, {}).get(kind, DEFAULT_RANGE)
    part = max(count // 5, 4)
    magnitudes = np.exp2(rng.uniform(-30, np.log2(max(abs(low), abs(high))), part)) * rng.choice(
        [-1.0, 1.0], part
    )
    pieces = [
        edges(kind),
        random_bits(kind, part, rng),
        rng.uniform(low, high, part).astype(FLOAT[kind]),
        magnitudes.astype(FLOAT[kind]),
        around(kind, 1.0, part // 2, rng),
        around(kind, low, part // 4, rng),
        around(kind, high, part // 4, rng),
        rng.uniform(-2.0, 2.0, part).astype(FLOAT[kind]),
    ]
    if name in ("sin", "cos", "tan"):
        pieces.append(near_multiples_of_half_pi(kind, min(part, 2000), rng))
    return np.concatenate(pieces)


def binary(name: str, kind: str, count: int, seed: int = 1) -> tuple[Array, Array]:
    """About ``count`` pairs of arguments."""
    rng = np.random.default_rng([seed, count, sum(name.encode())])
    part = max(count // 5, 4)
    float_type = FLOAT[kind]
    some = rng.choice(edges(kind), (2, part))
    pairs = [(some[0], some[1]), (random_bits(kind, part, rng), random_bits(kind, part, rng))]
    if name.startswith("pow"):
        reach = {"f32": 149.0, "f64": 1074.0}[
            kind
        ]  # powers of two between the smallest and the largest number
        for base in (
            np.exp2(rng.uniform(-20, 20, part)),
            around(kind, 1.0, part, rng),
            random_bits(kind, part, rng),
        ):
            x = np.abs(base.astype(float_type))
            with np.errstate(all="ignore"):
                y = rng.uniform(-reach, reach, part) / np.log2(x.astype(np.longdouble))
                pairs.append((x, y.astype(float_type)))
        whole = rng.integers(-20, 20, (2, part)).astype(float_type)
        pairs.append((whole[0], whole[1]))
    else:
        plain = rng.uniform(-10, 10, (2, part)).astype(float_type)
        size = np.exp2(rng.uniform(-100, 100, part)).astype(float_type)
        ratio = np.exp2(rng.uniform(-30, 30, part)) * rng.choice([-1.0, 1.0], part)
        pairs += [(plain[0], plain[1]), (size, (size * ratio).astype(float_type))]
        whole = rng.integers(-100, 100, (2, part)).astype(float_type)
        pairs.append((whole[0], whole[1]))
    return np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])
