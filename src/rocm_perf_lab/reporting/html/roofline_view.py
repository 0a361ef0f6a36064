"""The roofline as plain data: roofs, and a point for each kernel, memory level and precision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.roofline import Ceiling, Roofline, Traffic
from rocm_perf_lab.reporting.run_documents import RunDocuments

ALL = "all"  # all floating-point types together
LEVELS = ("hbm", "l2", "l1", "lds")
MOST_KERNELS = 60


@dataclass(frozen=True)
class Roof:
    name: str
    kind: str
    value: float
    unit: str
    level: str | None
    """Of a memory roof."""
    precision: str | None
    """Of a compute roof."""
    origin: str
    source: str


@dataclass(frozen=True)
class Point:
    kernel: int
    """Number of the kernel in the report's list."""
    level: str
    precision: str
    intensity: float
    rate: float
    """GFLOP/s, of integers GOP/s."""
    gbps: float
    share_of_roof: float | None
    """Of the memory level's roof."""
    upper_bound: str | None
    suspect: str | None
    """Why not to trust it."""


@dataclass(frozen=True)
class RooflineView:
    roofs: tuple[Roof, ...]
    points: tuple[Point, ...]
    precisions: tuple[str, ...]
    """Those that occur; the first is all floating-point types together."""
    levels: tuple[str, ...]
    missing: str | None
    """Why there is no point."""


def roofline_view(run: RunDocuments) -> RooflineView:
    kernels = run.profile.kernels[:MOST_KERNELS]
    points = tuple(point for number, kernel in enumerate(kernels) for point in _points(number, kernel))
    precisions = tuple(dict.fromkeys(point.precision for point in points))
    levels = tuple(level for level in LEVELS if any(point.level == level for point in points))
    return RooflineView(
        roofs=tuple(_roof(one) for one in _ceilings(run, kernels)),
        points=points,
        precisions=tuple(sorted(precisions, key=lambda name: (name != ALL, name))),
        levels=levels,
        missing=None if points else _why_no_point(run),
    )


def _ceilings(run: RunDocuments, kernels: Sequence[KernelProfile]) -> list[Ceiling]:
    """Those of the device, or, without roofline.json, those of the kernels."""
    given = list(run.roofline.ceilings) if run.roofline else []
    for kernel in kernels:
        given += kernel.roofline.ceilings if kernel.roofline and not run.roofline else ()
    by_name = {one.name: one for one in given}
    return [one for one in by_name.values() if one.value > 0]


def _roof(ceiling: Ceiling) -> Roof:
    memory = ceiling.kind == "memory"
    return Roof(
        name=ceiling.name,
        kind=ceiling.kind,
        value=ceiling.value,
        unit=ceiling.unit,
        level=ceiling.figure if memory else None,
        precision=None if memory else ceiling.figure.rpartition(" ")[2],
        origin=ceiling.origin,
        source=ceiling.source,
    )


def _points(number: int, kernel: KernelProfile) -> Iterator[Point]:
    roofline = kernel.roofline
    if roofline is None:
        return
    for traffic in roofline.traffic:
        if traffic.total_bytes <= 0:
            continue
        for precision, operations, rate in _work(roofline):
            yield Point(
                kernel=number,
                level=traffic.level,
                precision=precision,
                intensity=operations / traffic.total_bytes,
                rate=rate,
                gbps=traffic.gbps,
                share_of_roof=traffic.share_of_ceiling,
                upper_bound=traffic.upper_bound,
                suspect=_suspect(roofline, traffic, precision),
            )


def _work(roofline: Roofline) -> Iterator[tuple[str, float, float]]:
    """(precision, operations, rate): all floating-point types together, then each that was used."""
    if roofline.flops and roofline.achieved_gflops:
        yield ALL, roofline.flops, roofline.achieved_gflops
    operations: dict[str, float] = {}
    rates: dict[str, float] = {}
    for work in roofline.work:  # vector and matrix units count together
        operations[work.type] = operations.get(work.type, 0.0) + work.operations
        rates[work.type] = rates.get(work.type, 0.0) + work.gflops
    for precision, done in operations.items():
        if done > 0 and rates[precision] > 0:
            yield precision, done, rates[precision]


def _suspect(roofline: Roofline, traffic: Traffic, precision: str) -> str | None:
    for suspect in roofline.suspects:
        of_work = suspect.figure.startswith("work ") and (
            precision == ALL or suspect.figure.endswith(f" {precision}")
        )
        if of_work or suspect.figure == f"traffic {traffic.level}":
            return f"{suspect.figure}: {suspect.why}"
    return None


def _why_no_point(run: RunDocuments) -> str:
    for kernel in run.profile.kernels:
        if kernel.roofline is not None:
            return "no kernel did floating-point operations and moved bytes that were counted"
    return run.profile.missing.get("roofline", "no counters were collected")
