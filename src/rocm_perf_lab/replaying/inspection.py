"""What is in a capture, without a GPU: kernel, typed arguments and their values, memory, what changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.arch.device import base_name, device
from rocm_perf_lab.capturing.addresses import number, text
from rocm_perf_lab.capturing.arguments import TypedArgument, typed_arguments
from rocm_perf_lab.capturing.folder import Capture, open_capture, verify
from rocm_perf_lab.capturing.summary import origin_of, stored_bytes, summarise
from rocm_perf_lab.codeobj.metadata import KernelMetadata, NoMetadata, NotAnElf, kernels_of_code_object
from rocm_perf_lab.contracts.captures.capture import VERSION, MemoryRegion
from rocm_perf_lab.contracts.captures.inspection import (
    Changes,
    InspectedArgument,
    InspectedRegion,
    InspectionDocument,
    PointedBuffer,
)
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.replaying.memory.changed_bytes import MOST_RANGES, NO_CHANGES, changes_between

NO_CODE = "the code object does not say"
NOT_A_POINTER = "it is no pointer"
ALIAS = "another mapping has the contents of this memory"


@dataclass(frozen=True)
class _RegionParts:
    """A region cut where arguments point into it."""

    region: MemoryRegion
    starts: tuple[int, ...]
    """Offsets of the parts; the first is 0."""
    changes: tuple[Changes, ...] | None
    """Of each part; None where another mapping has the contents."""

    def part_at(self, offset: int) -> int:
        return max(place for place, start in enumerate(self.starts) if start <= offset)

    def end_of(self, part: int) -> int:
        return self.starts[part + 1] if part + 1 < len(self.starts) else self.region.size


def inspect_capture(
    path: Path, verifying: bool = True, tick: Callable[[int], None] | None = None
) -> InspectionDocument:
    """Raises BadInput for a capture that is not as it was written."""
    capture = open_capture(path)
    if verifying:
        verify(capture, tick)
    arguments = typed_arguments(capture)
    parts = [_cut(capture, region, arguments) for region in capture.memory.regions]
    kernel = _kernel(capture)
    occupied, why_not = _occupancy(capture, kernel)
    missing = {}
    if isinstance(kernel, str):
        missing["resources"] = kernel
    if occupied is None:
        missing["occupancy"] = why_not
    return InspectionDocument(
        origin=origin_of(capture),
        missing=missing,
        folder=str(path),
        format_version=VERSION,
        capture=summarise(capture),
        verified=verifying,
        arguments=tuple(_argument(capture, one, parts) for one in arguments),
        regions=tuple(_region(capture, one, arguments) for one in parts),
        reservations=len(capture.memory.reservations),
        verdict=capture.dispatch.verdict.items,
        resources=None if isinstance(kernel, str) else _resources(capture, kernel),
        occupancy=occupied,
        warnings=_warnings(capture, arguments),
    )


def _cut(capture: Capture, region: MemoryRegion, arguments: Sequence[TypedArgument]) -> _RegionParts:
    base = number(region.base)
    pointers = {one.address - base for one in arguments if one.address is not None}
    starts = (0, *sorted(offset for offset in pointers if 0 < offset < region.size))
    before = capture.region_file(region, "before")
    if before is None:
        return _RegionParts(region, starts, None)
    if region.after is None:
        before.close()
        return _RegionParts(region, starts, (NO_CHANGES,) * len(starts))
    with before:
        after = capture.region_file(region, "after")
        assert after is not None
        with after:
            return _RegionParts(region, starts, tuple(changes_between(before, after, starts[1:])))


def _argument(capture: Capture, argument: TypedArgument, parts: Sequence[_RegionParts]) -> InspectedArgument:
    missing: dict[str, str] = {}
    element = argument.element_layout
    if argument.name is None:
        missing["name"] = "a hidden argument" if argument.hidden else "the compiler did not keep it"
    if argument.type_name is None:
        missing["type"] = missing["type_source"] = argument.why_no_type or NO_CODE
    if argument.element_name is None:
        missing["element_type"] = (
            NOT_A_POINTER if argument.address is None else argument.why_no_type or "its type is no pointer"
        )
    if element is None:
        known = argument.element_name is not None
        missing["element_bytes"] = "its type does not tell its size" if known else missing["element_type"]
    if argument.captured.access is None:
        missing["access"] = NO_CODE
    buffer, why_not = _buffer(capture, argument, parts)
    if buffer is None:
        missing["buffer"] = why_not
    return InspectedArgument(
        origin=origin_of(capture),
        missing=missing,
        index=argument.index,
        name=argument.name,
        type=argument.type_name,
        type_source=argument.type_source,
        element_type=argument.element_name,
        element_bytes=element.stride if element else None,
        hidden=argument.hidden,
        value_kind=argument.captured.value_kind,
        access=argument.captured.access,
        offset=argument.captured.offset,
        size=argument.captured.size,
        bytes=argument.raw.hex(),
        value=argument.value,
        buffer=buffer,
    )


def _buffer(
    capture: Capture, argument: TypedArgument, parts: Sequence[_RegionParts]
) -> tuple[PointedBuffer | None, str]:
    address = argument.address
    if address is None:
        return None, NOT_A_POINTER
    if address == 0:
        return None, "a null pointer"
    for of in parts:
        offset = address - number(of.region.base)
        if not 0 <= offset < of.region.size:
            continue
        part = of.part_at(offset)
        size = of.end_of(part) - offset
        missing = {}
        if of.changes is None:
            missing["changes"] = ALIAS
        stride = argument.element_layout.stride if argument.element_layout else 0
        if not stride:
            missing["elements"] = "the size of an element is not known"
        return (
            PointedBuffer(
                origin=origin_of(capture),
                missing=missing,
                address=text(address),
                region=of.region.base,
                kind=of.region.kind,
                offset=offset,
                bytes=size,
                elements=size // stride if stride else None,
                changes=None if of.changes is None else of.changes[part],
            ),
            "",
        )
    return None, f"{text(address)} is in no region that was captured"


def _region(capture: Capture, of: _RegionParts, arguments: Sequence[TypedArgument]) -> InspectedRegion:
    region = of.region
    base = number(region.base)
    missing = {}
    if of.changes is None:
        missing["changes"] = ALIAS
    if region.pool is None:
        missing["pool"] = region.missing.get("pool", "it comes from no pool")
    if region.agent is None:
        missing["agent"] = region.missing.get("agent", "it lies on the host")
    return InspectedRegion(
        origin=origin_of(capture),
        missing=missing,
        base=region.base,
        bytes=region.size,
        kind=region.kind,
        pool=region.pool,
        agent=region.agent,
        stored_bytes=stored_bytes(capture, region),
        changes=None if of.changes is None else _together(of),
        arguments=tuple(
            one.index
            for one in arguments
            if one.address is not None and base <= one.address < base + region.size
        ),
    )


def _together(of: _RegionParts) -> Changes:
    """Of the whole region. Ranges that end and begin at a cut stay two."""
    changes = of.changes or ()
    ranges = [
        type(one)(offset=start + one.offset, bytes=one.bytes)
        for start, part in zip(of.starts, changes, strict=True)
        for one in part.ranges
    ]
    return Changes(
        bytes=sum(part.bytes for part in changes),
        ranges=tuple(ranges[:MOST_RANGES]),
        ranges_in_all=sum(part.ranges_in_all for part in changes),
    )


def _kernel(capture: Capture) -> KernelMetadata | str:
    """Its metadata, or why there is none."""
    name = capture.dispatch.kernel.name
    try:
        found = [one for one in kernels_of_code_object(capture.code_object()) if one.symbol == name]
    except (NotAnElf, NoMetadata) as error:
        return f"kernel.hsaco: {error}"
    return found[0] if found else f"kernel.hsaco has no kernel {name}"


def _resources(capture: Capture, kernel: KernelMetadata) -> Resources:
    values = {
        "arch_vgprs": kernel.arch_vgprs,
        "accum_vgprs": kernel.accum_vgprs,
        "sgprs": kernel.sgprs,
        "lds_static_bytes": kernel.lds_static_bytes,
        "scratch_bytes_per_lane": kernel.scratch_bytes,
        "vgpr_spills": kernel.vgpr_spills,
        "sgpr_spills": kernel.sgpr_spills,
        "code_bytes": kernel.code_bytes,
    }
    return Resources(
        origin="spec",
        missing={name: NO_CODE for name, value in values.items() if value is None},
        registers_from="code object",
        lds_dynamic_bytes=capture.dispatch.segments.dynamic_group_size,
        **values,
    )


def _occupancy(capture: Capture, kernel: KernelMetadata | str) -> tuple[Occupancy | None, str]:
    if isinstance(kernel, str):
        return None, kernel
    dispatch = capture.dispatch
    limits = device(dispatch.agent.isa, dispatch.agent.product or "")
    if limits is None:
        return None, f"the limits of {base_name(dispatch.agent.isa)} are not known"
    return (
        occupancy(
            limits,
            threads_per_block=math.prod(dispatch.geometry.workgroup),
            arch_vgprs=kernel.arch_vgprs,
            accum_vgprs=kernel.accum_vgprs,
            sgprs=kernel.sgprs,
            lds_bytes=dispatch.packet.group_segment_size,
            wave_size=kernel.wave_size or dispatch.agent.wavefront_size,
            cu_mode=bool(kernel.cu_mode),
            achieved_missing="a capture has no counters: rocm-perf replay profile collects them",
        ),
        "",
    )


def _warnings(capture: Capture, arguments: Sequence[TypedArgument]) -> tuple[str, ...]:
    warnings = []
    if not capture.dispatch.verdict.complete:
        warnings.append("the capture is not complete: it can be looked at, and not replayed")
    untyped = [one for one in arguments if not one.hidden and one.type_name is None]
    if untyped:
        warnings.append(f"types of arguments are not known: {untyped[0].why_no_type}")
    if not any(region.changed_bytes for region in capture.memory.regions):
        warnings.append("the kernel changed no memory: a replay of it proves little")
    return tuple(warnings)
