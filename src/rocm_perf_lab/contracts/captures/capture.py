"""The documents of a capture (docs/reference/capture-format.md), as the tools library writes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT

FORMAT = "rocm-perf-capture"
VERSION = 1

Outcome = Literal["captured", "rebound", "left out", "refused"]
RegionKind = Literal["device", "host", "locked", "managed", "vmem", "globals"]

# Addresses and other 64-bit patterns: "0x7f0000000000".
Address = str


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A part of what was written while the program ran. A value that was not known is null."""

    __pydantic_config__ = STRICT

    missing: dict[str, str] = field(default_factory=dict)
    """For each field that is null because it was not known: why."""


@dataclass(frozen=True, kw_only=True)
class CapturedCodeObject(Recorded):
    file: str
    bytes: int
    xxh64: Address
    load_base: Address | None
    load_size: int | None
    load_delta: Address | int | None
    uri: str | None
    """Where the runtime had it from; null in a bundle that was exported."""


@dataclass(frozen=True, kw_only=True)
class CapturedKernel(Recorded):
    name: str
    """Mangled, without .kd."""
    demangled: str
    object: Address
    """Of the kernel's descriptor in memory."""
    dispatch_index: int
    """Which dispatch that matched, from 0."""
    code_object: CapturedCodeObject


@dataclass(frozen=True, kw_only=True)
class DispatchGeometry(Recorded):
    dimensions: int
    grid: tuple[int, int, int]
    """In work-items."""
    workgroup: tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class DispatchPacket(Recorded):
    """The AQL packet as the application gave it."""

    header: int
    setup: int
    private_segment_size: int
    group_segment_size: int
    kernarg_address: Address
    completion_signal: Address
    bytes: str
    """All 64 bytes as hexadecimal digits."""


@dataclass(frozen=True, kw_only=True)
class DispatchSegments(Recorded):
    kernarg_size: int
    static_group_size: int
    dynamic_group_size: int
    private_size: int
    uses_dynamic_stack: bool | None


@dataclass(frozen=True, kw_only=True)
class CapturedArgument(Recorded):
    index: int
    name: str | None
    offset: int
    size: int
    value_kind: str
    """Of the code object's metadata: by_value, global_buffer, hidden_…"""
    address_space: str | None
    access: str | None
    value: str | None
    """Its bytes as hexadecimal digits, in the order of memory."""
    region: Address | None
    """Base of the region that a pointer points into."""
    region_offset: int | None


@dataclass(frozen=True, kw_only=True)
class CapturedAgent(Recorded):
    index: int
    """Among the GPUs of the process."""
    name: str
    product: str | None
    isa: str
    uuid: str | None
    node: int | None
    compute_units: int | None
    wavefront_size: int | None
    xcc_count: int | None
    partition: str | None


@dataclass(frozen=True, kw_only=True)
class CapturedRuntime(Recorded):
    hsa_version: str | None
    build: str | None
    timestamp_frequency_hz: int | None


@dataclass(frozen=True, kw_only=True)
class DispatchTime(Recorded):
    in_app_ns: float | None
    """GPU time of the execution that was captured."""
    start_tick: int | None
    end_tick: int | None


@dataclass(frozen=True, kw_only=True)
class CapturedProcess(Recorded):
    pid: int | None
    executable: str | None
    """Its file name."""
    queue_count: int | None
    drained_queues: int | None
    held_queues: int | None
    waited_ns: int | None
    """Until queues and copies had come to rest."""
    before_ns: int | None = None
    """That the snapshot before the kernel took."""
    after_ns: int | None = None
    """That the snapshot after it took."""


@dataclass(frozen=True, kw_only=True)
class VerdictItem(Recorded):
    """One thing that the kernel may need, and what became of it."""

    what: str
    name: str | None
    outcome: Outcome
    reason: str | None
    address: Address | None
    bytes: int | None


@dataclass(frozen=True, kw_only=True)
class Verdict(Recorded):
    complete: bool
    """Nothing was refused: the capture can be replayed."""
    items: tuple[VerdictItem, ...]


@dataclass(frozen=True, kw_only=True)
class Writer(Recorded):
    name: str
    version: str


@dataclass(frozen=True, kw_only=True)
class DispatchDocument(Recorded):
    """dispatch.json"""

    format: Literal["rocm-perf-capture"]
    version: Literal[1]
    tool: Writer
    kernel: CapturedKernel
    geometry: DispatchGeometry
    packet: DispatchPacket
    segments: DispatchSegments
    arguments: tuple[CapturedArgument, ...]
    agent: CapturedAgent
    runtime: CapturedRuntime
    time: DispatchTime
    process: CapturedProcess
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class MemoryRegion(Recorded):
    base: Address
    size: int
    """As it was asked for."""
    kind: RegionKind
    file: str | None
    """Null where another mapping of the same handle has the contents."""
    after: str | None
    """Null where the kernel changed nothing."""
    stored_bytes: int
    changed_pages: int
    changed_bytes: int
    pool: str | None
    agent: int | None
    """The GPU that the memory lies on; null: the host."""
    access: str | None
    handle: int | str | None
    handle_offset: int | None


@dataclass(frozen=True, kw_only=True)
class Reservation(Recorded):
    base: Address
    size: int


@dataclass(frozen=True, kw_only=True)
class PhysicalHandle(Recorded):
    id: int | str
    size: int
    agent: int | None
    pool: str | None
    pinned: bool | None


@dataclass(frozen=True, kw_only=True)
class MemoryRegionsDocument(Recorded):
    """memory_regions.json"""

    format: Literal["rocm-perf-capture"]
    version: Literal[1]
    page_size: Literal[4096]
    regions: tuple[MemoryRegion, ...]
    """In the order of addresses."""
    reservations: tuple[Reservation, ...]
    handles: tuple[PhysicalHandle, ...]


@dataclass(frozen=True, kw_only=True)
class ManifestFile(Recorded):
    bytes: int
    xxh64: Address
    """Of the whole file; of a region file, of header and index."""


@dataclass(frozen=True, kw_only=True)
class ManifestDocument(Recorded):
    """manifest.json"""

    format: Literal["rocm-perf-capture"]
    version: Literal[1]
    files: dict[str, ManifestFile]
