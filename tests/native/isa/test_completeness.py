"""The assembler knows no instruction of these architectures that the table lacks."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import ziglang
from isa.assembler import assemble
from isa.table import ARCHS, Row, rows
from isa.vector_cases import Valu, dpp, forms, sdwa

PREFIXES = ("s", "v", "ds", "buffer", "tbuffer", "global", "flat", "scratch", "image")

# Other spellings of instructions in the table, which the assembler reads and never prints.
ALIASES = {
    "gfx90a": {"v_accvgpr_write", "v_mul_lo_i32"},
    "gfx942": {"v_accvgpr_write", "v_mul_lo_i32"},
}
OLD_MATRIX_NAME = re.compile(r"v_mfma_\w+_\d+x\d+x\d+[a-z]\w*")

# gfx90a has image instructions; HIP reaches them through textures only, which are not supported.
NOT_SUPPORTED = re.compile(r"image_\w+")


@cache
def words_of_the_assembler() -> tuple[str, ...]:
    """Whatever looks like a mnemonic in the binary that holds the assembler's tables."""
    binary = (Path(ziglang.__file__).parent / "zig").read_bytes()
    pattern = rb"(?:" + b"|".join(prefix.encode() for prefix in PREFIXES) + rb")_[a-z0-9_]+"
    return tuple(sorted({word.decode() for word in re.findall(pattern, binary)}))


def base_name(word: str) -> str:
    return re.sub(r"(_e32|_e64|_dpp|_sdwa|_e64_dpp)$", "", word)


@pytest.mark.parametrize("arch", ARCHS)
def test_the_table_has_every_mnemonic_of_the_assembler(arch: str) -> None:
    words = list(words_of_the_assembler())
    known = {row.spelled(arch) for row in rows() if row.on(arch)}
    accepted = {
        base_name(word)
        for word, result in zip(words, assemble(arch, words), strict=True)
        if not result.error.startswith(
            ("invalid instruction", "instruction not supported", "e64_dpp variant")
        )
    }
    assert known <= accepted, "the assembler's tables were not found"
    missing = accepted - known - ALIASES[arch]
    missing = {name for name in missing if not NOT_SUPPORTED.fullmatch(name)}
    if arch == "gfx942":
        missing = {name for name in missing if not OLD_MATRIX_NAME.fullmatch(name)}
    assert not missing


def in_encoding(row: Row, encoding: str) -> str:
    """A plain use of the instruction in an encoding, whether it has that or not."""
    valu = Valu(row, encoding)
    text = {"e64": valu.text, "dpp": lambda: next(dpp(row)), "sdwa": lambda: next(sdwa(row))}[encoding]()
    mnemonic, operands = text.partition(" ")[::2]
    return f"{row.name}_{encoding} {operands}" if mnemonic == row.name else text


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("encoding", ["e64", "dpp", "sdwa"])
def test_the_table_has_every_encoding_of_the_assembler(arch: str, encoding: str) -> None:
    """Of instructions with operands: v_nop_dpp is a v_nop."""
    short = [row for row in rows() if row.on(arch) and row.format in ("VOP1", "VOP2", "VOPC")]
    short = [row for row in short if row.dst != "None"]
    results = assemble(arch, [in_encoding(row, encoding) for row in short])
    accepted = {row.name for row, result in zip(short, results, strict=True) if not result.error}
    assert accepted == {row.name for row in short if encoding in forms(row)}
