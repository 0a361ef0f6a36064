"""Assembler texts for SOP1, SOP2, SOPK, SOPC, SOPP and SMEM."""

from __future__ import annotations

from collections.abc import Iterator

from isa import operands as o
from isa.table import Row, dwords

NO_IMMEDIATE = {"s_wakeup", "s_barrier", "s_icache_inv", "s_ttracedata", "s_endpgm_saved"}
NO_IMMEDIATE |= {"s_set_gpr_idx_off", "s_endpgm_ordered_ps_done"}
REGISTER_ONLY = {"s_setpc_b64", "s_rfe_b64", "s_cbranch_join", "s_movrels_b32", "s_movrels_b64"}
GPR_INDEX = ("gpr_idx()", "gpr_idx(SRC0)", "gpr_idx(SRC1,DST)", "gpr_idx(SRC0,SRC1,SRC2,DST)")


def _sources(row: Row, operand_type: str) -> tuple[str, ...]:
    count = dwords(operand_type)
    if row.name in REGISTER_ONLY:
        return o.scalar_registers(count)
    literals = () if row.name == "s_cbranch_g_fork" else o.literals(operand_type)
    return o.scalar_registers(count) + o.constants(count) + o.SPECIAL + literals


def _line(name: str, operands: list[str]) -> str:
    return f"{name} {', '.join(operands)}".strip()


def sop(row: Row) -> Iterator[str]:
    has_dst = row.dst != "None"
    types = [t for t in row.sources if t != "None"]
    base_dst = [o.register("s", 6, dwords(row.dst))] if has_dst else []
    base = [o.register("s", 8 + 2 * i, dwords(t)) for i, t in enumerate(types)]
    tail = [GPR_INDEX[0]] if row.name == "s_set_gpr_idx_on" else []
    yield _line(row.name, base_dst + base + tail)
    if has_dst:
        for dst in o.scalar_registers(dwords(row.dst)):
            yield _line(row.name, [dst, *base])
    for i, operand_type in enumerate(types):
        for source in _sources(row, operand_type):
            yield _line(row.name, base_dst + base[:i] + [source] + base[i + 1 :] + tail)
    if tail:
        for mode in GPR_INDEX:
            yield _line(row.name, [*base, mode])


def sopk(row: Row, arch: str) -> Iterator[str]:
    if "reg_" in row.name:
        yield from _hwreg(row, arch)
        return
    register_type = row.dst if row.dst != "None" else row.sources[0]
    for register in o.scalar_registers(dwords(register_type)):
        yield f"{row.name} {register}, 4"
    for value in ("0", "1", "32767", "32768", "65535"):
        yield f"{row.name} {o.register('s', 4, dwords(register_type))}, {value}"


def _hwreg(row: Row, arch: str) -> Iterator[str]:
    ids = ["MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC", "IB_STS", "SH_MEM_BASES"]
    ids += ["TBA_LO", "TBA_HI", "TMA_LO", "TMA_HI"]
    if arch == "gfx942":
        ids += ["XCC_ID", "SQ_PERF_SNAPSHOT_DATA", "SQ_PERF_SNAPSHOT_DATA1"]
        ids += ["SQ_PERF_SNAPSHOT_PC_LO", "SQ_PERF_SNAPSHOT_PC_HI"]
    texts = [f"hwreg(HW_REG_{name})" for name in ids]
    texts += ["hwreg(HW_REG_MODE, 4, 2)", "hwreg(HW_REG_MODE, 31, 1)", "hwreg(11, 3, 5)", "hwreg(63)"]
    for text in texts:
        if row.name == "s_setreg_imm32_b32":
            for value in ("0", "64", "-16", "0x41", "0x12345678", "0xffffffef"):
                yield f"{row.name} {text}, {value}"
        elif row.name == "s_setreg_b32":
            yield f"{row.name} {text}, s3"
        else:
            yield f"{row.name} s3, {text}"


