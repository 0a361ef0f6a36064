"""neg, abs, omod, clamp, op_sel, packed swizzles, SDWA and DPP."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import exact_float as x
import float_reference
import numpy as np
import pytest
import valu_runner as run
from bare_wave import ALL, LANES, Wave, assemble, instructions
from exact_float import DOUBLE, HALF, SINGLE, Format

RNG_SEED = 17
Lane = Callable[..., int]


def registers(letters: str, rng: np.random.Generator, arch: str = "gfx942") -> tuple[Wave, list[list[int]]]:
    wave = Wave(arch)
    wave.v[:32] = rng.integers(0, 2**32, (32, LANES), dtype=np.uint32)
    inputs = []
    for index, letter in enumerate(letters):
        lanes = run.values(letter, rng, LANES)
        run.set_lanes(wave, run.SOURCE[index], letter, lanes, rng)
        inputs.append(run.get_lanes(wave, run.SOURCE[index], letter))
    return wave, inputs


def check(
    text: str,
    letters: str,
    result: str,
    function: Lane,
    mode: int | None = None,
    rounds: int = 2,
    archs: tuple[str, ...] = ("gfx90a", "gfx942"),
) -> None:
    """function(old destination, *raw source registers) gives the whole destination."""
    for arch in archs:
        (code,) = assemble(arch, [text])
        for round_number in range(rounds):
            rng = np.random.default_rng([RNG_SEED, round_number, *text.encode()])
            wave, inputs = registers(letters, rng, arch)
            wave.exec = ALL if round_number == 0 else run.random_exec(rng)
            if mode is not None:
                wave.mode = mode
            before = run.get_lanes(wave, run.DST, result)
            assert wave.run(code) == 0, wave.message
            for lane, got in enumerate(run.get_lanes(wave, run.DST, result)):
                sources = [numbers[lane] for numbers in inputs]
                want = function(before[lane], *sources) if wave.exec >> lane & 1 else before[lane]
                shown = [hex(v) for v in sources]
                assert got == want, f"{arch}: {text} lane {lane} {shown}: {got:#x}, expected {want:#x}"


def signs(f: Format, a: int, text: str) -> int:
    """Applies "-", "|" or "-|" to a number."""
    if "|" in text:
        a = f.magnitude(a)
    return a ^ f.sign if "-" in text else a


def written(register: str, sign: str) -> str:
    return f"{'-' if '-' in sign else ''}{'|' if '|' in sign else ''}{register}{'|' if '|' in sign else ''}"


@pytest.mark.parametrize("kind", ["f32", "f64", "f16"])
@pytest.mark.parametrize("pattern", [("-", "", ""), ("", "|", "-"), ("-|", "-", "|"), ("-|", "-|", "-|")])
def test_signs_of_fma(kind: str, pattern: tuple[str, str, str]) -> None:
    f, letter = float_reference.FORMATS[kind]
    operands = [written(run.vgpr(run.SOURCE[i], letter), sign) for i, sign in enumerate(pattern)]
    keep = 0xFFFF0000 if kind == "f16" else 0

    def want(old: int, *v: int) -> int:
        numbers = [signs(f, a & (2**f.bits - 1), sign) for a, sign in zip(v, pattern, strict=True)]
        return old & keep | x.fma(f, *numbers)

    check(f"v_fma_{kind} {run.vgpr(run.DST, letter)}, {', '.join(operands)}", letter * 3, letter, want)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "max", "min"])
def test_signs_of_two_sources(name: str) -> None:
    reference = float_reference.TABLE[f"v_{name}_f32"][1]

    def want(old: int, a: int, b: int) -> int:
        result = reference(signs(SINGLE, a, "-|"), signs(SINGLE, b, "-"))
        assert isinstance(result, int)
        return result

    check(f"v_{name}_f32_e64 v20, -|v4|, -v6", "ff", "f", want)


@pytest.mark.parametrize("name", ["lt", "eq", "nge", "u", "class"])
def test_signs_in_comparisons(name: str) -> None:
    reference = float_reference.TABLE[f"v_cmp_{name}_f32"][1]
    second = "v6" if name == "class" else "|v6|"
    (code,) = assemble("gfx942", [f"v_cmp_{name}_f32_e64 s[10:11], -|v4|, {second}"])
    wave, (a, b) = registers("ff" if name != "class" else "fb", np.random.default_rng(2))
    wave.exec = 0xFFFF_FFFF_1234_5678
    assert wave.run(code) == 0
    numbers = [
        (signs(SINGLE, p, "-|"), q if name == "class" else signs(SINGLE, q, "|"))
        for p, q in zip(a, b, strict=True)
    ]
    assert wave.s64(10) == run.mask_of(reference(*pair) for pair in numbers) & wave.exec


def test_signs_of_a_selection() -> None:
    (code,) = assemble("gfx942", ["v_cndmask_b32_e64 v20, -v4, |v6|, s[10:11]"])
    wave, (a, b) = registers("ff", np.random.default_rng(3))
    wave.set_s64(10, 0x5555_0000_FFFF_1234)
    assert wave.run(code) == 0
    for lane, got in enumerate(run.get_lanes(wave, 20, "f")):
        yes = wave.s64(10) >> lane & 1
        assert got == (signs(SINGLE, b[lane], "|") if yes else signs(SINGLE, a[lane], "-"))


def clamped(f: Format, a: int, dx10: bool = True) -> int:
    if f.is_nan(a):
        return 0 if dx10 else a
    return 0 if f.negative(a) else min(a, f.one)


@pytest.mark.parametrize("kind", ["f32", "f64", "f16"])
@pytest.mark.parametrize("dx10", [True, False])
def test_clamp(kind: str, dx10: bool) -> None:
    f, letter = float_reference.FORMATS[kind]
    reg = [run.vgpr(r, letter) for r in (20, 4, 6)]
    mode = 0x3F0 if dx10 else 0x2F0
    add = lambda old, a, b: clamped(f, x.add(f, a & (2**f.bits - 1), b & (2**f.bits - 1)), dx10)  # noqa: E731
    check(
        f"v_add_{kind}{'_e64' if kind != 'f64' else ''} {', '.join(reg)} clamp", letter * 2, letter, add, mode
    )


def test_clamp_of_pairs() -> None:
    def halves(old: int, a: int, b: int) -> int:
        sums = [clamped(HALF, x.add(HALF, a >> s & 0xFFFF, b >> s & 0xFFFF)) for s in (0, 16)]
        return sums[0] | sums[1] << 16

    def singles(old: int, a: int, b: int) -> int:
        low = 2**32 - 1
        return (
            clamped(SINGLE, x.mul(SINGLE, a & low, b & low))
            | clamped(SINGLE, x.mul(SINGLE, a >> 32, b >> 32)) << 32
        )

    check("v_pk_add_f16 v20, v4, v6 clamp", "bb", "b", halves)
    check("v_pk_mul_f32 v[20:21], v[4:5], v[6:7] clamp", "BB", "B", singles)


def test_clamp_of_mixed_precision() -> None:
    half = lambda a, b, c: clamped(HALF, x.convert(SINGLE, HALF, x.fma(SINGLE, a, b, c)))  # noqa: E731
    check(
        "v_fma_mix_f32 v20, v4, v6, v8 clamp", "fff", "f", lambda old, *v: clamped(SINGLE, x.fma(SINGLE, *v))
    )
    check("v_fma_mixlo_f16 v20, v4, v6, v8 clamp", "fff", "f", lambda old, *v: old & 0xFFFF0000 | half(*v))
    check("v_fma_mixhi_f16 v20, v4, v6, v8 clamp", "fff", "f", lambda old, *v: old & 0xFFFF | half(*v) << 16)


def test_clamp_keeps_the_upper_half() -> None:
    fma = lambda a, b, c: clamped(HALF, x.fma(HALF, a & 0xFFFF, b & 0xFFFF, c & 0xFFFF))  # noqa: E731
    check("v_fma_f16 v20, v4, v6, v8 clamp", "hhh", "b", lambda old, *v: old & 0xFFFF0000 | fma(*v))


def test_signs_of_dot_products() -> None:
    reference = float_reference.TABLE["v_dot2_f32_f16"][1]
    (code,) = assemble("gfx90a", ["v_dot2_f32_f16 v20, v4, v6, v8 neg_lo:[1,0,1] neg_hi:[0,1,0]"])
    wave, inputs = registers("bbf", np.random.default_rng(21), "gfx90a")
    assert wave.run(code) == 0
    for lane, got in enumerate(run.get_lanes(wave, 20, "f")):
        a, b, c = (numbers[lane] for numbers in inputs)
        assert got == reference(a ^ 0x8000, b ^ 0x80000000, c ^ SINGLE.sign), f"{a:#x} {b:#x} {c:#x}"


@pytest.mark.parametrize(("suffix", "factor"), [("mul:2", 2), ("mul:4", 4), ("div:2", Fraction(1, 2))])
def test_output_multiplier(suffix: str, factor: Fraction) -> None:
    """Only without IEEE mode and with denormal results flushed."""
    scale = SINGLE.encode(Fraction(factor))

    def flushed(a: int) -> int:
        return a & SINGLE.sign if SINGLE.is_denormal(a) else a

    def want(old: int, a: int, b: int) -> int:
        total = flushed(x.add(SINGLE, flushed(a), flushed(b)))
        return total if SINGLE.is_nan(total) else x.mul(SINGLE, total, scale)

    def compare(old: int, a: int, b: int) -> int:
        return x.add(SINGLE, a, b)

    text = f"v_add_f32_e64 v20, v4, v6 {suffix}"
    check(text, "ff", "f", compare)  # ignored in the mode kernels start in
    (code,) = assemble("gfx942", [text])
    wave, (a, b) = registers("ff", np.random.default_rng(8))
    wave.mode = 0x1C0
    assert wave.run(code) == 0
    for lane, got in enumerate(run.get_lanes(wave, 20, "f")):
        exact = want(0, a[lane], b[lane])
        if not SINGLE.is_denormal(exact) and not SINGLE.is_nan(exact):
            assert got == exact, f"{a[lane]:#x} {b[lane]:#x}: {got:#x}, expected {exact:#x}"


@pytest.mark.parametrize("bits", range(16))
def test_op_sel_chooses_halves(bits: int) -> None:
    select = [bits >> i & 1 for i in range(4)]
    text = f"v_mad_u16 v20, v4, v6, v8 op_sel:[{','.join(map(str, select))}]"

    def want(old: int, a: int, b: int, c: int) -> int:
        p, q, r = (v >> (16 * s) & 0xFFFF for v, s in zip((a, b, c), select, strict=False))
        value = (p * q + r) & 0xFFFF
        return old & 0xFFFF | value << 16 if select[3] else old & 0xFFFF0000 | value

    check(text, "bbb", "b", want, rounds=1)


def test_op_sel_leaves_wide_sources_alone() -> None:
    want = lambda old, a, b, c: ((a >> 16) * (b & 0xFFFF) + c) & 0xFFFFFFFF  # noqa: E731
    check("v_mad_u32_u16 v20, v4, v6, v8 op_sel:[1,0,0,0]", "bbb", "b", want)


@pytest.mark.parametrize("kind", ["fp8", "bf8"])
def test_op_sel_of_narrow_floats(kind: str) -> None:
    reference = float_reference.TABLE[f"v_cvt_pk_{kind}_f32"][1]

    def want(old: int, a: int, b: int) -> int:
        value = reference(a, b)
        assert isinstance(value, int)
        return old & 0xFFFF | value << 16

    check(f"v_cvt_pk_{kind}_f32 v20, v4, v6 op_sel:[0,0,1]", "ff", "b", want, archs=("gfx942",))


@pytest.mark.parametrize("kind", ["fp8", "bf8"])
@pytest.mark.parametrize("byte", range(4))
def test_stochastic_rounding(kind: str, byte: int) -> None:
    """The result is one of the two neighbours, and the upper one exactly when the random bits carry."""
    mantissa = 3 if kind == "fp8" else 2
    widen = float_reference.TABLE[f"v_cvt_f32_{kind}"][1]
    dropped = 23 - mantissa
    text = f"v_cvt_sr_{kind}_f32 v20, v4, v6"
    text += f" op_sel:[0,0,{byte & 1},{byte >> 1}]" if byte else ""
    (code,) = assemble("gfx942", [text])
    rng = np.random.default_rng([5, byte])
    wave, _ = registers("bb", rng)
    numbers = [
        int(e) << 23 | int(m)
        for e, m in zip(rng.integers(121, 133, LANES), rng.integers(0, 2**23, LANES), strict=True)
    ]
    wave.v[4] = np.array(numbers, dtype=np.uint32)
    before = run.get_lanes(wave, 20, "b")
    randoms = run.get_lanes(wave, 6, "b")
    assert wave.run(code) == 0
    for lane, got in enumerate(run.get_lanes(wave, 20, "b")):
        shift = 8 * byte
        assert got & ~(255 << shift) == before[lane] & ~(255 << shift)
        result = got >> shift & 255
        down = numbers[lane] >> dropped << dropped
        carries = (numbers[lane] & ((1 << dropped) - 1)) + (randoms[lane] >> (32 - dropped)) >= 1 << dropped
        assert widen(result) == down + (carries << dropped), hex(numbers[lane])


PAIRED = {
    "v_pk_add_f16": (2, lambda a, b: x.add(HALF, a, b)),
    "v_pk_fma_f16": (3, lambda a, b, c: x.fma(HALF, a, b, c)),
    "v_pk_max_f16": (2, lambda a, b: x.maximum(HALF, a, b)),
    "v_pk_sub_u16": (2, lambda a, b: a - b & 0xFFFF),
    "v_pk_mad_i16": (3, lambda a, b, c: a * b + c & 0xFFFF),
}


@pytest.mark.parametrize("name", sorted(PAIRED))
@pytest.mark.parametrize(
    ("low", "high"), [((0, 0, 0), (0, 0, 0)), ((1, 0, 1), (0, 1, 1)), ((1, 1, 1), (1, 0, 0))]
)
def test_halves_of_pairs(name: str, low: tuple[int, ...], high: tuple[int, ...]) -> None:
    count, function = PAIRED[name]
    half = name.endswith("f16")
    text = f"{name} v20, {', '.join(f'v{run.SOURCE[i]}' for i in range(count))}"
    text += f" op_sel:[{','.join(map(str, low[:count]))}] op_sel_hi:[{','.join(map(str, high[:count]))}]"
    flips = ((1, 0, 1)[:count], (0, 1, 1)[:count]) if half else ((0,) * count, (0,) * count)
    if half:
        text += f" neg_lo:[{','.join(map(str, flips[0]))}] neg_hi:[{','.join(map(str, flips[1]))}]"

    def want(old: int, *v: int) -> int:
        results = []
        for select, flip in zip((low, high), flips, strict=True):
            parts = [v[i] >> (16 * select[i]) & 0xFFFF ^ flip[i] << 15 for i in range(count)]
            results.append(function(*parts))
        return results[0] | results[1] << 16

    check(text, "b" * count, "b", want, rounds=1)


@pytest.mark.parametrize("name", ["add", "mul", "fma"])
@pytest.mark.parametrize(("low", "high"), [((0, 0, 0), (0, 1, 1)), ((1, 0, 1), (1, 0, 0))])
@pytest.mark.parametrize("negated", [False, True])
def test_registers_of_pairs(name: str, low: tuple[int, ...], high: tuple[int, ...], negated: bool) -> None:
    count = 3 if name == "fma" else 2
    function = getattr(x, name)
    text = f"v_pk_{name}_f32 v[20:21], {', '.join(run.vgpr(run.SOURCE[i], 'B') for i in range(count))}"
    text += f" op_sel:[{','.join(map(str, low[:count]))}] op_sel_hi:[{','.join(map(str, high[:count]))}]"
    flips = ((1, 0, 1), (0, 1, 0)) if negated else ((0,) * 3, (0,) * 3)
    if negated:
        text += f" neg_lo:[{','.join(map(str, flips[0][:count]))}]"
        text += f" neg_hi:[{','.join(map(str, flips[1][:count]))}]"

    def want(old: int, *v: int) -> int:
        results = []
        for select, flip in zip((low, high), flips, strict=True):
            parts = [v[i] >> (32 * select[i]) & 0xFFFFFFFF ^ flip[i] << 31 for i in range(count)]
            results.append(function(SINGLE, *parts))
        return results[0] | results[1] << 32

    check(text, "B" * count, "B", want, rounds=1)


def test_pair_of_moves() -> None:
    want = lambda old, a, b: a >> 32 | (b & 0xFFFFFFFF) << 32  # noqa: E731
    check("v_pk_mov_b32 v[20:21], v[4:5], v[6:7] op_sel:[1,0]", "BB", "B", want)


@pytest.mark.parametrize("name", ["v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16"])
def test_mixed_precision(name: str) -> None:
    """src0 single and negated, src1 a low half, src2 the absolute value of a high half."""

    def want(old: int, a: int, b: int, c: int) -> int:
        second = x.convert(HALF, SINGLE, b & 0xFFFF)
        third = SINGLE.magnitude(x.convert(HALF, SINGLE, c >> 16))
        result = x.fma(SINGLE, a ^ SINGLE.sign, second, third)
        if name == "v_fma_mix_f32":
            return result
        half = x.convert(SINGLE, HALF, result)
        return old & 0xFFFF0000 | half if "mixlo" in name else old & 0xFFFF | half << 16

    check(f"{name} v20, -v4, v6, |v8| op_sel:[0,0,1] op_sel_hi:[0,1,1]", "fbb", "b", want)


SELECTS = {"BYTE_0": (0, 8), "BYTE_1": (8, 8), "BYTE_2": (16, 8), "BYTE_3": (24, 8), "WORD_0": (0, 16)}
SELECTS |= {"WORD_1": (16, 16), "DWORD": (0, 32)}


def part(a: int, select: str, signed: bool) -> int:
    shift, width = SELECTS[select]
    value = a >> shift & ((1 << width) - 1)
    return value - (1 << width) if signed and value >> (width - 1) else value


@pytest.mark.parametrize("first", SELECTS)
@pytest.mark.parametrize(
    ("second", "signed"), [("BYTE_3", True), ("WORD_1", True), ("DWORD", False), ("WORD_0", False)]
)
def test_sdwa_sources(first: str, second: str, signed: bool) -> None:
    operand = "sext(v6)" if signed else "v6"
    text = f"v_sub_u32_sdwa v20, v4, {operand} dst_sel:DWORD dst_unused:UNUSED_PAD"
    text += f" src0_sel:{first} src1_sel:{second}"
    want = lambda old, a, b: (part(a, first, False) - part(b, second, signed)) & 0xFFFFFFFF  # noqa: E731
    check(text, "bb", "b", want, rounds=1)


@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("unused", ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"])
def test_sdwa_destination(select: str, unused: str) -> None:
    shift, width = SELECTS[select]
    text = f"v_add_u32_sdwa v20, v4, v6 dst_sel:{select} dst_unused:{unused} src0_sel:DWORD src1_sel:WORD_0"

    def want(old: int, a: int, b: int) -> int:
        value = a + (b & 0xFFFF) & ((1 << width) - 1)
        if unused == "UNUSED_PRESERVE":
            return old & ~(((1 << width) - 1) << shift) | value << shift
        if unused == "UNUSED_SEXT" and value >> (width - 1):
            return (value - (1 << width)) << shift & 0xFFFFFFFF
        return value << shift

    check(text, "bb", "b", want, rounds=1)


def test_sdwa_of_half_precision() -> None:
    text = "v_mul_f16_sdwa v20, -v4, |v6| dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE"
    text += " src0_sel:WORD_1 src1_sel:WORD_0"
    product = lambda a, b: x.mul(HALF, a >> 16 ^ 0x8000, b & 0x7FFF)  # noqa: E731
    check(text, "bb", "b", lambda old, a, b: old & 0xFFFF | product(a, b) << 16)


@pytest.mark.parametrize("first", ["DWORD", "WORD_1", "BYTE_2"])
@pytest.mark.parametrize("select", ["DWORD", "WORD_0", "WORD_1"])
def test_sdwa_of_pairs(first: str, select: str) -> None:
    """A part of a source is a pair of itself and zero; of the result the low half goes into a part."""
    text = f"v_pk_fmac_f16_sdwa v20, v4, v6 dst_sel:{select} dst_unused:UNUSED_PRESERVE"
    text += f" src0_sel:{first} src1_sel:DWORD"
    shift, width = SELECTS[select]

    def want(old: int, a: int, b: int) -> int:
        a, half = part(a, first, False), 0xFFFF
        low = x.fma(HALF, a & half, b & half, old & half)
        value = (x.fma(HALF, a >> 16, b >> 16, old >> 16) << 16 | low) & ((1 << width) - 1)
        return old & ~(((1 << width) - 1) << shift) | value << shift

    check(text, "bb", "b", want)


def test_sdwa_comparison() -> None:
    (code,) = assemble("gfx942", ["v_cmp_lt_i32_sdwa s[10:11], sext(v4), v6 src0_sel:BYTE_1 src1_sel:WORD_1"])
    wave, (a, b) = registers("bb", np.random.default_rng(4))
    assert wave.run(code) == 0
    want = run.mask_of(part(p, "BYTE_1", True) < part(q, "WORD_1", False) for p, q in zip(a, b, strict=True))
    assert wave.s64(10) == want


def test_sdwa_of_eight_bit_floats() -> None:
    reference = float_reference.TABLE["v_cvt_f32_fp8"][1]
    single = lambda old, a: reference(a >> 16 & 255)  # noqa: E731
    check("v_cvt_f32_fp8_sdwa v20, v4 src0_sel:BYTE_2", "b", "b", single, archs=("gfx942",))
    pair = float_reference.TABLE["v_cvt_pk_f32_bf8"][1]
    text = "v_cvt_pk_f32_bf8_sdwa v[20:21], v4 src0_sel:WORD_1"
    check(text, "b", "B", lambda old, a: pair(a >> 16), archs=("gfx942",))


def row(lane: int) -> int:
    return lane & ~15


DPP: dict[str, Callable[[int], int | None]] = {
    "quad_perm:[3,1,0,2]": lambda i: (i & ~3) + (3, 1, 0, 2)[i & 3],
    "row_shl:1": lambda i: i + 1 if row(i + 1) == row(i) else None,
    "row_shl:15": lambda i: i + 15 if row(i + 15) == row(i) else None,
    "row_shr:3": lambda i: i - 3 if i >= 3 and row(i - 3) == row(i) else None,
    "row_ror:5": lambda i: row(i) + (i % 16 + 11) % 16,
    "wave_shl:1": lambda i: i + 1 if i < 63 else None,
    "wave_rol:1": lambda i: (i + 1) % 64,
    "wave_shr:1": lambda i: i - 1 if i else None,
    "wave_ror:1": lambda i: (i + 63) % 64,
    "row_mirror": lambda i: row(i) + 15 - i % 16,
    "row_half_mirror": lambda i: (i & ~7) + 7 - i % 8,
    "row_bcast:15": lambda i: row(i) - 1 if i >= 16 else None,
    "row_bcast:31": lambda i: 31 if i >= 32 else None,
    "row_newbcast:6": lambda i: row(i) + 6,
}


@pytest.mark.parametrize("control", DPP)
@pytest.mark.parametrize("bound", ["", " bound_ctrl:0"])
def test_dpp(control: str, bound: str) -> None:
    masks = [(0xF, 0xF), (0xA, 0xF), (0xF, 0x6)]
    texts = [f"v_add_u32_dpp v20, v4, v6 {control} row_mask:{r:#x} bank_mask:{b:#x}{bound}" for r, b in masks]
    for (row_mask, bank_mask), code in zip(masks, assemble("gfx942", texts), strict=True):
        for exec_mask in (ALL, 0x0FF0_1234_FFFF_5A5A):
            wave, (a, b) = registers("bb", np.random.default_rng(6))
            wave.exec = exec_mask
            before = run.get_lanes(wave, 20, "b")
            assert wave.run(code) == 0, wave.message
            assert wave.exec == exec_mask
            for lane, got in enumerate(run.get_lanes(wave, 20, "b")):
                source = DPP[control](lane)
                valid = source is not None and bool(exec_mask >> source & 1)
                enabled = (
                    exec_mask >> lane & 1 and row_mask >> lane // 16 & 1 and bank_mask >> lane % 16 // 4 & 1
                )
                want = before[lane]
                if enabled and (valid or bound):
                    want = (a[source] if valid and source is not None else 0) + b[lane] & 0xFFFFFFFF
                assert got == want, f"{control}{bound} lane {lane}"


def test_dpp_with_signs_and_floats() -> None:
    (code,) = assemble("gfx942", ["v_add_f32_dpp v20, -v4, |v6| row_mirror row_mask:0xf bank_mask:0xf"])
    wave, (a, b) = registers("ff", np.random.default_rng(12))
    assert wave.run(code) == 0
    for lane, got in enumerate(run.get_lanes(wave, 20, "f")):
        first = a[row(lane) + 15 - lane % 16] ^ SINGLE.sign
        assert got == x.add(SINGLE, first, SINGLE.magnitude(b[lane]))


def test_dpp_of_wide_values() -> None:
    (code,) = assemble("gfx942", ["v_mov_b64_dpp v[20:21], v[4:5] row_newbcast:3 row_mask:0xf bank_mask:0xf"])
    wave, (a,) = registers("B", np.random.default_rng(13))
    assert wave.run(code) == 0
    assert run.get_lanes(wave, 20, "B") == [a[row(lane) + 3] for lane in range(LANES)]


def test_dpp_in_place() -> None:
    (code,) = assemble("gfx942", ["v_mov_b32_dpp v4, v4 row_shr:1 row_mask:0xf bank_mask:0xf"])
    wave, (a,) = registers("b", np.random.default_rng(14))
    assert wave.run(code) == 0
    assert run.get_lanes(wave, 4, "b") == [a[i - 1] if i % 16 else a[i] for i in range(LANES)]


@pytest.mark.parametrize("name", ["v_add_f32", "v_add_u32", "v_lshlrev_b64", "v_add_f64", "v_fma_f32"])
def test_scalar_and_constant_sources(name: str) -> None:
    """The same result whether a source is a register, a scalar or a constant."""
    letters = {
        "v_add_f32": "ff",
        "v_add_u32": "uu",
        "v_lshlrev_b64": "uB",
        "v_add_f64": "dd",
        "v_fma_f32": "fff",
    }[name]
    last = len(letters) - 1
    wide = run.WIDTH[letters[last]] == 64
    plain = [run.vgpr(run.SOURCE[i], letter) for i, letter in enumerate(letters)]
    result = run.vgpr(20, letters[last])
    scalar = "s[2:3]" if wide else "s2"
    forms = [
        [*plain[:last], scalar],
        [*plain[:last], "4"],
        [*plain[:last], "-4.0" if "f" in name[-4:] else "-4"],
    ]
    suffix = "_e64" if name in ("v_add_f32", "v_add_u32") else ""
    codes = assemble("gfx942", [f"{name}{suffix} {result}, {', '.join(form)}" for form in forms])
    reference = run.TABLE[name][1]
    f = {"f": SINGLE, "d": DOUBLE}.get(letters[last])
    width = run.WIDTH[letters[last]]
    for number, code in enumerate(codes):
        wave, inputs = registers(letters, np.random.default_rng(15))
        wave.set_s64(2, 0x4008_1234_4049_0FDB)
        uniform = [wave.s64(2) & (2**width - 1), 4, f.encode(Fraction(-4)) if f else -4 & (2**width - 1)][
            number
        ]
        if number == 1 and f is DOUBLE:
            uniform = 4
        assert wave.run(code) == 0
        for lane, got in enumerate(run.get_lanes(wave, 20, letters[last])):
            want = reference(*(numbers[lane] for numbers in inputs[:last]), uniform)
            assert isinstance(want, int)
            assert got == want & (2**width - 1), f"{forms[number]} lane {lane}"


def test_dpp_and_sdwa_exist_for_both_architectures() -> None:
    assert "v_add_u32" in instructions("gfx90a", "VOP2") & instructions("gfx942", "VOP2")
