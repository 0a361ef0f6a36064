"""The line of the program that an instruction belongs to where the compiler inlined functions of the headers.

Line tables name the innermost function, which for a barrier or an atomic operation is one of the headers; the
debug information says who called it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocm_perf_lab.codeobj.debug_information import open_debug_information, path_in_unit

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
    try:
        return open_debug_information(path.read_bytes())
    except OSError:
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
    path = path_in_unit(dwarf, unit, file.value) if line is not None and file is not None else None
    return None if path is None else f"{path}:{line.value}"
