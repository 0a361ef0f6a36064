"""Spellings of operands, by what they can be."""

from __future__ import annotations

SPECIAL = (
    "src_shared_base",
    "src_shared_limit",
    "src_private_base",
    "src_private_limit",
    "src_pops_exiting_wave_id",
    "src_vccz",
    "src_execz",
    "src_scc",
)
INTEGERS = ("0", "1", "64", "-1", "-16")
FLOATS = ("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0")
SGPR32: tuple[str, ...] = ("s0", "s101", "vcc_lo", "vcc_hi", "exec_lo", "exec_hi", "m0", "ttmp0", "ttmp15")
SGPR32 += ("flat_scratch_lo", "flat_scratch_hi", "xnack_mask_lo", "xnack_mask_hi")
SGPR64 = ("s[2:3]", "s[100:101]", "vcc", "exec", "ttmp[0:1]", "ttmp[14:15]", "flat_scratch", "xnack_mask")

WIDE_INVERSE_2PI = "0.15915494309189532"
INVERSE_2PI = "0.15915494"


def register(file: str, first: int, count: int) -> str:
    return f"{file}{first}" if count == 1 else f"{file}[{first}:{first + count - 1}]"


def vgprs(count: int) -> tuple[str, str, str]:
    """A low, a middle and the last register tuple of a width."""
    last = (256 - count) // 2 * 2 if count > 1 else 255
    return register("v", 0, count), register("v", 34, count), register("v", last, count)


def agprs(count: int) -> tuple[str, str]:
    last = (256 - count) // 2 * 2 if count > 1 else 255
    return register("a", 2, count), register("a", last, count)


def scalar_registers(count: int) -> tuple[str, ...]:
    if count == 1:
        return SGPR32
    if count == 2:
        return SGPR64
    top = (102 - count) // 4 * 4
    return register("s", 4, count), register("s", top, count), register("ttmp", 0, count)


def constants(count: int) -> tuple[str, ...]:
    return INTEGERS + FLOATS + (WIDE_INVERSE_2PI if count == 2 else INVERSE_2PI,)


def literals(operand_type: str) -> tuple[str, ...]:
    if operand_type in ("F16", "I16", "U16", "B16"):
        return "0x1234", "lit(0x1)"
    if operand_type == "F64":
        return "0x40590000", "lit(0x3ff00000)"
    if operand_type in ("B64", "I64", "U64", "PkF16"):
        return "0x12345678", "0x80000001", "lit(0x1)"
    return "0x12345678", "0x80000001", "lit(0x1)", "lit(0x3f800000)"
