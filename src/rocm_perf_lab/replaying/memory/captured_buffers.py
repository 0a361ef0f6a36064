"""The buffers of a capture: its regions, cut where arguments point, with the types of their elements."""

from __future__ import annotations

from dataclasses import replace

from rocm_perf_lab.capturing.addresses import number
from rocm_perf_lab.capturing.arguments import TypedArgument, typed_arguments
from rocm_perf_lab.capturing.element_layout import POINTER_BYTES, layout_of
from rocm_perf_lab.capturing.folder import Capture
from rocm_perf_lab.contracts.captures.capture import MemoryRegion
from rocm_perf_lab.cxx_names import pointed_type
from rocm_perf_lab.replaying.memory.buffers import UNNAMED, Buffer, Pointer, buffers_of
from rocm_perf_lab.replaying.memory.global_variables import buffers_of_globals, global_variables


def captured_buffers(capture: Capture) -> list[Buffer]:
    """Of every region that is stored, in the order of addresses."""
    regions = capture.memory.regions
    pointers = [
        replace(pointer, address=_stored_address(pointer.address, regions))
        for argument in typed_arguments(capture)
        if not argument.hidden
        for pointer in pointers_in(argument)
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


def pointers_in(argument: TypedArgument) -> list[Pointer]:
    """An argument that is a pointer, or the pointers among the members of one that is a structure."""
    name = argument.name or f"{UNNAMED}{argument.index}"
    if argument.address is not None:
        return [Pointer(name, argument.address, argument.element_layout)] if argument.address else []
    found = []
    for field in argument.layout.fields if argument.layout is not None else ():
        address = int.from_bytes(argument.raw[field.offset : field.offset + POINTER_BYTES], "little")
        if field.scalar.kind == "pointer" and address:
            pointed = pointed_type(field.scalar.name)
            found.append(Pointer(f"{name}{field.path}", address, layout_of(pointed) if pointed else None))
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
