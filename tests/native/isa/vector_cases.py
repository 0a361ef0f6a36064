"""Assembler texts for VOP1, VOP2, VOPC, VOP3, VOP3P and the matrix instructions."""

from __future__ import annotations

from collections.abc import Iterator

from isa import operands as o
from isa.table import Row, dwords

FLOATS = ("F16", "F32", "F64", "PkF16")
DPP_CONTROLS: tuple[str, ...] = (
    "quad_perm:[3,1,0,2]",
    "row_shl:1",
    "row_shr:15",
    "row_ror:7",
    "wave_shl:1",
    "wave_rol:1",
)
DPP_CONTROLS += ("wave_shr:1", "wave_ror:1", "row_mirror", "row_half_mirror", "row_bcast:15", "row_bcast:31")
DPP_CONTROLS += ("row_newbcast:9",)
SELECTS = ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD")
UNUSED = ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE")
OUTPUT_MODIFIERS = ("mul:2", "mul:4", "div:2")
FROM_8_BIT_FLOAT = ("v_cvt_f32_fp8", "v_cvt_f32_bf8", "v_cvt_pk_f32_fp8", "v_cvt_pk_f32_bf8")


class Valu:
    """Builds texts of one vector instruction in one encoding."""

    def __init__(self, row: Row, form: str) -> None:
        self.row, self.form = row, form
        self.long = form in ("e64", "")
        self.types = [t for t in row.sources if t != "None"]
        single = row.has("NoE64") or row.has("LiteralK") or row.format == "VOP3"
        self.name = row.name + ("" if single else f"_{form}")

    def destinations(self) -> list[str]:
        row = self.row
        result = []
        if row.format == "VOPC":
            result.append("s[10:11]" if self.long else "vcc")
        elif row.has("ScalarDst"):
            result.append("s5")
        elif row.name == "v_accvgpr_mov_b32":
            result.append("a5")
        elif row.dst != "None":
            result.append(o.register("v", 4, dwords(row.dst)))
        if row.format != "VOPC" and row.has("WritesVcc"):
            result.append("s[10:11]" if self.long else "vcc")
        return result

    def base_source(self, index: int) -> str:
        row, name = self.row, self.row.name
        if index == 2 and row.has("ReadsVcc"):
            return "s[14:15]" if self.long else "vcc"
        if name == "v_accvgpr_mov_b32":
            return "a6"
        if name == "v_writelane_b32":
            return ("64", "3")[index]
        if name == "v_readlane_b32" and index == 1:
            return "s3"
        if row.has("LiteralK") and index == self.literal_index():
            return "0x1234"
        return o.register("v", 6 + 10 * index, dwords(self.types[index]))

    def literal_index(self) -> int:
        return 2 if "ak_" in self.row.name else 1

    def text(
        self, changes: dict[int, str] | None = None, modifiers: str = "", dst: list[str] | None = None
    ) -> str:
        changes = changes or {}
        sources = [changes.get(i, self.base_source(i)) for i in range(len(self.types))]
        operands = (self.destinations() if dst is None else dst) + sources
        return f"{self.name} {', '.join(operands)} {modifiers}".strip()

    def modifiable(self, index: int) -> bool:
        if index == 2 and self.row.has("ReadsVcc"):
            return False
        if self.form == "sdwa" and self.types[index] == "PkF16":
            return False
        return self.types[index] in FLOATS or self.row.name == "v_cndmask_b32"


