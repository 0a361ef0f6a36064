"""The rows of native/isa/tables/*.def, read as text so that tests do not depend on the code under test."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ISA = Path(__file__).resolve().parents[3] / "native" / "isa" / "tables"
ARCHS = ("gfx90a", "gfx942")

_ROW = re.compile(
    r"^INST\((\w+),\s+(\w+),\s+(-?\w+),\s+(-?\w+),\s+OPS\(([^)]*)\),\s+([\w |]+)\)$", re.MULTILINE
)
_NAME = re.compile(r'^GFX90A_NAME\((\w+), "(\w+)"\)$', re.MULTILINE)

_WIDTHS = {"B64": 2, "I64": 2, "U64": 2, "F64": 2, "PkF32": 2, "PkB32": 2}
_WIDTHS |= {"B96": 3, "B128": 4, "B256": 8, "B512": 16, "B1024": 32, "None": 0}


def dwords(operand_type: str) -> int:
    return _WIDTHS.get(operand_type, 1)


@dataclass(frozen=True)
class Row:
    name: str
    gfx90a_name: str
    format: str
    opcodes: tuple[int, int]
    dst: str
    sources: tuple[str, ...]  # "None" where there is none
    flags: frozenset[str]

    def on(self, arch: str) -> bool:
        return self.opcodes[ARCHS.index(arch)] >= 0

    def spelled(self, arch: str) -> str:
        return self.gfx90a_name if arch == "gfx90a" else self.name

    def has(self, flag: str) -> bool:
        return flag in self.flags


@cache
def rows() -> tuple[Row, ...]:
    names = dict(_NAME.findall((ISA / "gfx90a_names.def").read_text()))
    result = []
    files = re.findall(r'#include "(\w+\.def)"', (ISA / "instructions.def").read_text())
    for file in files:
        text = (ISA / file).read_text()
        matches = _ROW.findall(text)
        assert len(matches) == text.count("INST("), f"{file} has a row this parser does not understand"
        for name, fmt, gfx90a, gfx942, operands, flags in matches:
            types = [part.strip() for part in operands.split(",")] if operands else []
            types += ["None"] * (5 - len(types))
            result.append(
                Row(
                    name,
                    names.get(name, name),
                    fmt,
                    (int(gfx90a, 0), int(gfx942, 0)),
                    types[0],
                    tuple(types[1:]),
                    frozenset(flags.split(" | ")) - {"0"},
                )
            )
    return tuple(result)
