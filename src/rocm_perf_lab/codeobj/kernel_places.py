"""Where the kernels of a code object are defined, from its debug information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocm_perf_lab.codeobj.debug_information import (
    absolute_in_unit,
    folder_of_unit,
    functions_of,
    open_debug_information,
    path_in_unit,
    symbol_of,
    text_of,
)
from rocm_perf_lab.codeobj.elf import Elf
from rocm_perf_lab.codeobj.metadata import kernels_of_code_object


@dataclass(frozen=True)
class KernelPlace:
    unit: Path
    """The file that was compiled."""
    defined_in: Path
    """The same, or one that it includes."""
    folder: Path | None
    """The compiler's working folder."""


def kernel_places(code_object: bytes) -> dict[str, KernelPlace]:
    """By mangled name; kernels of which the debug information says nothing are missing.

    Raises NotAnElf or NoMetadata.
    """
    kernels = {kernel.symbol for kernel in kernels_of_code_object(code_object)}
    spans = {
        symbol.name: range(symbol.address, symbol.address + symbol.size)
        for symbol in Elf(code_object).symbols()
        if symbol.name in kernels
    }
    dwarf = open_debug_information(code_object)
    found: dict[str, KernelPlace] = {}
    if dwarf is None:
        return found
    for unit in dwarf.iter_CUs():
        try:
            found |= _places_in(dwarf, unit, spans)
        except Exception:  # noqa: PERF203  # of forms that the reader does not know, it raises many kinds
            continue
    return found


def _places_in(dwarf: Any, unit: Any, spans: Mapping[str, range]) -> dict[str, KernelPlace]:
    top = unit.get_top_DIE()
    name = text_of(top, "DW_AT_name")
    if name is None:
        return {}
    compiled = absolute_in_unit(unit, name)
    compiled_in = folder_of_unit(unit)
    folder = None if compiled_in is None else Path(compiled_in)
    found: dict[str, KernelPlace] = {}
    for function in functions_of(top):
        symbol, number = symbol_of(function), function.attributes.get("DW_AT_decl_file")
        if symbol is not None and symbol in spans and number is not None:
            place = path_in_unit(dwarf, unit, number.value)
            found[symbol] = KernelPlace(compiled, place or compiled, folder)
    if not found:  # -gline-tables-only
        for symbol, number in _files_of_ends(dwarf, unit, spans).items():
            found[symbol] = KernelPlace(compiled, path_in_unit(dwarf, unit, number) or compiled, folder)
    return found


def _files_of_ends(dwarf: Any, unit: Any, spans: Mapping[str, range]) -> dict[str, int]:
    """The file of a kernel's last instruction: where it returns nothing is inlined."""
    program = dwarf.line_program_for_CU(unit)
    rows = [entry.state for entry in program.get_entries() if entry.state] if program is not None else []
    found: dict[str, int] = {}
    for symbol, span in spans.items():
        within = [row for row in rows if row.address in span and not row.end_sequence]
        if within:
            found[symbol] = max(within, key=lambda row: row.address).file
    return found