def _source_kinds(valu: Valu, index: int) -> Iterator[str]:
    row, name, operand_type = valu.row, valu.row.name, valu.types[index]
    count = dwords(operand_type)
    if index == 2 and row.has("ReadsVcc"):
        yield from o.SGPR64 if valu.long else ("vcc",)
        return
    if name == "v_accvgpr_mov_b32":
        yield from o.agprs(1)
        return
    if row.has("LiteralK") and index == valu.literal_index():
        yield from ("0x1", "0x3c00")
        return
    lane_select = name in ("v_readlane_b32", "v_writelane_b32")
    if name in ("v_readfirstlane_b32", "v_swap_b32") or (name == "v_readlane_b32" and index == 0):
        yield from o.vgprs(1)
        return
    if not lane_select:
        yield from o.vgprs(count)
    if (not valu.long and index > 0) or (name == "v_mqsad_u32_u8" and index == 2):
        return
    scalar = o.scalar_registers(count) + (() if lane_select and index == 1 else o.SPECIAL)
    if row.has("ImplicitVcc"):
        scalar = ("vcc",) if count == 2 else ()
    elif (not valu.long and row.has("ReadsVcc")) or row.has("LiteralK"):
        scalar = ()
    elif row.has("ReadsVcc"):
        scalar = ()  # the lane mask already uses the only scalar read
    yield from scalar
    yield from o.constants(count)
    if not valu.long and not row.has("ReadsVcc") and not row.has("LiteralK"):
        yield from o.literals(operand_type)


def plain(row: Row, form: str) -> Iterator[str]:
    """e32, e64 and VOP3-only encodings."""
    valu = Valu(row, form)
    yield valu.text()
    if row.dst != "None" and not row.has("ScalarDst") and row.name != "v_accvgpr_mov_b32":
        for dst in o.vgprs(dwords(row.dst)):
            if row.name != "v_mqsad_u32_u8" or dst != "v[0:3]":
                yield valu.text(dst=[dst, *valu.destinations()[1:]])
    if row.has("ScalarDst"):
        for dst in o.SGPR32:
            if dst != "m0":
                yield valu.text(dst=[dst])
    if valu.long and (row.format == "VOPC" or row.has("WritesVcc")):
        for mask in o.SGPR64:
            yield valu.text(dst=[*valu.destinations()[:-1], mask])
    for index in range(len(valu.types)):
        for source in _source_kinds(valu, index):
            yield valu.text({index: source})
    if row.has("LiteralK"):  # the first source may be the same literal
        for literal in ("0x1234", "lit(0x1)"):
            constant = literal.removeprefix("lit(").removesuffix(")")
            yield valu.text({0: literal, valu.literal_index(): constant})
    if row.name == "v_writelane_b32":
        yield from (valu.text({0: "s2", 1: lane}) for lane in ("s2", "m0"))
    if not valu.long:
        return
    yield from _long_modifiers(valu)


def _long_modifiers(valu: Valu) -> Iterator[str]:
    row = valu.row
    vop3b = row.has("WritesVcc") and row.format != "VOPC"
    for index in range(len(valu.types)):
        if not valu.modifiable(index):
            continue
        source = valu.base_source(index)
        yield valu.text({index: f"-{source}"})
        yield valu.text({index: "neg(1)"})
        yield valu.text({index: "neg(1.0)"})
        if not vop3b:
            yield valu.text({index: f"|{source}|"})
            yield valu.text({index: f"-|{source}|"})
            yield valu.text({index: "|1|"})
            yield valu.text({index: "-|0.5|"})
    if row.has("Clamp"):
        yield valu.text(modifiers="clamp")
    if row.has("Omod"):
        for modifier in OUTPUT_MODIFIERS:
            yield valu.text(modifiers=modifier)
    if row.has("Clamp") and row.has("Omod"):
        yield valu.text(modifiers="clamp div:2")
    if row.has("OpSel"):
        count = len(valu.types) + 1 + ("v_cvt_sr_" in row.name)
        for index in range(count):
            bits = ",".join("1" if i == index else "0" for i in range(count))
            yield valu.text(modifiers=f"op_sel:[{bits}]")
        ones = ",".join("1" * count)
        yield valu.text(modifiers=f"op_sel:[{ones}]" + (" clamp" if row.has("Clamp") else ""))


