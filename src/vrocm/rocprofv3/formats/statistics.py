"""How often and how long: of every name in every kind of event."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..logs.trace import ProcessTrace

# Domain -> how its CSV files begin.
FILES = {
    "KERNEL_DISPATCH": "kernel",
    "HIP_API": "hip_api",
    "HSA_API": "hsa_api",
    "MARKER_API": "marker_api",
    "MEMORY_COPY": "memory_copy",
    "MEMORY_ALLOCATION": "memory_allocation",
    "SCRATCH_MEMORY": "scratch_memory",
}


@dataclass
class Durations:
    name: str
    values: list[int] = field(default_factory=list)

    @property
    def calls(self) -> int:
        return len(self.values)

    @property
    def total(self) -> int:
        return sum(self.values)

    @property
    def mean(self) -> float:
        return self.total / self.calls

    @property
    def deviation(self) -> float:
        if self.calls < 2:
            return 0.0
        return math.sqrt(sum((value - self.mean) ** 2 for value in self.values) / (self.calls - 1))


def domain_of(kind: str) -> str:
    """HIP_RUNTIME_API_EXT -> HIP_API, and so on."""
    for prefix in ("HIP", "HSA", "MARKER"):
        if kind.startswith(prefix):
            return f"{prefix}_API"
    return kind


def kernel_name(trace: ProcessTrace, kernel: int, region: str) -> str:
    return region or trace.kernel(kernel).display_name


def _events(trace: ProcessTrace) -> Iterator[tuple[str, str, int]]:
    for dispatch in trace.dispatches:
        name = kernel_name(trace, dispatch.kernel, dispatch.region)
        yield "KERNEL_DISPATCH", name, dispatch.end - dispatch.start
    for region in trace.regions:
        yield domain_of(region.kind), region.message or region.name, region.end - region.start
    for copy in trace.copies:
        yield "MEMORY_COPY", copy.operation, copy.end - copy.start
    for allocation in trace.allocations:
        yield "MEMORY_ALLOCATION", allocation.operation, allocation.end - allocation.start
    for scratch in trace.scratch:
        yield "SCRATCH_MEMORY", scratch.operation, scratch.end - scratch.start


def statistics(trace: ProcessTrace) -> dict[str, list[Durations]]:
    """By domain, the longest in all first."""
    found: dict[str, dict[str, Durations]] = {}
    for domain, name, duration in _events(trace):
        names = found.setdefault(domain, {})
        names.setdefault(name, Durations(name)).values.append(duration)
    return {
        domain: sorted(found[domain].values(), key=lambda item: (-item.total, item.name))
        for domain in FILES
        if domain in found
    }


def percentage(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0
