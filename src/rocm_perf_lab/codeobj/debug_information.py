"""Debug information (DWARF) of an ELF file: opening it, its units, its functions and the files it names."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_DEBUG_BYTES = 64 << 20  # of .debug_info: larger ones take minutes
_MOST_DEPTH = 16
SCOPES = {"DW_TAG_namespace", "DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"}


def open_debug_information(content: bytes) -> Any | None:
    """None where there is none, or too much of it, or the file is none that could have it."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        file = ELFFile(io.BytesIO(content))
        section = file.get_section_by_name(".debug_info")
        if section is None or section.data_size > MOST_DEBUG_BYTES:
            return None
        return file.get_dwarf_info(relocate_dwarf_sections=False)
    except ELFError:
        return None


def functions_of(scope: Any, depth: int = 0) -> Iterator[Any]:
    """Functions that have code, also those inside of namespaces and classes."""
    for child in scope.iter_children():
        if child.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in child.attributes:
            yield child
        elif child.tag in SCOPES and depth < _MOST_DEPTH:
            yield from functions_of(child, depth + 1)


def symbol_of(function: Any) -> str | None:
    """Under which a function is linked; C functions have their name for it."""
    return text_of(function, "DW_AT_linkage_name") or text_of(function, "DW_AT_name")


def text_of(die: Any, key: str) -> str | None:
    attribute = die.attributes.get(key)
    return decoded(attribute.value) if attribute else None


def folder_of_unit(unit: Any) -> str | None:
    """The working folder of the compiler."""
    return text_of(unit.get_top_DIE(), "DW_AT_comp_dir")


def path_in_unit(dwarf: Any, unit: Any, number: int) -> Path | None:
    """The file that debug information of a unit calls by a number."""
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return None
    # Up to version 4 files count from 1, and folder 0 is that of the compilation.
    modern = program["version"] >= 5
    entry = program["file_entry"][number if modern else number - 1]
    folders = [decoded(folder) for folder in program["include_directory"]]
    if not modern:
        folders.insert(0, folder_of_unit(unit) or "")
    return absolute_in_unit(unit, Path(folders[entry.dir_index]) / decoded(entry.name))


def absolute_in_unit(unit: Any, path: Path | str) -> Path:
    """A path as the compiler was given it, from its working folder."""
    return Path(os.path.normpath(Path(folder_of_unit(unit) or "") / path))


def decoded(name: bytes | str) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else name