def _messages() -> Iterator[str]:
    for name in ("INTERRUPT", "SAVEWAVE", "STALL_WAVE_GEN", "HALT_WAVES", "ORDERED_PS_DONE"):
        yield f"sendmsg(MSG_{name})"
    for name in ("EARLY_PRIM_DEALLOC", "GS_ALLOC_REQ", "GET_DOORBELL"):
        yield f"sendmsg(MSG_{name})"
    for name in ("GS", "GS_DONE"):
        for operation in ("CUT", "EMIT", "EMIT_CUT"):
            yield from (f"sendmsg(MSG_{name}, GS_OP_{operation}, {stream})" for stream in (0, 3))
    yield "sendmsg(MSG_GS_DONE, GS_OP_NOP)"
    for operation in ("ECC_ERR_INTERRUPT", "REG_RD", "TTRACE_PC"):
        yield f"sendmsg(MSG_SYSMSG, SYSMSG_OP_{operation})"
    yield from (
        "sendmsg(6, 1, 0)",
        "sendmsg(0, 0, 0)",
        "sendmsg(3, 0, 1)",
        "sendmsg(15, 3, 0)",
        "128",
        "4660",
    )


def sopp(row: Row) -> Iterator[str]:
    if row.name in NO_IMMEDIATE:
        yield row.name
    elif row.name == "s_waitcnt":
        yield f"{row.name} 0"
        yield f"{row.name} vmcnt(63) expcnt(7) lgkmcnt(15)"
        yield from (f"{row.name} vmcnt({n})" for n in (0, 1, 15, 16, 62))
        yield from (f"{row.name} expcnt({n})" for n in (0, 6))
        yield from (f"{row.name} lgkmcnt({n})" for n in (0, 14))
        yield f"{row.name} vmcnt(5) lgkmcnt(3)"
    elif row.name in ("s_sendmsg", "s_sendmsghalt"):
        yield from (f"{row.name} {message}" for message in _messages())
    elif row.name == "s_set_gpr_idx_mode":
        yield from (f"{row.name} {mode}" for mode in GPR_INDEX)
    else:
        yield from (f"{row.name} {value}" for value in (0, 1, 64, 65, 32767, 65535))
    if row.name == "s_endpgm":
        yield row.name


def _smem_offsets(buffer: bool) -> Iterator[str]:
    yield from (
        "0x0",
        "0x10",
        "0xfffff",
        "s0",
        "s101",
        "vcc_lo",
        "m0",
        "exec_lo",
        "ttmp3",
        "s7 offset:0x10",
        "m0 offset:0xfffff",
    )
    if not buffer:
        yield from ("-0x4", "-0x100000", "s7 offset:-0x4")


def smem(row: Row) -> Iterator[str]:
    base_type, _offset_type, data_type = row.sources[0], row.sources[1], row.sources[2]
    data_type = data_type if data_type != "None" else row.dst
    data = [o.register("s", 8, dwords(data_type))] if data_type != "None" else []
    if row.name.startswith("s_atc_probe"):
        data = ["65"]
    if base_type == "None":
        yield _line(row.name, data)
        for register in o.scalar_registers(dwords(data_type)) if data else ():
            if register != "exec":  # scalar memory results cannot go to EXEC
                yield _line(row.name, [register])
        return
    base = o.register("s", 4, dwords(base_type))
    buffer = dwords(base_type) == 4
    for offset in _smem_offsets(buffer):
        yield _line(row.name, [*data, base, offset])
    bases = ("s[100:101]", "vcc", "ttmp[4:5]") if not buffer else ("s[96:99]", "ttmp[8:11]")
    for other in bases:
        yield _line(row.name, [*data, other, "0x10"])
    if row.has("Load") or row.has("Store") or row.has("Atomic"):
        yield _line(row.name, [*data, base, "0x10 glc"])
        yield _line(row.name, [*data, base, "s3 glc"])
        for register in o.scalar_registers(dwords(data_type)):
            if not register.startswith(("exec", "m0")):  # these cannot be transferred
                yield _line(row.name, [register, base, "0x10"])


def cases(row: Row, arch: str) -> Iterator[str]:
    if row.format in ("SOP1", "SOP2", "SOPC"):
        yield from sop(row)
    elif row.format == "SOPK":
        yield from sopk(row, arch)
    elif row.format == "SOPP":
        yield from sopp(row)
    else:
        yield from smem(row)
