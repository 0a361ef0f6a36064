"""The negative control: a kernel that does nothing has to be found out, or a right result proves nothing."""

from __future__ import annotations

import struct

from rocm_perf_lab.codeobj.elf import Elf, NotAnElf
from rocm_perf_lab.contracts.captures.validation import NegativeControl
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.replaying.memory.observed_differences import Allowed, first_wrong
from rocm_perf_lab.replaying.native_tool.document import agreement
from rocm_perf_lab.replaying.native_tool.trial import Poisoned, ReplayBench

# s_endpgm: SOPP (0xbf800000) with opcode 1 up to gfx10, opcode 48 from gfx11 on (AMD's ISA documents, SOPP).
_END = struct.pack("<I", 0xBF810000)
_END_FROM_GFX11 = struct.pack("<I", 0xBFB00000)
# The kernel descriptor has its entry at this place, as an offset from the descriptor's own address.
# Source: LLVM, AMDGPUUsage, "Kernel Descriptor".
_ENTRY_OFFSET_AT = 16

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_LOAD = 1


def without_effect(code_object: bytes, kernel: str, architecture: str) -> bytes:
    """``kernel``: mangled name, without .kd; ``architecture``: for example gfx942."""
    try:
        descriptor = _address_of(code_object, f"{kernel}.kd")
        at = _file_offset(code_object, descriptor, _ENTRY_OFFSET_AT + 8)
        (relative,) = struct.unpack_from("<q", code_object, at + _ENTRY_OFFSET_AT)
        entry = _file_offset(code_object, descriptor + relative, 4)
    except (NotAnElf, struct.error) as error:
        raise BadInput(f"the kernel's code cannot be found in its code object: {error}") from error
    end = _END_FROM_GFX11 if architecture[3:5] in ("11", "12") else _END
    return code_object[:entry] + end + code_object[entry + 4 :]


def _address_of(data: bytes, name: str) -> int:
    for symbol in Elf(data).symbols():
        if symbol.name == name and symbol.section:
            return symbol.address
    raise NotAnElf(f"it has no symbol {name}")


def _file_offset(data: bytes, address: int, size: int) -> int:
    """Where the file has the bytes that are loaded at an address."""
    fields = _HEADER.unpack_from(data)
    segments_at, segment_size, segments = fields[5], fields[9], fields[10]
    for index in range(segments):
        kind, _, offset, start, _, in_file, _, _ = _SEGMENT.unpack_from(
            data, segments_at + index * segment_size
        )
        if kind == _LOAD and start <= address and address + size <= start + in_file:
            found = int(offset + address - start)
            if found + size <= len(data):
                return found
    raise NotAnElf(f"no segment has the address {address:#x}")


def control(bench: ReplayBench, poisoned: Poisoned | None, allowed: Allowed) -> NegativeControl:
    bench.progress.plan(1)
    dispatch = bench.capture.dispatch
    file = bench.scratch / "does_nothing.hsaco"
    architecture = dispatch.agent.isa.rpartition("--")[2]
    file.write_bytes(without_effect(bench.capture.code_object(), dispatch.kernel.name, architecture))
    trial = bench.trial("a kernel that does nothing", hsaco=file, poisoned=poisoned)
    with trial.observe() as observed:
        wrong = first_wrong(bench.memory, bench.buffers, observed, allowed)
    changed = sum(region.changed_bytes for region in bench.capture.memory.regions)
    differing = sum(one.differing_bytes for one in agreement(trial.document))
    poisoned_bytes = poisoned.ranges.size if poisoned else 0
    if wrong is not None:
        reason = f"it leaves {wrong.name} wrong, and that is seen"
    elif differing:
        reason = "what the kernel changes is within the tolerances: a kernel that does nothing passes"
    else:
        reason = "the kernel changed nothing in the program, and no byte could be poisoned: anything passes"
    return NegativeControl(
        found_out=wrong is not None,
        changed_bytes=changed,
        poisoned_bytes=poisoned_bytes,
        differing_bytes=differing,
        reason=reason,
    )