def dpp(row: Row) -> Iterator[str]:
    valu = Valu(row, "dpp")
    wide = any(
        dwords(t) > 1 for i, t in enumerate((row.dst, *valu.types)) if not (i == 3 and row.has("ReadsVcc"))
    )
    controls = ("row_newbcast:0", "row_newbcast:15") if wide else DPP_CONTROLS
    full = "row_mask:0xf bank_mask:0xf"
    for control in controls:
        yield valu.text(modifiers=f"{control} {full}")
    control = controls[0]
    for masks in ("row_mask:0x1 bank_mask:0x0", "row_mask:0x0 bank_mask:0xe bound_ctrl:1"):
        yield valu.text(modifiers=f"{control} {masks}")
    for index in range(len(valu.types)):
        if valu.modifiable(index):
            source = valu.base_source(index)
            for spelled in (f"-{source}", f"|{source}|", f"-|{source}|"):
                yield valu.text({index: spelled}, f"{control} {full}")


def sdwa(row: Row) -> Iterator[str]:
    valu = Valu(row, "sdwa")
    compare, second = row.format == "VOPC", row.format != "VOP1"
    dst_select = not compare and row.name not in FROM_8_BIT_FLOAT

    def selects(
        dst: str = "DWORD", unused: str = "UNUSED_PAD", src0: str = "DWORD", src1: str = "DWORD"
    ) -> str:
        text = f"dst_sel:{dst} dst_unused:{unused} " if dst_select else ""
        return text + f"src0_sel:{src0}" + (f" src1_sel:{src1}" if second else "")

    for select in SELECTS:
        yield valu.text(modifiers=selects(src0=select))
        if dst_select:
            yield valu.text(modifiers=selects(dst=select))
        if second:
            yield valu.text(modifiers=selects(src1=select))
    if dst_select:
        for unused in UNUSED:
            yield valu.text(modifiers=selects(dst="WORD_1", unused=unused))
    if compare:
        for mask in o.SGPR64:
            yield valu.text(modifiers=selects(), dst=[mask])
    else:
        yield valu.text(modifiers=f"clamp {selects()}")
        if row.has("Omod") and row.dst in (*FLOATS, "PkF32"):
            for modifier in OUTPUT_MODIFIERS:
                yield valu.text(modifiers=f"clamp {modifier} {selects()}")
    for index in range(1 + second):
        source = valu.base_source(index)
        if valu.modifiable(index):
            for spelled in (f"-{source}", f"|{source}|", f"-|{source}|"):
                yield valu.text({index: spelled}, selects())
        elif row.name not in (*FROM_8_BIT_FLOAT, "v_pk_fmac_f16"):
            yield valu.text({index: f"sext({source})"}, selects(src0="BYTE_1"))
        scalars = () if row.has("ReadsVcc") else ("s3", "vcc_lo", "m0", "src_scc")
        inverse = () if valu.types[index] in ("I16", "U16", "B16") else (o.INVERSE_2PI,)
        for spelled in (*scalars, "0", "-16", "1.0", *inverse):
            yield valu.text({index: spelled}, selects())


def packed(row: Row, arch: str) -> Iterator[str]:
    types = [t for t in row.sources if t != "None"]
    dst = o.register("v", 4, dwords(row.dst))
    base = [o.register("v", 6 + 10 * i, dwords(t)) for i, t in enumerate(types)]

    def text(changes: dict[int, str] | None = None, modifiers: str = "", dst: str = dst) -> str:
        sources = [(changes or {}).get(i, source) for i, source in enumerate(base)]
        return f"{row.name} {', '.join([dst, *sources])} {modifiers}".strip()

    yield text()
    yield text(modifiers="clamp")
    for register in o.vgprs(dwords(row.dst)):
        yield text(dst=register)
    for index, operand_type in enumerate(types):
        count = dwords(operand_type)
        for source in (
            *o.vgprs(count),
            *o.scalar_registers(count),
            *o.SPECIAL,
            *o.INTEGERS,
            *o.FLOATS,
            o.INVERSE_2PI,
        ):
            yield text({index: source})
    mix = row.has("MixPrecision")
    names = ["op_sel", "op_sel_hi"] + ([] if mix else ["neg_lo", "neg_hi"])
    dot2 = row.name.startswith("v_dot2_") and arch == "gfx90a"
    if row.has("Dot") and not dot2:
        names = ["neg_lo", "neg_hi"]
    for name in names:
        for index in range(len(types)):
            bits = ",".join("1" if i == index else "0" for i in range(len(types)))
            yield text(modifiers=f"{name}:[{bits}]")
    every = " ".join(f"{name}:[{','.join('01' * 2)[: 2 * len(types) - 1]}]" for name in names)
    yield text(modifiers=f"{every} clamp")
    if mix:
        for index, source in enumerate(base):
            for spelled in (f"-{source}", f"|{source}|", f"-|{source}|", "neg(1.0)", "|1|"):
                yield text({index: spelled})


