"""Assembler texts for DS, FLAT, GLOBAL, SCRATCH, MUBUF and MTBUF."""

from __future__ import annotations

from collections.abc import Iterator

from isa import operands as o
from isa.table import Row, dwords

SWIZZLES: tuple[str, ...] = (
    "QUAD_PERM,3,2,1,0",
    "SWAP,1",
    "SWAP,16",
    "REVERSE,4",
    "REVERSE,32",
    "BROADCAST,2,1",
    "BROADCAST,32,17",
)
SWIZZLES += ('BITMASK_PERM,"01pip"', 'BITMASK_PERM,"ppppp"', "FFT,31", "ROTATE,0,3", "ROTATE,1,31")
LDS_LOADS = ("load_ubyte", "load_sbyte", "load_ushort", "load_sshort", "load_dword")


def _join(name: str, operands: list[str], modifiers: str = "") -> str:
    return f"{name} {', '.join(operands)} {modifiers}".strip()


def _is_float_atomic(row: Row) -> bool:
    return row.has("Atomic") and row.sources[1] in ("F32", "F64", "PkF16", "PkBF16")


def _cache_bits(row: Row, arch: str) -> tuple[str, ...]:
    if arch == "gfx942":
        return "sc0", "nt", "sc1", "sc0 nt sc1"
    if _is_float_atomic(row):  # the assembler takes scc here but does not encode it
        return "glc", "slc", "glc slc"
    return "glc", "slc", "scc", "glc slc scc"


def _scalar_return(arch: str) -> str:
    return "sc0" if arch == "gfx942" else "glc"


def ds(row: Row) -> Iterator[str]:
    gws = row.has("Gws")
    suffix = " gds" if gws else ""

    def operands(file: str, first: int = 4) -> list[str]:
        result = []
        if row.dst != "None":
            result.append(o.register(file, first, dwords(row.dst)))
        if row.sources[0] != "None":
            result.append(o.register(file if gws else "v", 2, 1))
        for index, operand_type in enumerate(row.sources[1:3]):
            if operand_type != "None":
                result.append(o.register(file, first + 10 + 10 * index, dwords(operand_type)))
        return result

    yield _join(row.name, operands("v"), suffix)
    if row.name == "ds_nop":
        return
    if any(operand.startswith("v") for operand in operands("v")) and operands("v") != operands("a"):
        yield _join(row.name, operands("a"), suffix)
        yield _join(row.name, operands("v", 200), suffix)
    if row.name == "ds_swizzle_b32":
        for swizzle in SWIZZLES:
            yield _join(row.name, operands("v"), f"offset:swizzle({swizzle})")
        yield _join(row.name, operands("v"), "offset:33024")
    elif row.has("TwoOffsets"):
        for offsets in ("offset0:1", "offset1:1", "offset0:255 offset1:254"):
            yield _join(row.name, operands("v"), offsets)
    else:
        for offset in ("1", "256", "65535"):
            yield _join(row.name, operands("v"), f"offset:{offset}" + suffix)


def _flat_addresses(row: Row, arch: str) -> Iterator[tuple[str, str]]:
    """(vaddr, saddr) pairs."""
    if row.format == "FLAT":
        yield from ((v, "") for v in o.vgprs(2))
    elif row.format == "GLOBAL":
        yield from ((v, "off") for v in o.vgprs(2))
        saddrs = ("s[2:3]", "s[100:101]", "vcc", "ttmp[2:3]", "flat_scratch", "xnack_mask")
        yield from (("v7", saddr) for saddr in saddrs)
    else:
        yield from ((v, "off") for v in o.vgprs(1))
        yield from (("off", saddr) for saddr in ("s0", "s101", "vcc_lo", "m0", "ttmp3", "exec_lo"))
        if arch == "gfx942":
            yield from (("v7", "s3"), ("off", "off"))


