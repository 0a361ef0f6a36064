"""The line of the program that an instruction belongs to where the compiler inlined functions of the headers.

Line tables name the innermost function, which for a barrier or an atomic operation is one of the headers; the
debug information says who called it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_DEBUG_BYTES = 64 << 20  # of .debug_info: larger ones take minutes
HEADERS = "/include/hip/"


class DeviceLines:
    """Of the code objects that the virtual GPU kept beside its findings; each is opened once."""

    def __init__(self) -> None:
        self._opened: dict[str, Any] = {}

    def line_of(self, code_object: str | None, offset: int | None, source: str | None) -> str | None:
        """``source`` itself if it is the program's, else the call in the program that led there."""
        if source is None or code_object is None or offset is None or HEADERS not in source:
            return source
        if code_object not in self._opened:
            self._opened[code_object] = _debug_information(Path(code_object))
        dwarf = self._opened[code_object]
        if dwarf is None:
            return source
        try:
            calls = list(_calls(dwarf, offset))
        except Exception:  # damaged debug information: the header's line is still true
            return source
        return next((place for place in calls if HEADERS not in place), source)


def _debug_information(path: Path) -> Any | None:
    import io

    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        file = ELFFile(io.BytesIO(path.read_bytes()))
        section = file.get_section_by_name(".debug_info")
        if section is None or section.data_size > MOST_DEBUG_BYTES:
            return None
        return file.get_dwarf_info(relocate_dwarf_sections=False)
    except (OSError, ELFError):
        return None


def _calls(dwarf: Any, address: int) -> Iterator[str]:
    """Where the functions that were inlined at an address were called, innermost first."""
    for unit in dwarf.iter_CUs():
        top = unit.get_top_DIE()
        if not _covers(dwarf, unit, top, address):
            continue
        found: list[str] = []
        level = top
        while True:
            inner = next((die for die in _scopes(level) if _covers(dwarf, unit, die, address)), None)
            if inner is None:
                break
            if inner.tag == "DW_TAG_inlined_subroutine":
                place = _call_site(dwarf, unit, inner)
                if place:
                    found.append(place)
            level = inner
        yield from reversed(found)


def _scopes(die: Any) -> Iterator[Any]:
    """Functions, inlined calls and blocks below an entry, also those inside of namespaces."""
    for child in die.iter_children():
        if child.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine", "DW_TAG_lexical_block"):
            yield child
        elif child.tag in ("DW_TAG_namespace", "DW_TAG_structure_type", "DW_TAG_class_type"):
            yield from _scopes(child)


def _covers(dwarf: Any, unit: Any, die: Any, address: int) -> bool:
    attributes = die.attributes
    if "DW_AT_ranges" in attributes:
        ranges = dwarf.range_lists().get_range_list_at_offset(attributes["DW_AT_ranges"].value, unit)
        base = _low(unit.get_top_DIE()) or 0
        for entry in ranges:
            if hasattr(entry, "base_address"):
                base = entry.base_address
            elif _within(entry, base, address):
                return True
        return False
    low = _low(die)
    if low is None or "DW_AT_high_pc" not in attributes:
        return False
    high = attributes["DW_AT_high_pc"]
    end = high.value if high.form == "DW_FORM_addr" else low + high.value
    return bool(low <= address < end)


def _within(entry: Any, base: int, address: int) -> bool:
    start = 0 if getattr(entry, "is_absolute", False) else base
    return bool(start + entry.begin_offset <= address < start + entry.end_offset)


def _low(die: Any) -> int | None:
    found = die.attributes.get("DW_AT_low_pc")
    return None if found is None else int(found.value)


def _call_site(dwarf: Any, unit: Any, die: Any) -> str | None:
    line, file = die.attributes.get("DW_AT_call_line"), die.attributes.get("DW_AT_call_file")
    program = dwarf.line_program_for_CU(unit)
    if line is None or file is None or program is None:
        return None
    # Up to version 4 files count from 1, and folder 0 is that of the compilation.
    modern = program["version"] >= 5
    entry = program["file_entry"][file.value if modern else file.value - 1]
    folders = [_text(folder) for folder in program["include_directory"]]
    compiled_in = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    if not modern:
        folders.insert(0, _text(compiled_in.value) if compiled_in else "")
    path = Path(folders[entry.dir_index]) / _text(entry.name)
    if not path.is_absolute() and compiled_in:
        path = Path(_text(compiled_in.value)) / path
    return f"{os.path.normpath(path)}:{line.value}"


def _text(name: bytes | str) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else name