def matrix(row: Row, arch: str) -> Iterator[str]:
    name = row.spelled(arch)
    if row.name == "v_accvgpr_read_b32":
        yield from (f"{name} {v}, {a}" for v in o.vgprs(1) for a in o.agprs(1))
        return
    if row.name == "v_accvgpr_write_b32":
        sources = (*o.vgprs(1), *o.SGPR32, *o.constants(1), *o.SPECIAL)
        yield from (f"{name} a7, {source}" for source in sources)
        return
    sparse, double = row.has("Sparse"), row.has("Double")
    d, a, b, c = row.dst, *row.sources[:3]

    def text(changes: dict[int, str] | None = None, modifiers: str = "") -> str:
        operands = [
            o.register("v", 100, dwords(d)),
            o.register("v", 2, dwords(a)),
            o.register("v", 8, dwords(b)),
        ]
        operands.append(o.register("v", 140, dwords(c)))
        for index, operand in (changes or {}).items():
            operands[index] = operand
        return f"{name} {', '.join(operands)} {modifiers}".strip()

    yield text()
    for index, operand_type in ((1, a), (2, b)):
        for register in (*o.vgprs(dwords(operand_type)), *o.agprs(dwords(operand_type))):
            yield text({index: register})
    for register in o.agprs(dwords(d)):
        yield text({0: register} if sparse else {0: register, 3: register})
    if sparse:
        yield from (text({3: register}) for register in o.vgprs(1))
    else:
        yield from (text({3: constant}) for constant in o.constants(2 if double else 1))
    yield from (text(modifiers=f"cbsz:{n}") for n in (1, 7))
    yield from (text(modifiers=f"abid:{n}") for n in (1, 15))
    if double and arch == "gfx942":
        yield from (text(modifiers=f"neg:[{bits}]") for bits in ("1,0,0", "0,1,0", "0,0,1", "1,1,1"))
    elif not sparse:
        yield from (text(modifiers=f"blgp:{n}") for n in (1, 7))
        yield text(modifiers="cbsz:2 abid:3 blgp:4")


def forms(row: Row) -> tuple[str, ...]:
    """The encodings a VALU instruction has."""
    if row.format == "VOP3":
        return ("",)
    result = ["e32"]
    if not (row.has("NoE64") or row.has("LiteralK")):
        result.append("e64")
    if not (row.has("NoDpp") or row.has("LiteralK") or row.format == "VOPC"):
        result.append("dpp")
    lane_mask = 1 if row.has("ReadsVcc") else 0
    vector_types = (row.dst, *row.sources[: 3 - lane_mask])
    wide = any(dwords(t) > 1 for t in vector_types) and row.name not in FROM_8_BIT_FLOAT
    if not (row.has("NoSdwa") or row.has("LiteralK") or wide):
        result.append("sdwa")
    return tuple(result)


def cases(row: Row, arch: str) -> Iterator[str]:
    if row.format == "MFMA":
        yield from matrix(row, arch)
    elif row.format == "VOP3P":
        yield from packed(row, arch)
    else:
        for form in forms(row):
            if form == "dpp":
                yield from dpp(row)
            elif form == "sdwa":
                yield from sdwa(row)
            else:
                yield from plain(row, form)
