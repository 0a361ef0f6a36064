"""What a replay left, against what the kernel left in the program: buffer by buffer, under tolerances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rocm_perf_lab.contracts.captures.validation import AllowedError, BufferReport, ElementDifference
from rocm_perf_lab.replaying.memory.buffers import Buffer
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges
from rocm_perf_lab.replaying.memory.determinism import Spread
from rocm_perf_lab.replaying.memory.element_differences import ElementDifferences
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory, Observation
from rocm_perf_lab.replaying.memory.tolerance import Tolerance

Allowed = Callable[[Buffer], AllowedError]


def exact(buffer: Buffer) -> AllowedError:
    return AllowedError(source="exact", rtol=0.0, atol=0.0)


def first_wrong(
    memory: CapturedMemory, buffers: Iterable[Buffer], observation: Observation, allowed: Allowed
) -> Buffer | None:
    """A buffer that differs beyond its tolerance; the others are not looked at."""
    for buffer in buffers:
        told = allowed(buffer)
        found = ElementDifferences(buffer.layout, Tolerance(told.rtol, told.atol))
        for start, end in buffer.blocks(observation.pages(buffer.region)):
            expected = memory.regions[buffer.region].after(start, end)
            found.add(buffer.index(start), expected, observation.over(buffer.region, start, expected))
            if found.beyond_tolerance:
                return buffer
    return None


def compare(
    memory: CapturedMemory,
    buffers: Iterable[Buffer],
    observation: Observation,
    allowed: Allowed,
    reference: Observation | None = None,
) -> list[BufferReport]:
    """Reports of the buffers in which anything differs: from the program, or from another replay."""
    reports = []
    for buffer in buffers:
        pages = observation.pages(buffer.region)
        if reference is not None:
            pages = pages.union(reference.pages(buffer.region))
        if not pages:
            continue
        tolerance = allowed(buffer)
        found = ElementDifferences(buffer.layout, Tolerance(tolerance.rtol, tolerance.atol))
        for start, end in buffer.blocks(pages):
            captured = memory.regions[buffer.region].after(start, end)
            expected = captured if reference is None else reference.over(buffer.region, start, captured)
            found.add(buffer.index(start), expected, observation.over(buffer.region, start, captured))
        if found.differing_bytes:
            reports.append(_report(buffer, tolerance, found))
    return reports


def _report(buffer: Buffer, tolerance: AllowedError, found: ElementDifferences) -> BufferReport:
    first = None
    missing = {}
    if found.first is not None:
        field = next(one for one in buffer.layout.fields if one.path == found.first.field)
        address = buffer.origin + found.first.index * buffer.layout.stride + field.offset
        first = ElementDifference(
            index=found.first.index,
            field=found.first.field,
            address=f"{address:#x}",
            expected=found.first.expected,
            got=found.first.got,
        )
    else:
        missing["first"] = "no element is beyond the tolerance"
    if found.max_abs_error is None:
        missing["max_abs_error"] = "no finite floating-point values differ"
    if found.max_rel_error is None:
        missing["max_rel_error"] = "no finite floating-point values differ that should not be 0"
    return BufferReport(
        origin="derived",
        missing=missing,
        name=buffer.name,
        type=buffer.layout.name,
        region=f"{buffer.region:#x}",
        address=f"{buffer.start:#x}",
        bytes=buffer.size,
        elements=buffer.size // buffer.layout.stride,
        tolerance=tolerance,
        differing_bytes=found.differing_bytes,
        differing_elements=found.differing_elements,
        beyond_tolerance=found.beyond_tolerance,
        nan_changes=found.nan_changes,
        max_abs_error=found.max_abs_error,
        max_rel_error=found.max_rel_error,
        first=first,
        passed=found.beyond_tolerance == 0,
    )


def worst_of(runs: Iterable[Sequence[BufferReport]]) -> tuple[BufferReport, ...]:
    """For each buffer the report of the run that differs most."""
    worst: dict[str, BufferReport] = {}
    for reports in runs:
        for report in reports:
            before = worst.get(report.address)
            if before is None or _badness(report) > _badness(before):
                worst[report.address] = report
    return tuple(worst[address] for address in sorted(worst, key=lambda text: int(text, 16)))


def _badness(report: BufferReport) -> tuple[int, float, int]:
    return report.beyond_tolerance, report.max_abs_error or 0.0, report.differing_bytes


def spreads(
    memory: CapturedMemory,
    buffers: Iterable[Buffer],
    observations: Sequence[Observation],
    *,
    with_captured: bool = True,
) -> dict[int, Spread]:
    """How buffers (by their start) differ over the captured execution and some replays, or replays alone."""
    found: dict[int, Spread] = {}
    for buffer in buffers:
        pages = ByteRanges.of(one for run in observations for one in run.pages(buffer.region))
        if not pages:
            continue
        spread = Spread(buffer.layout)
        for start, end in buffer.blocks(pages):
            captured = memory.regions[buffer.region].after(start, end)
            replayed = [run.over(buffer.region, start, captured) for run in observations]
            spread.add([captured, *replayed] if with_captured else replayed)
        if spread.elements:
            found[buffer.start] = spread
    return found
