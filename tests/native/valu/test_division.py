"""Division as compilers build it must be correctly rounded, over the whole range."""

from __future__ import annotations

import exact_float as x
import numpy as np
import pytest
import valu_runner as run
from bare_wave import LANES, Wave, assemble
from exact_float import DOUBLE, SINGLE, Format

# LLVM's expansion of fdiv: numerator in v4, denominator in v6, quotient in v20.
SINGLE_TEXT = """
    v_div_scale_f32 v10, s[10:11], v6, v6, v4
    v_rcp_f32 v11, v10
    v_div_scale_f32 v12, vcc, v4, v6, v4
    v_fma_f32 v13, -v10, v11, 1.0
    v_fma_f32 v11, v13, v11, v11
    v_mul_f32 v13, v12, v11
    v_fma_f32 v14, -v10, v13, v12
    v_fma_f32 v13, v14, v11, v13
    v_fma_f32 v10, -v10, v13, v12
    v_div_fmas_f32 v10, v10, v11, v13
    v_div_fixup_f32 v20, v10, v6, v4
"""
DOUBLE_TEXT = """
    v_div_scale_f64 v[10:11], s[10:11], v[6:7], v[6:7], v[4:5]
    v_rcp_f64 v[12:13], v[10:11]
    v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0
    v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]
    v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0
    v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]
    v_div_scale_f64 v[14:15], vcc, v[4:5], v[6:7], v[4:5]
    v_mul_f64 v[16:17], v[14:15], v[12:13]
    v_fma_f64 v[10:11], -v[10:11], v[16:17], v[14:15]
    s_nop 1
    v_div_fmas_f64 v[10:11], v[10:11], v[12:13], v[16:17]
    v_div_fixup_f64 v[20:21], v[10:11], v[6:7], v[4:5]
"""


def quotient(f: Format, n: int, d: int) -> int:
    nan = x.nan_of(f, n, d)
    if nan is not None:
        return nan
    sign = (n ^ d) & f.sign
    if (f.is_zero(n) and f.is_zero(d)) or (f.is_inf(n) and f.is_inf(d)):
        return f.sign | f.nan
    if f.is_inf(n) or f.is_zero(d):
        return sign | f.inf
    if f.is_zero(n) or f.is_inf(d):
        return sign
    return f.encode(f.value(n) / f.value(d), bool(sign))


@pytest.fixture(scope="module")
def code() -> dict[str, bytes]:
    return dict(zip("fd", assemble("gfx942", [SINGLE_TEXT, DOUBLE_TEXT]), strict=True))


def pairs(letter: str, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Anything, with many quotients near both ends of the range and near representable numbers."""
    f = SINGLE if letter == "f" else DOUBLE
    n, d = run.values(letter, rng, LANES), run.values(letter, rng, LANES)
    for lane in range(0, LANES, 3):
        top = f.exponent_ones
        low = int(rng.integers(0, top))
        goal = int(rng.choice([-f.bias - f.mantissa, 1 - f.bias, f.bias - 1, 0])) + int(rng.integers(-2, 3))
        other = min(max(low + goal, 0), top - 1)
        fractions = rng.integers(0, 2**f.mantissa, 2)
        d[lane] = low << f.mantissa | int(fractions[0])
        n[lane] = other << f.mantissa | int(fractions[1]) & -(1 << int(rng.integers(0, f.mantissa)))
    return n, d


@pytest.mark.parametrize(("letter", "f"), [("f", SINGLE), ("d", DOUBLE)])
def test_correctly_rounded(letter: str, f: Format, code: dict[str, bytes]) -> None:
    rng = np.random.default_rng(11)
    for _ in range(60):
        n, d = pairs(letter, rng)
        wave = Wave()
        run.set_lanes(wave, 4, letter, n, rng)
        run.set_lanes(wave, 6, letter, d, rng)
        assert wave.run(code[letter]) == 0, wave.message
        for a, b, got in zip(n, d, run.get_lanes(wave, 20, letter), strict=True):
            want = quotient(f, a, b)
            assert got == want, f"{a:#x} / {b:#x} = {got:#x}, expected {want:#x}"


def test_scale_writes_a_mask_of_active_lanes() -> None:
    (text,) = assemble("gfx942", ["v_div_scale_f32 v20, s[10:11], v6, v6, v4"])
    wave = Wave()
    wave.exec = 0x0F
    wave.v[4] = SINGLE.max_finite
    wave.v[6] = SINGLE.one
    before = wave.v[20].copy()
    wave.set_s64(10, 0xFFFF)
    assert wave.run(text) == 0
    assert wave.s64(10) == 0x0F
    assert (wave.v[20][:4] == x.mul(SINGLE, SINGLE.one, SINGLE.encode(x.Fraction(2) ** 64))).all()
    assert (wave.v[20][4:] == before[4:]).all()


@pytest.mark.parametrize("letter", ["f", "d"])
def test_last_step_is_a_fused_multiply_add(letter: str) -> None:
    f = SINGLE if letter == "f" else DOUBLE
    kind = "f32" if letter == "f" else "f64"
    registers = [run.vgpr(r, letter) for r in (20, 4, 6, 8)]
    (text,) = assemble("gfx942", [f"v_div_fmas_{kind} {', '.join(registers)}"])
    rng = np.random.default_rng(4)
    for _ in range(20):
        wave = Wave()
        lanes = [run.values(letter, rng, LANES) for _ in range(3)]
        for register, numbers in zip((4, 6, 8), lanes, strict=True):
            run.set_lanes(wave, register, letter, numbers, rng)
        vcc = int.from_bytes(rng.bytes(8), "little")
        wave.set_s64(106, vcc)
        assert wave.run(text) == 0
        for lane, got in enumerate(run.get_lanes(wave, 20, letter)):
            a, b, c = (numbers[lane] for numbers in lanes)
            if not vcc >> lane & 1:
                assert got == x.fma(f, a, b, c)
            elif not any(f.is_nan(v) or f.is_inf(v) for v in (a, b, c)):
                power = 64 if letter == "f" else 128
                scale = x.Fraction(2) ** (power if f.exponent(c) > f.bias else -power)
                exact = (f.value(a) * f.value(b) + f.value(c)) * scale
                if exact:
                    assert got == f.encode(exact), f"{a:#x} {b:#x} {c:#x}: {got:#x}"
