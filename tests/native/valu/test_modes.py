"""Rounding and denormal modes, IEEE mode of minimum and maximum."""

from __future__ import annotations

import exact_float as x
import numpy as np
import pytest
import valu_runner as run
from bare_wave import LANES, Wave, assemble
from exact_float import DOUBLE, HALF, SINGLE, Format
from tests.table_rows import rows

FORMAT = {"f16": (HALF, "h"), "f32": (SINGLE, "f"), "f64": (DOUBLE, "d")}
ROUND = {"f32": 0, "f16": 2, "f64": 2}
DENORM = {"f32": 4, "f16": 6, "f64": 6}
FUNCTIONS = {"add": (2, x.add), "mul": (2, x.mul), "fma": (3, x.fma)}


def program(name: str, kind: str) -> str:
    count, _ = FUNCTIONS[name]
    letter = FORMAT[kind][1]
    return f"v_{name}_{kind} " + ", ".join(run.vgpr(r, letter) for r in [20, *run.SOURCE[:count]])


CASES = [(name, kind) for name in FUNCTIONS for kind in FORMAT]


@pytest.fixture(scope="module")
def code() -> dict[tuple[str, str], bytes]:
    return dict(zip(CASES, assemble("gfx942", [program(*case) for case in CASES]), strict=True))


def outcome(
    f: Format, letter: str, code: bytes, count: int, mode: int, seed: int
) -> list[tuple[list[int], int]]:
    rng = np.random.default_rng(seed)
    wave = Wave()
    wave.mode = mode
    inputs = [run.values(letter, rng, LANES) for _ in range(count)]
    for register, numbers in zip(run.SOURCE, inputs, strict=False):
        run.set_lanes(wave, register, letter, numbers, rng)
    assert wave.run(code) == 0, wave.message
    assert wave.mode == mode
    results = [r & (2**f.bits - 1) for r in run.get_lanes(wave, 20, letter)]
    return list(zip(map(list, zip(*inputs, strict=True)), results, strict=True))


@pytest.mark.parametrize("rounding", [x.UP, x.DOWN, x.ZERO])
@rows("name, kind", CASES)
def test_rounding(name: str, kind: str, rounding: int, code: dict[tuple[str, str], bytes]) -> None:
    f, letter = FORMAT[kind]
    count, function = FUNCTIONS[name]
    mode = 0x3F0 | rounding << ROUND[kind]
    for sources, got in outcome(f, letter, code[name, kind], count, mode, rounding):
        want = function(f, *sources, rounding)
        assert got == want, f"{name} {[hex(s) for s in sources]}: {got:#x}, expected {want:#x}"


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("denorm", [0, 1, 2])
def test_flushing(name: str, kind: str, denorm: int, code: dict[tuple[str, str], bytes]) -> None:
    f, letter = FORMAT[kind]
    count, function = FUNCTIONS[name]
    mode = 0x3F0 & ~(3 << DENORM[kind]) | denorm << DENORM[kind]

    def flush(a: int) -> int:
        return a & f.sign if f.is_denormal(a) else a

    for sources, got in outcome(f, letter, code[name, kind], count, mode, denorm):
        numbers = sources if denorm & 1 else [flush(s) for s in sources]
        want = function(f, *numbers)
        want = want if denorm & 2 else flush(want)
        assert got == want, f"{name} {[hex(s) for s in sources]}: {got:#x}, expected {want:#x}"


def test_other_precision_is_unaffected(code: dict[tuple[str, str], bytes]) -> None:
    for sources, got in outcome(DOUBLE, "d", code["add", "d" and "f64"], 2, 0x3C3, 1):
        assert got == x.add(DOUBLE, *sources)
    for sources, got in outcome(SINGLE, "f", code["add", "f32"], 2, 0x33C, 2):
        assert got == x.add(SINGLE, *sources)


@pytest.mark.parametrize("name", ["min", "max"])
@pytest.mark.parametrize("kind", FORMAT)
@pytest.mark.parametrize("ieee", [True, False])
def test_signalling_nans_of_minimum_and_maximum(name: str, kind: str, ieee: bool) -> None:
    f, letter = FORMAT[kind]
    function = x.minimum if name == "min" else x.maximum
    (text,) = assemble("gfx942", [f"v_{name}_{kind} " + ", ".join(run.vgpr(r, letter) for r in (20, 4, 6))])
    for sources, got in outcome(f, letter, text, 2, 0x3F0 if ieee else 0x1F0, 7):
        want = function(f, *sources, ieee)
        assert got == want, f"{name} {[hex(s) for s in sources]}: {got:#x}, expected {want:#x}"


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_minimum_flushes(kind: str) -> None:
    f, letter = FORMAT[kind]
    (text,) = assemble("gfx942", [f"v_max_{kind} " + ", ".join(run.vgpr(r, letter) for r in (20, 4, 4))])
    mode = 0x3F0 & ~(3 << DENORM[kind])
    for (a, _), got in outcome(f, letter, text, 2, mode, 3):
        want = x.maximum(f, a, a)
        assert got == (want & f.sign if f.is_denormal(want) else want)


@pytest.mark.parametrize("rounding", [x.NEAREST, x.UP, x.DOWN, x.ZERO])
def test_conversions_round(rounding: int) -> None:
    texts = [
        "v_cvt_f16_f32 v20, v4",
        "v_cvt_f32_f64 v20, v[4:5]",
        "v_cvt_f32_i32 v20, v4",
        "v_cvt_f32_u32 v20, v4",
    ]
    codes = assemble("gfx942", texts)
    half = outcome(HALF, "f", codes[0], 1, 0x3F0 | rounding << 2, 1)
    for (a,), got in half:
        assert got == x.convert(SINGLE, HALF, a, rounding), hex(a)
    for code, signed in zip(codes[2:], (True, False), strict=True):
        for (a,), got in outcome(SINGLE, "u", code, 1, 0x3F0 | rounding, 4):
            value = a - 2**32 if signed and a >> 31 else a
            assert got == SINGLE.encode(x.Fraction(value), mode=rounding), hex(a)
    rng = np.random.default_rng(3)
    wave = Wave()
    wave.mode = 0x3F0 | rounding << 2
    numbers = run.values("d", rng, LANES)
    run.set_lanes(wave, 4, "d", numbers, rng)
    assert wave.run(codes[1]) == 0
    for a, got in zip(numbers, run.get_lanes(wave, 20, "f"), strict=True):
        assert got == x.convert(DOUBLE, SINGLE, a, rounding), hex(a)


def test_integer_conversion_truncates_in_every_mode() -> None:
    (code,) = assemble("gfx942", ["v_cvt_i32_f32 v20, v4"])
    reference = run.TABLE["v_cvt_i32_f32"][1]
    for rounding in range(4):
        for (a,), got in outcome(SINGLE, "f", code, 1, 0x3F0 | rounding, 5):
            want = reference(a)
            assert isinstance(want, int)
            assert got == want & 0xFFFFFFFF
