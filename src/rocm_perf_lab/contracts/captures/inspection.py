"""What ``capture --json`` and ``replay inspect --json`` say of a capture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.captures.capture import Outcome, RegionKind, VerdictItem
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.contracts.section import STRICT, Section

TypeSource = Literal["metadata", "signature", "debug information"]


@dataclass(frozen=True, kw_only=True)
class MemoryOfKind:
    """The regions of one kind together."""

    __pydantic_config__ = STRICT

    kind: RegionKind
    regions: int
    bytes: int
    """As they were asked for."""
    stored_bytes: int
    """On disk, of the state before the kernel and of the pages it changed."""
    changed_bytes: int
    """By the kernel."""


@dataclass(frozen=True, kw_only=True)
class VerdictSummary:
    __pydantic_config__ = STRICT

    complete: bool
    outcomes: dict[Outcome, int]
    """How many things had which outcome."""
    refused: tuple[VerdictItem, ...]
    left_out: tuple[VerdictItem, ...]
    notes: tuple[VerdictItem, ...]
    """Things that were captured or rebound with a remark."""


@dataclass(frozen=True, kw_only=True)
class CaptureSummary(Section):
    """One captured dispatch in short."""

    kernel: str
    """Demangled."""
    symbol: str
    dispatch_index: int
    """Which dispatch that matched, from 0."""
    grid: tuple[int, int, int]
    """In work-items."""
    workgroup: tuple[int, int, int]
    dynamic_lds_bytes: int
    gpu: str
    isa: str
    partition: str | None
    in_app_ms: float | None
    """GPU time of the execution that was captured."""
    regions: int
    bytes: int
    stored_bytes: int
    changed_bytes: int
    folder_bytes: int
    """All files of the capture."""
    memory: tuple[MemoryOfKind, ...]
    verdict: VerdictSummary


@dataclass(frozen=True, kw_only=True)
class CapturedRun(Section):
    """The run of the program in which the capture was made."""

    command: tuple[str, ...]
    exit_code: int
    """Negative: the signal that ended it."""
    stopped: bool
    """It was ended right after the capture, as asked."""
    wall_s: float
    dispatches: int | None
    """That it made, as far as it ran; likewise matching_dispatches."""
    matching_dispatches: int | None


@dataclass(frozen=True, kw_only=True)
class CaptureDocument(Section):
    """``capture --json``"""

    schema_version: Literal["1.0"] = "1.0"
    folder: str
    capture: CaptureSummary
    run: CapturedRun
    warnings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ChangedRange:
    """Bytes that the kernel changed; equal bytes between them may be included, up to a page."""

    __pydantic_config__ = STRICT

    offset: int
    """From the beginning of the buffer or region."""
    bytes: int


@dataclass(frozen=True, kw_only=True)
class Changes:
    __pydantic_config__ = STRICT

    bytes: int
    """That differ between before and after."""
    ranges: tuple[ChangedRange, ...]
    """The first of them."""
    ranges_in_all: int


@dataclass(frozen=True, kw_only=True)
class PointedBuffer(Section):
    """The memory that a pointer argument leads to."""

    address: str
    region: str
    """Base of the region."""
    kind: RegionKind
    offset: int
    """In the region."""
    bytes: int
    """To the next argument's pointer into this region, or to its end."""
    elements: int | None
    """Whole elements of the pointer's type that fit."""
    changes: Changes | None


@dataclass(frozen=True, kw_only=True)
class InspectedArgument(Section):
    index: int
    name: str | None
    type: str | None
    """As in the source."""
    type_source: TypeSource | None
    element_type: str | None
    """What a pointer points to."""
    element_bytes: int | None
    hidden: bool
    value_kind: str
    access: str | None
    offset: int
    size: int
    bytes: str | None
    """Hexadecimal digits, in the order of memory."""
    value: str | None
    """For people: 42, 1.5f, {n = 3, scale = 0.5f}, 0x7f…"""
    buffer: PointedBuffer | None


@dataclass(frozen=True, kw_only=True)
class InspectedRegion(Section):
    base: str
    bytes: int
    kind: RegionKind
    pool: str | None
    agent: int | None
    stored_bytes: int
    changes: Changes | None
    arguments: tuple[int, ...]
    """Those that point into it, by index."""


@dataclass(frozen=True, kw_only=True)
class InspectionDocument(Section):
    """``replay inspect --json``"""

    schema_version: Literal["1.0"] = "1.0"
    folder: str
    format_version: int
    capture: CaptureSummary
    verified: bool
    """Every byte of memory was read and its checksum is right."""
    arguments: tuple[InspectedArgument, ...]
    regions: tuple[InspectedRegion, ...]
    reservations: int
    verdict: tuple[VerdictItem, ...]
    resources: Resources | None
    occupancy: Occupancy | None
    warnings: tuple[str, ...]
