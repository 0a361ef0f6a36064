"""Literal dwords after an instruction, values that look like inline constants included."""

from __future__ import annotations

import struct

import pytest
from isa.assembler import assemble
from isa.disassembler import disassemble
from isa.table import ARCHS

VALUES: tuple[int, ...] = (
    0,
    1,
    16,
    63,
    64,
    65,
    0x3C00,
    0x3118,
    0xFFF0,
    0xFFFF,
    0x10000,
    0x3F000000,
    0x3F800000,
    0xBF800000,
)
VALUES += (0x3E22F983, 0x3FE00000, 0x3FF00000, 0x3FC45F30, 0x7FFFFFFF, 0x80000000, 0xFFFFFFEF, 0xFFFFFFF0)
VALUES += (0xFFFFFFFF, 0x12345678)

# One instruction for each type of operand, the literal in its first source.
CARRIERS = {
    "B32": "s_mov_b32 s4, {}",
    "B64": "s_mov_b64 s[4:5], {}",
    "U64": "s_cmp_eq_u64 {}, s[4:5]",
    "I64": "v_cmp_lt_i64_e32 vcc, {}, v[4:5]",
    "F64": "v_cvt_i32_f64_e32 v4, {}",
    "F32": "v_add_f32_e32 v4, {}, v5",
    "U32": "v_add_u32_e32 v4, {}, v5",
    "F16": "v_add_f16_e32 v4, {}, v5",
    "U16": "v_add_u16_e32 v4, {}, v5",
    "PkF16": "v_pk_fmac_f16_e32 v4, {}, v5",
    "I8x4": "v_dot4c_i32_i8_e32 v4, {}, v5",
    "K f16": "v_madak_f16 v4, v5, v6, {}",
    "setreg": "s_setreg_imm32_b32 hwreg(HW_REG_MODE), {}",
}


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS.keys())
def test_every_literal_has_a_text_of_its_own(arch: str, carrier: str) -> None:
    short = "16" in carrier.split()[0] and "pk" not in carrier
    first = assemble(arch, [carrier.format("0x1234" if short else "0x123456")])[0].code[:4]
    values = [value for value in VALUES if not short or value <= 0xFFFF]
    codes = [first + struct.pack("<I", value) for value in values]
    texts = []
    for code in codes:
        size, text = disassemble(arch, code)
        assert size == 8
        texts.append(text)
    for code, text, again in zip(codes, texts, assemble(arch, texts), strict=True):
        assert again.code == code, text
