"""All generated texts of an architecture, assembled once and shared by the tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from isa import memory_cases, scalar_cases, vector_cases
from isa.assembler import Assembled, assemble
from isa.table import Row, rows

_SCALAR = ("SOP1", "SOP2", "SOPK", "SOPC", "SOPP", "SMEM")
_VECTOR = ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3P", "MFMA")


@dataclass(frozen=True)
class Case:
    row: Row
    assembled: Assembled


def _texts(row: Row, arch: str) -> Iterator[str]:
    if row.format in _SCALAR:
        return scalar_cases.cases(row, arch)
    if row.format in _VECTOR:
        return vector_cases.cases(row, arch)
    return memory_cases.cases(row, arch)


@cache
def cases(arch: str) -> tuple[Case, ...]:
    pairs = [(row, text) for row in rows() if row.on(arch) for text in _texts(row, arch)]
    results = assemble(arch, [text for _, text in pairs])
    return tuple(Case(row, result) for (row, _), result in zip(pairs, results, strict=True))
