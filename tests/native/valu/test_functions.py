"""Exponentials, logarithms, roots, reciprocals and trigonometric functions against mpmath."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import exact_float as x
import mpmath
import numpy as np
import pytest
import valu_runner as run
from bare_wave import ALL, LANES, Wave, assemble
from exact_float import DOUBLE, HALF, SINGLE, Format

FORMAT = {"f16": HALF, "f32": SINGLE, "f64": DOUBLE}
LETTER = {"f16": "h", "f32": "f", "f64": "d"}
INVALID = {16: 0xFE00, 32: 0xFFC00000, 64: 0xFFF8000000000000}
mpmath.mp.prec = 400

Function = Callable[[mpmath.mpf], mpmath.mpf]
FUNCTIONS: dict[str, Function] = {
    "exp": lambda v: mpmath.mpf(2) ** v,
    "exp_legacy": lambda v: mpmath.mpf(2) ** v,
    "log": lambda v: mpmath.log(v, 2),
    "log_legacy": lambda v: mpmath.log(v, 2),
    "sin": lambda v: mpmath.sinpi(2 * v),
    "cos": lambda v: mpmath.cospi(2 * v),
    "rcp": lambda v: 1 / v,
    "rcp_iflag": lambda v: 1 / v,
    "rsq": lambda v: 1 / mpmath.sqrt(v),
    "sqrt": mpmath.sqrt,
}
NAMES = [
    *(f"v_{name}_f32" for name in FUNCTIONS),
    *(f"v_{name}_f16" for name in ("exp", "log", "sin", "cos", "rcp", "rsq", "sqrt")),
    *(f"v_{name}_f64" for name in ("rcp", "rsq", "sqrt")),
]


def special(name: str, f: Format, a: int) -> int | None:
    """The results that are given exactly (CDNA3 ISA, VOP1), or None."""
    if f.is_nan(a):
        return a | f.quiet
    negative, zero, inf = f.negative(a), f.is_zero(a), f.is_inf(a)
    minus = f.sign if negative else 0
    if name.startswith("exp"):
        return f.one if zero else (0 if negative else f.inf) if inf else None
    if name.startswith("log"):
        return f.sign | f.inf if zero else INVALID[f.bits] if negative else a if inf else None
    if name in ("sin", "cos"):
        return INVALID[f.bits] if inf else (a if name == "sin" else f.one) if zero else None
    if name.startswith("rcp"):
        return minus | f.inf if zero else minus if inf else None
    if zero:
        return a if name == "sqrt" else minus | f.inf
    if negative:
        return INVALID[f.bits]
    return (a if name == "sqrt" else 0) if inf else None


def encode(f: Format, value: mpmath.mpf) -> int:
    """Rounded to nearest; only used to measure distances."""
    if value == 0:
        return 0
    if abs(value) > mpmath.mpf(2) ** 5000:
        return (f.sign if value < 0 else 0) | f.inf
    sign, mantissa, exponent, _ = value._mpf_
    size = Fraction(int(mantissa)) * Fraction(2) ** int(max(exponent, -20000))
    return f.encode(-size if sign else size)


def inputs(f: Format, letter: str, name: str) -> list[int]:
    rng = np.random.default_rng([3, *name.encode()])
    numbers = run.values(letter, rng, 6 * LANES)
    if name in ("exp", "sin", "cos", "exp_legacy"):
        numbers += [f.encode(Fraction(float(v))) for v in rng.uniform(-20, 20, 4 * LANES)]
    numbers += [f.encode(Fraction(float(v))) for v in rng.uniform(0.9, 1.1, 2 * LANES)]
    return numbers[: len(numbers) // LANES * LANES]


@pytest.fixture(scope="module")
def code() -> dict[str, bytes]:
    texts = [f"{n} {run.vgpr(20, LETTER[n[-3:]])}, {run.vgpr(4, LETTER[n[-3:]])}" for n in NAMES]
    return dict(zip(NAMES, assemble("gfx942", texts), strict=True))


@pytest.mark.parametrize("full", NAMES)
def test_within_one_ulp(full: str, code: dict[str, bytes]) -> None:
    f, letter = FORMAT[full[-3:]], LETTER[full[-3:]]
    name = full[2:-4]
    numbers = inputs(f, letter, name)
    for start in range(0, len(numbers), LANES):
        lanes = numbers[start : start + LANES]
        wave = Wave()
        run.set_lanes(wave, 4, letter, lanes, np.random.default_rng(1))
        assert wave.run(code[full]) == 0, wave.message
        results = run.get_lanes(wave, 20, letter)
        for a, got in zip(lanes, results, strict=True):
            want = special(name, f, a)
            if want is not None:
                assert got == want, f"{full}({a:#x}) = {got:#x}, expected {want:#x}"
                continue
            value = f.value(a)
            if name.startswith("exp"):  # larger powers are beyond every format
                value = min(max(value, Fraction(-6000)), Fraction(6000))
            exact = FUNCTIONS[name](mpmath.mpf(value.numerator) / value.denominator)
            nearest = encode(f, exact)
            assert not f.is_nan(got), f"{full}({a:#x}) = {got:#x}"
            assert x.ulps_apart(f, got, nearest) <= 1, f"{full}({a:#x}) = {got:#x}, nearest {nearest:#x}"


def test_whole_turns_are_zero(code: dict[str, bytes]) -> None:
    turns = [SINGLE.encode(Fraction(n)) for n in (1, -1, 2, -7, 2**23, -(2**25), 2**100)]
    lanes = (turns * 10)[:LANES]
    wave = Wave()
    wave.v[4] = np.array(lanes, dtype=np.uint32)
    assert wave.run(code["v_sin_f32"]) == 0
    assert (wave.v[20] == 0).all()
    assert wave.run(code["v_cos_f32"]) == 0
    assert (wave.v[20] == SINGLE.one).all()


def trig_preop(a: int, segment: int) -> int:
    """53 bits of 2/pi as CDNA3 ISA, V_TRIG_PREOP_F64 has it."""
    mpmath.mp.prec = 2000
    digits = int(mpmath.floor(2 / mpmath.pi * mpmath.mpf(2) ** 1201))
    mpmath.mp.prec = 400
    exponent = DOUBLE.exponent(a)
    shift = 53 * (segment & 31) + max(exponent - 1077, 0)
    piece = (digits << shift) >> (1201 - 53 + 0) & (2**53 - 1) if shift < 1201 + 53 else 0
    scale = -53 - shift + (128 if exponent >= 1968 else 0)
    return DOUBLE.encode(Fraction(piece) * Fraction(2) ** scale)


def test_pieces_of_two_over_pi() -> None:
    (text,) = assemble("gfx942", ["v_trig_preop_f64 v[20:21], v[4:5], v6"])
    rng = np.random.default_rng(9)
    wave = Wave()
    lanes = [(int(rng.integers(0, 2047)) << 52) | int(rng.integers(0, 2**52)) for _ in range(LANES)]
    segments = [int(rng.integers(0, 32)) if i > 8 else i % 3 for i in range(LANES)]
    run.set_lanes(wave, 4, "d", lanes, rng)
    wave.v[6] = np.array(segments, dtype=np.uint32)
    wave.exec = ALL
    assert wave.run(text) == 0
    results = run.get_lanes(wave, 20, "d")
    for a, segment, got in zip(lanes, segments, results, strict=True):
        want = trig_preop(a, segment)
        assert got == want, f"{a:#x}, {segment}: {got:#x}, expected {want:#x}"