def flat(row: Row, arch: str) -> Iterator[str]:
    data_type, to_lds, atomic = row.sources[1], row.has("ToLds"), row.has("Atomic")

    def line(
        vaddr: str, saddr: str, modifiers: str = "", file: str = "v", returns: bool = False, lds: bool = False
    ) -> str:
        operands = []
        if row.dst != "None" and (not atomic or returns) and not lds:
            operands.append(o.register(file, 20, dwords(row.dst)))
        operands.append(vaddr)
        if data_type != "None":
            operands.append(o.register(file, 40, dwords(data_type)))
        if saddr:
            operands.append(saddr)
        return _join(row.name, operands, modifiers)

    base = next(_flat_addresses(row, arch))
    for vaddr, saddr in _flat_addresses(row, arch):
        yield line(vaddr, saddr)
    for offset in ("1", "4095") if row.format == "FLAT" else ("1", "4095", "-1", "-4096"):
        yield line(*base, f"offset:{offset}")
    bits = _cache_bits(row, arch)
    for modifier in bits:
        if atomic and _scalar_return(arch) in modifier.split():
            yield line(*base, modifier, returns=True)
            # LLVM lacks accumulation registers here: in some float atomics, and with sc1 in all.
            if not _is_float_atomic(row) or (arch == "gfx90a"):
                yield line(*base, modifier, file="a", returns=True)
        else:
            yield line(*base, modifier)
    yield line(*base, f"offset:16 {bits[1]}")
    if not to_lds:
        yield line(*base, file="a")
    lds_form = arch == "gfx90a" and row.format != "FLAT" and row.name.split("_", 1)[1] in LDS_LOADS
    if lds_form:
        for vaddr, saddr in _flat_addresses(row, arch):
            yield line(vaddr, saddr, "lds", lds=True)
        yield line(*base, "offset:-8 glc slc scc lds", lds=True)


def _cache_control(row: Row, arch: str) -> Iterator[str]:
    yield row.name
    if arch == "gfx942":
        yield from (f"{row.name} {bits}" for bits in ("sc0", "sc1", "sc0 sc1"))


def buffer(row: Row, arch: str) -> Iterator[str]:
    if row.has("CacheControl"):
        yield from _cache_control(row, arch)
        return
    typed = row.format == "MTBUF"
    data_type = row.sources[1] if row.sources[1] != "None" else row.dst

    def line(
        vaddr: str = "off",
        soffset: str = "s3",
        modifiers: str = "",
        file: str = "v",
        lds: bool = False,
        srsrc: str = "s[8:11]",
    ) -> str:
        data = [] if lds else [o.register(file, 20, dwords(data_type))]
        return _join(row.name, [*data, vaddr, srsrc, soffset], modifiers)

    if row.has("FromLds"):
        yield from (
            f"{row.name} s[8:11], s3 {modifiers}"
            for modifiers in ("lds", "offset:4 lds", "offset:4095 lds glc", "lds glc slc scc")
        )
        return
    yield line()
    yield line(file="a")
    for soffset in (*o.SGPR32, *o.constants(1), *o.SPECIAL):
        yield line(soffset=soffset)
    yield from (line(srsrc=srsrc) for srsrc in ("s[0:3]", "s[96:99]", "ttmp[4:7]"))
    for vaddr in o.vgprs(1):
        yield line(vaddr, modifiers="idxen")
        yield line(vaddr, modifiers="offen offset:1")
    for vaddr in o.vgprs(2):
        yield line(vaddr, modifiers="idxen offen")
    yield line("v[2:3]", modifiers="idxen offen offset:4095 " + _cache_bits(row, arch)[-1])
    yield from (line(modifiers=bits) for bits in _cache_bits(row, arch))
    if typed:
        for code in range(128):
            yield line(modifiers=f"format:{code}")
        yield line("v1", modifiers="format:78 offen offset:8")
    if row.name.removeprefix("buffer_") in (*LDS_LOADS, "load_format_x"):
        yield line(modifiers="lds", lds=True)
        yield line("v1", modifiers="offen offset:8 lds", lds=True)
        yield line(
            "v[2:3]", modifiers="idxen offen offset:8 " + _cache_bits(row, arch)[-1] + " lds", lds=True
        )


def cases(row: Row, arch: str) -> Iterator[str]:
    if row.format == "DS":
        yield from ds(row)
    elif row.format in ("FLAT", "GLOBAL", "SCRATCH"):
        yield from flat(row, arch)
    else:
        yield from buffer(row, arch)
