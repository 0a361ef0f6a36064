"""Constants and variables of a captured module, as buffers with names and types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rocm_perf_lab.capturing.addresses import number
from rocm_perf_lab.capturing.debug_types import variables_of_module
from rocm_perf_lab.capturing.element_layout import RAW, ElementLayout
from rocm_perf_lab.capturing.folder import Capture
from rocm_perf_lab.codeobj.elf import Elf, NotAnElf
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.replaying.memory.buffers import Buffer

_DATA = 1  # STT_OBJECT
_NOT_OF_THE_SOURCE = (".kd", "__hip_")


@dataclass(frozen=True)
class GlobalVariable:
    name: str
    start: int
    """Where it was loaded."""
    size: int
    layout: ElementLayout


def global_variables(capture: Capture) -> list[GlobalVariable]:
    """In the order of addresses, none of them overlapping; empty where it is not known where they were."""
    delta = capture.dispatch.kernel.code_object.load_delta
    if delta is None:
        return []
    loaded = delta if isinstance(delta, int) else number(delta)
    code_object = capture.code_object()
    try:
        symbols = {
            one.address: one for one in Elf(code_object).symbols() if one.kind == _DATA and one.section
        }
    except NotAnElf:
        return []
    types = variables_of_module(code_object)
    found: list[GlobalVariable] = []
    for address, symbol in sorted(symbols.items()):
        if symbol.name.endswith(_NOT_OF_THE_SOURCE[0]) or symbol.name.startswith(_NOT_OF_THE_SOURCE[1]):
            continue
        layout = types[symbol.name].element_layout if symbol.name in types else None
        if layout is None or not layout.stride or symbol.size % layout.stride:
            layout = RAW
        start = loaded + address
        if symbol.size and (not found or found[-1].start + found[-1].size <= start):
            found.append(GlobalVariable(demangle(symbol.name), start, symbol.size, layout))
    return found


def buffers_of_globals(base: int, size: int, variables: Sequence[GlobalVariable]) -> list[Buffer]:
    """A region of a module: its variables, and what lies between them."""
    found: list[Buffer] = []
    at, end = base, base + size
    for one in variables:
        stop = one.start + one.size
        if one.start < base or stop > end:
            continue
        if at < one.start:
            found.append(Buffer("globals", base, at, one.start, at, RAW, named=False))
        found.append(Buffer(one.name, base, one.start, stop, one.start, one.layout, named=False))
        at = stop
    if at < end:
        found.append(Buffer("globals", base, at, end, at, RAW, named=False))
    return found
