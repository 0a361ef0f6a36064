"""Matrix instructions against numpy, with the register layouts written down independently as AMD's tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from bare_wave import LANES, UNSUPPORTED, Wave, assemble
from bare_wave import instructions as mnemonics
from numpy.typing import NDArray
from tests.table_rows import rows

D, A, B, C = 0, 64, 96, 128  # first registers of the operands

NAME = re.compile(
    r"v_(?P<sparse>smfmac|mfma)_(?P<out>f32|f64|i32)_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)_?(?:(?P<blocks>\d+)b_)?"
    r"(?P<a>xf32|bf16|f16|f32|f64|i8|fp8|bf8)(?:_(?P<b>fp8|bf8))?(?:_1k)?$"
)
BITS = {"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "fp8": 8, "bf8": 8}


@dataclass(frozen=True)
class Inst:
    name: str
    m: int
    n: int
    k: int
    blocks: int
    a: str
    b: str
    out: str
    sparse: bool

    @property
    def a_dwords(self) -> int:
        return self.m * self.k * self.blocks * BITS[self.a] // (64 * 32) // (2 if self.sparse else 1)

    @property
    def b_dwords(self) -> int:
        return self.n * self.k * self.blocks * BITS[self.b] // (64 * 32)

    @property
    def d_dwords(self) -> int:
        return self.m * self.n * self.blocks // 64 * (2 if self.out == "f64" else 1)

    def text(self, modifiers: str = "", constant: str = "") -> str:
        def regs(first: int, count: int) -> str:
            return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"

        c = constant or (regs(C, 1) if self.sparse else regs(C, self.d_dwords))
        operands = [regs(D, self.d_dwords), regs(A, self.a_dwords), regs(B, self.b_dwords), c]
        return f"{self.name} {', '.join(operands)} {modifiers}"


def parse(name: str) -> Inst:
    found = NAME.match(name)
    assert found, name
    m, n, k = (int(found[x]) for x in "mnk")
    a = found["a"]
    blocks = int(found["blocks"] or 1)
    if re.search(r"x\d+(f16|f32|f64|bf16|i8)", name):  # older names, without the number of blocks
        per_lane = {"f32": 1, "f64": 1, "bf16": 4 if name.endswith("_1k") else 2}.get(a, 4)
        blocks = 64 * per_lane // (m * k)
    return Inst(name, m, n, k, blocks, a, found["b"] or a, found["out"], found["sparse"] == "smfmac")


@cache
def instructions(arch: str) -> list[Inst]:
    return [parse(name) for name in sorted(mnemonics(arch, "MFMA")) if "mfma" in name]


CASES = [(arch, inst) for arch in ("gfx90a", "gfx942") for inst in instructions(arch)]
MODIFIED = {
    "cbsz": "cbsz:1 abid:1",
    "blgp3": "blgp:3",
    "blgp5": "blgp:5",
    "blgp1": "blgp:1",
}


@pytest.fixture(scope="module")
def code() -> dict[str, bytes]:
    """Every instruction, plain and modified, assembled once per architecture."""
    out: dict[str, bytes] = {}
    for arch in ("gfx90a", "gfx942"):
        snippets: dict[str, str] = {}
        for inst in instructions(arch):
            forms = {"plain": inst.text()}
            if inst.out == "f64":
                negate = "neg:[1,0,1]" if arch == "gfx942" else "blgp:5"
                forms |= {"neg": inst.text(negate), "constant": inst.text(constant="2.0")}
            elif inst.sparse:
                forms |= {"abid1": inst.text("abid:1")}
            else:
                forms |= {"constant": inst.text(constant="1.0" if inst.out == "f32" else "-3")}
                if inst.blocks > 1 and inst.a not in ("xf32", "fp8", "bf8"):
                    forms |= {key: inst.text(value) for key, value in MODIFIED.items()}
            snippets |= {f"{arch}.{inst.name}.{form}": text for form, text in forms.items()}
        out |= dict(zip(snippets, assemble(arch, list(snippets.values())), strict=True))
    return out


def eight_bit(codes: NDArray[np.uint8], mantissa: int, bias: int) -> NDArray[np.float64]:
    sign = np.where(codes & 0x80, -1.0, 1.0)
    exponent = (codes & 0x7F) >> mantissa
    fraction = (codes & ((1 << mantissa) - 1)) / (1 << mantissa)
    value = np.where(
        exponent == 0, np.ldexp(fraction, 1 - bias), np.ldexp(1 + fraction, exponent.astype(int) - bias)
    )
    return np.where(codes == 0x80, np.nan, sign * value)


def random_elements(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.uint64]:
    """Bit patterns of moderate values."""
    if kind in ("i8", "fp8", "bf8"):
        codes = rng.integers(0, 256, shape).astype(np.uint8)
        if kind != "i8":
            codes[codes == 0x80] = 0x31
        return codes.astype(np.uint64)
    values = rng.integers(-64, 64, shape) / 16.0
    if kind == "f64":
        return (values + rng.random(shape)).astype(np.float64).view(np.uint64)
    if kind in ("f32", "xf32"):
        return (values + rng.random(shape)).astype(np.float32).view(np.uint32).astype(np.uint64)
    if kind == "f16":
        return values.astype(np.float16).view(np.uint16).astype(np.uint64)
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint64)


def numbers(kind: str, bits: NDArray[np.uint64]) -> NDArray[np.float64]:
    if kind == "f64":
        return bits.view(np.float64)
    if kind == "f32":
        return bits.astype(np.uint32).view(np.float32).astype(np.float64)
    if kind == "xf32":
        x = bits.astype(np.uint32)
        return (
            ((x + 0xFFF + (x >> 13 & 1)) & 0xFFFFE000).astype(np.uint32).view(np.float32).astype(np.float64)
        )
    if kind == "f16":
        return bits.astype(np.uint16).view(np.float16).astype(np.float64)
    if kind == "bf16":
        return (bits.astype(np.uint32) << 16).astype(np.uint32).view(np.float32).astype(np.float64)
    if kind == "i8":
        return bits.astype(np.uint8).view(np.int8).astype(np.float64)
    return eight_bit(bits.astype(np.uint8), *((3, 8) if kind == "fp8" else (2, 16)))


def put(regs: NDArray[np.uint32], first: int, lane: int, element: int, bits: int, value: int) -> None:
    """Places an element into the registers of a lane, little end first."""
    if bits == 64:
        regs[first + 2 * element, lane] = value & 0xFFFFFFFF
        regs[first + 2 * element + 1, lane] = value >> 32
        return
    position = element * bits
    regs[first + position // 32, lane] |= (value & ((1 << bits) - 1)) << (position % 32)


def input_place(outer: int, inst: Inst, i: int, k: int, b: int, depth: int) -> tuple[int, int]:
    """Lane and element of A[i][k] or B[k][i]; `depth` is K, or K/2 for a sparse A."""
    per_lane = outer * depth * inst.blocks // 64
    return i + outer * (b + inst.blocks * (k // per_lane)), k % per_lane


def output_place(inst: Inst, i: int, j: int, b: int) -> tuple[int, int]:
    """Register (or pair) and lane of D[i][j], from the tables of the matrix instruction calculator."""
    if inst.out == "f64":
        return (i // 4, 16 * (i % 4) + j) if inst.m == 16 else (0, 16 * i + 4 * b + j)
    if inst.m == 4:
        return i, 4 * b + j
    if inst.m == 16:
        return 4 * b + i % 4, 16 * (i // 4) + j
    return 16 * b + 4 * (i // 8) + i % 4, 32 * (i // 4 % 2) + j


@dataclass
class Problem:
    inst: Inst
    a: NDArray[np.float64]  # [block][i][k], dense
    b: NDArray[np.float64]  # [block][k][j]
    c: NDArray[np.float64]  # [block][i][j]
    wave: Wave


def make(arch: str, inst: Inst, seed: int, index_set: int = 0) -> Problem:
    rng = np.random.default_rng(seed)
    wave = Wave(arch)
    a = np.zeros((inst.blocks, inst.m, inst.k))
    depth = inst.k // 2 if inst.sparse else inst.k
    a_bits = random_elements(inst.a, (inst.blocks, inst.m, depth), rng)
    a_values = numbers(inst.a, a_bits)
    places: list[int] = []
    bits = BITS[inst.a]
    for b, i, k in np.ndindex(a_bits.shape):
        lane, element = input_place(inst.m, inst, i, k, b, depth)
        put(wave.v, A, lane, element, bits, int(a_bits[b, i, k]))
        dense = k
        if inst.sparse:
            if k % 2 == 0:
                places = sorted(rng.choice(4, 2, replace=False))
            place = int(places[k % 2])
            dense = k // 2 * 4 + place
            per_lane = inst.m * depth // 64
            wave.v[C, lane] |= place << (2 * element + index_set * 2 * per_lane)
        a[b, i, dense] = a_values[b, i, k]
    b_bits = random_elements(inst.b, (inst.blocks, inst.k, inst.n), rng)
    for b, k, j in np.ndindex(b_bits.shape):
        lane, element = input_place(inst.n, inst, j, k, b, inst.k)
        put(wave.v, B, lane, element, BITS[inst.b], int(b_bits[b, k, j]))
    c = rng.integers(-100, 100, (inst.blocks, inst.m, inst.n)).astype(np.float64)
    for b, i, j in np.ndindex(c.shape):
        put_output(wave.v, D if inst.sparse else C, inst, i, j, b, c[b, i, j])
    return Problem(inst, a, numbers(inst.b, b_bits), c, wave)


def put_output(
    regs: NDArray[np.uint32], first: int, inst: Inst, i: int, j: int, b: int, value: float
) -> None:
    reg, lane = output_place(inst, i, j, b)
    if inst.out == "f64":
        bits = int(np.float64(value).view(np.uint64))
        regs[first + 2 * reg : first + 2 * reg + 2, lane] = bits & 0xFFFFFFFF, bits >> 32
    elif inst.out == "f32":
        regs[first + reg, lane] = np.float32(value).view(np.uint32)
    else:
        regs[first + reg, lane] = np.int32(value).view(np.uint32)


def output(inst: Inst, regs: NDArray[np.uint32]) -> NDArray[np.float64]:
    d = np.zeros((inst.blocks, inst.m, inst.n))
    for b, i, j in np.ndindex(d.shape):
        reg, lane = output_place(inst, i, j, b)
        if inst.out == "f64":
            d[b, i, j] = (
                int(regs[D + 2 * reg, lane]) | int(regs[D + 2 * reg + 1, lane]) << 32
            ) and np.uint64(int(regs[D + 2 * reg, lane]) | int(regs[D + 2 * reg + 1, lane]) << 32).view(
                np.float64
            )
        else:
            d[b, i, j] = regs[D + reg, lane].view(np.float32 if inst.out == "f32" else np.int32)
    return d


def check(
    inst: Inst, got: NDArray[np.float64], want: NDArray[np.float64], scale: NDArray[np.float64]
) -> None:
    """Sums are rounded after each product: a few units in the last place of the largest sum."""
    if inst.out == "i32":
        assert np.array_equal(got, want)
        return
    unit = 2.0 ** (-52 if inst.out == "f64" else -23)
    assert np.all(np.abs(got - want) <= (inst.k + 2) * unit * (scale + 1)), np.abs(got - want).max()


@rows("arch, inst", CASES)
def test_product_of_random_matrices(arch: str, inst: Inst, code: dict[str, bytes]) -> None:
    p = make(arch, inst, seed=len(inst.name) * 7 + inst.k)
    assert p.wave.run(code[f"{arch}.{inst.name}.plain"]) == 0, p.wave.message
    want = p.c + p.a @ p.b
    check(inst, output(inst, p.wave.v), want, np.abs(p.c) + np.abs(p.a) @ np.abs(p.b))


@rows("arch, inst", CASES)
def test_constant_or_modified_c(arch: str, inst: Inst, code: dict[str, bytes]) -> None:
    form = "abid1" if inst.sparse else "constant"
    p = make(arch, inst, seed=11, index_set=1)
    p.wave.run(code[f"{arch}.{inst.name}.{form}"])
    c = p.c if inst.sparse else np.full_like(p.c, {"f32": 1.0, "f64": 2.0, "i32": -3.0}[inst.out])
    check(inst, output(inst, p.wave.v), c + p.a @ p.b, np.abs(c) + np.abs(p.a) @ np.abs(p.b))


BLOCKED = [(arch, inst) for arch, inst in CASES if inst.blocks > 1 and inst.out != "f64"]


@rows("arch, inst", BLOCKED)
def test_block_broadcast_and_lane_patterns(arch: str, inst: Inst, code: dict[str, bytes]) -> None:
    p = make(arch, inst, seed=3)
    before = p.wave.v.copy()
    p.wave.run(code[f"{arch}.{inst.name}.cbsz"])
    a = p.a[[block // 2 * 2 + 1 for block in range(inst.blocks)]]
    check(inst, output(inst, p.wave.v), p.c + a @ p.b, np.abs(p.c) + np.abs(a) @ np.abs(p.b))
    sources = {
        "blgp1": [lane % 32 for lane in range(64)],
        "blgp3": [(lane + 16) % 64 for lane in range(64)],
        "blgp5": [lane % 16 + 16 for lane in range(64)],
    }
    for form, lanes in sources.items():
        permuted, modified = Wave(arch), Wave(arch)
        permuted.v[:], modified.v[:] = before, before
        permuted.v[B : B + inst.b_dwords] = before[B : B + inst.b_dwords][:, lanes]
        permuted.run(code[f"{arch}.{inst.name}.plain"])
        modified.run(code[f"{arch}.{inst.name}.{form}"])
        assert np.array_equal(permuted.v[D : D + inst.d_dwords], modified.v[D : D + inst.d_dwords]), form


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942"])
@pytest.mark.parametrize("shape", ["16x16x4", "4x4x4"])
def test_f64_negation(arch: str, shape: str, code: dict[str, bytes]) -> None:
    inst = next(i for i in instructions(arch) if i.out == "f64" and shape in i.name)
    p = make(arch, inst, seed=5)
    p.wave.run(code[f"{arch}.{inst.name}.neg"])
    check(inst, output(inst, p.wave.v), -p.c - p.a @ p.b, np.abs(p.c) + np.abs(p.a) @ np.abs(p.b))


def test_one_hot_inputs_reach_exactly_their_row_and_column(code: dict[str, bytes]) -> None:
    """A single 1 in A and a single 1 in B give a single 1 in D: no element is counted twice or lost."""
    for arch, inst in CASES:
        if inst.a not in ("f32", "f16", "i8") or inst.sparse:
            continue
        one = {"f32": 0x3F800000, "f16": 0x3C00, "i8": 1}[inst.a]
        rng = np.random.default_rng(inst.k)
        for _ in range(4):
            i, j, k, b = (int(rng.integers(x)) for x in (inst.m, inst.n, inst.k, inst.blocks))
            wave = Wave(arch)
            put(wave.v, A, *input_place(inst.m, inst, i, k, b, inst.k), BITS[inst.a], one)
            put(wave.v, B, *input_place(inst.n, inst, j, k, b, inst.k), BITS[inst.b], one)
            wave.run(code[f"{arch}.{inst.name}.plain"])
            d = output(inst, wave.v)
            assert [tuple(place) for place in np.argwhere(d)] == [(b, i, j)], (inst.name, k)
            assert d[b, i, j] == 1


def test_exec_is_ignored_and_other_registers_stay(code: dict[str, bytes]) -> None:
    inst = next(i for i in instructions("gfx942") if i.name == "v_mfma_f32_16x16x4_f32")
    p = make("gfx942", inst, seed=1)
    p.wave.v[32] = 77
    p.wave.exec = 0
    p.wave.run(code[f"gfx942.{inst.name}.plain"])
    check(inst, output(inst, p.wave.v), p.c + p.a @ p.b, np.abs(p.c) + np.abs(p.a) @ np.abs(p.b))
    assert np.all(p.wave.v[32] == 77)
    assert np.all(p.wave.v[4:32] == 0)


@pytest.mark.parametrize(("arch", "flushed"), [("gfx90a", True), ("gfx942", False)])
def test_half_denormals(arch: str, flushed: bool, code: dict[str, bytes]) -> None:
    inst = next(i for i in instructions(arch) if i.a == "f16" and (i.m, i.k, i.blocks) == (16, 16, 1))
    wave = Wave(arch)
    put(wave.v, A, *input_place(16, inst, 0, 0, 0, 16), 16, 0x0001)  # smallest denormal
    put(wave.v, B, *input_place(16, inst, 0, 0, 0, 16), 16, 0x3C00)
    wave.run(code[f"{arch}.{inst.name}.plain"])
    assert output(inst, wave.v)[0, 0, 0] == (0.0 if flushed else 2.0**-24)


def test_infinity_times_zero_is_the_canonical_nan(code: dict[str, bytes]) -> None:
    wave = Wave()
    wave.v[A, 0] = 0x7F800000
    wave.run(code["gfx942.v_mfma_f32_16x16x4_f32.plain"])
    assert wave.v[D, 0] == 0x7FC00000


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942"])
def test_accumulation_register_moves(arch: str) -> None:
    text = """
      v_accvgpr_write_b32 a3, v1
      v_accvgpr_write_b32 a4, -2.0
      v_accvgpr_mov_b32 a5, a3
      v_accvgpr_read_b32 v7, a5
      v_accvgpr_read_b32 v8, a4
    """
    wave = Wave(arch)
    wave.v[1] = np.arange(LANES) + 100
    wave.v[7] = wave.v[8] = 9
    wave.exec = 0xFFFF
    assert wave.run(assemble(arch, [text])[0]) == 0, wave.message
    assert np.array_equal(wave.v[7], np.where(np.arange(LANES) < 16, np.arange(LANES) + 100, 9))
    assert np.array_equal(wave.v[8], np.where(np.arange(LANES) < 16, 0xC0000000, 9))


def test_table_covers_every_matrix_instruction(code: dict[str, bytes]) -> None:
    assert len(CASES) > 70
    for arch, inst in CASES:
        assert Wave(arch).run(code[f"{arch}.{inst.name}.plain"]) != UNSUPPORTED, inst.name
