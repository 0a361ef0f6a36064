"""A capture in short: the kernel, its geometry, its memory by kind, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rocm_perf_lab.capturing.folder import Capture
from rocm_perf_lab.contracts.captures.capture import MemoryRegion, Outcome, RegionKind, Verdict
from rocm_perf_lab.contracts.captures.inspection import CaptureSummary, MemoryOfKind, VerdictSummary
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.units import ms

_KINDS: tuple[RegionKind, ...] = ("device", "vmem", "managed", "host", "locked", "globals")
_OUTCOMES: tuple[Outcome, ...] = ("captured", "rebound", "left out", "refused")


def origin_of(capture: Capture) -> Origin:
    return "simulated" if capture.simulated else "measured"


def summarise(capture: Capture) -> CaptureSummary:
    dispatch, regions = capture.dispatch, capture.memory.regions
    missing = {}
    if dispatch.time.in_app_ns is None:
        missing["in_app_ms"] = dispatch.time.missing.get("in_app_ns", "the runtime gave no times")
    if dispatch.agent.partition is None:
        missing["partition"] = dispatch.agent.missing.get("partition", "the runtime does not say")
    return CaptureSummary(
        origin=origin_of(capture),
        missing=missing,
        kernel=capture.kernel_name,
        symbol=dispatch.kernel.name,
        dispatch_index=dispatch.kernel.dispatch_index,
        grid=dispatch.geometry.grid,
        workgroup=dispatch.geometry.workgroup,
        dynamic_lds_bytes=dispatch.segments.dynamic_group_size,
        gpu=dispatch.agent.product or dispatch.agent.name,
        isa=dispatch.agent.isa,
        partition=dispatch.agent.partition,
        in_app_ms=None if dispatch.time.in_app_ns is None else ms(dispatch.time.in_app_ns),
        regions=len(regions),
        bytes=sum(region.size for region in regions),
        stored_bytes=sum(stored_bytes(capture, region) for region in regions),
        changed_bytes=sum(region.changed_bytes for region in regions),
        folder_bytes=capture.bytes_on_disk,
        memory=_by_kind(capture, regions),
        verdict=_verdict(dispatch.verdict),
    )


def stored_bytes(capture: Capture, region: MemoryRegion) -> int:
    """On disk, in both of its files."""
    names = [name for name in (region.file, region.after) if name is not None]
    return sum(capture.manifest.files[name].bytes for name in names)


def _by_kind(capture: Capture, regions: Sequence[MemoryRegion]) -> tuple[MemoryOfKind, ...]:
    return tuple(
        MemoryOfKind(
            kind=kind,
            regions=len(of_kind),
            bytes=sum(region.size for region in of_kind),
            stored_bytes=sum(stored_bytes(capture, region) for region in of_kind),
            changed_bytes=sum(region.changed_bytes for region in of_kind),
        )
        for kind in _KINDS
        if (of_kind := [region for region in regions if region.kind == kind])
    )


def _verdict(verdict: Verdict) -> VerdictSummary:
    items = verdict.items
    return VerdictSummary(
        complete=verdict.complete,
        outcomes={outcome: sum(item.outcome == outcome for item in items) for outcome in _OUTCOMES},
        refused=tuple(item for item in items if item.outcome == "refused"),
        left_out=tuple(item for item in items if item.outcome == "left out"),
        notes=tuple(item for item in items if item.outcome in ("captured", "rebound") and item.reason),
    )
