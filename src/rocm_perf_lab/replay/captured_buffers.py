"""The buffers of a capture: its regions, cut where arguments point, with the types of their elements."""

from __future__ import annotations

from rocm_perf_lab.capture.addresses import number
from rocm_perf_lab.capture.arguments import typed_arguments
from rocm_perf_lab.capture.folder import Capture
from rocm_perf_lab.contracts.capture import MemoryRegion
from rocm_perf_lab.replay.buffers import UNNAMED, Buffer, Pointer, buffers_of
from rocm_perf_lab.replay.global_variables import buffers_of_globals, global_variables


def captured_buffers(capture: Capture) -> list[Buffer]:
    """Of every region that is stored, in the order of addresses."""
    regions = capture.memory.regions
    pointers = [
        Pointer(
            argument.name or f"{UNNAMED}{argument.index}",
            _stored_address(argument.address, regions),
            argument.element_layout,
        )
        for argument in typed_arguments(capture)
        if argument.address and not argument.hidden
    ]
    variables = global_variables(capture)
    found: list[Buffer] = []
    for region in regions:
        if region.file is None:
            continue
        base = number(region.base)
        if region.kind == "globals":
            found += buffers_of_globals(base, region.size, variables)
        else:
            found += buffers_of(base, region.size, pointers, f"{region.kind} region {region.base}")
    return found


def _stored_address(address: int, regions: tuple[MemoryRegion, ...]) -> int:
    """Memory that is mapped twice is stored with its first mapping: the address there."""
    region = next((one for one in regions if number(one.base) <= address < number(one.base) + one.size), None)
    if region is None or region.file is not None or region.handle is None:
        return address
    place = (region.handle_offset or 0) + address - number(region.base)
    for other in regions:
        start = other.handle_offset or 0
        if other.handle == region.handle and other.file is not None and start <= place < start + other.size:
            return number(other.base) + place - start
    return address
