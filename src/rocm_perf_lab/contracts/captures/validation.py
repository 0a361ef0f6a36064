"""Documents of ``rocm-perf replay validate``, ``minimise`` and ``build``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.captures.replay import Canaries, Fidelity
from rocm_perf_lab.contracts.profiling.comparison import TimeComparison
from rocm_perf_lab.contracts.section import STRICT, Section

Determinism = Literal["deterministic", "order-dependent", "racy"]
Verdict = Literal["passed", "failed", "void"]
"""void: nothing differs, and nothing is proved by that."""


@dataclass(frozen=True, kw_only=True)
class ElementDifference:
    __pydantic_config__ = STRICT

    index: int
    """Of the element, counted from where the argument points."""
    field: str
    """What of the element, ``.x``; empty for a plain number."""
    address: str
    expected: str
    got: str


@dataclass(frozen=True, kw_only=True)
class AllowedError:
    __pydantic_config__ = STRICT

    source: Literal["exact", "learned", "explicit"]
    """exact: byte for byte; learned: from how runs of the original differ; explicit: --rtol, --atol,
    --tolerance."""
    rtol: float
    atol: float


@dataclass(frozen=True, kw_only=True)
class BufferReport(Section):
    """What one buffer holds after the kernel, against the capture, over all runs of one kind."""

    name: str
    """The argument that points at it, or its region."""
    type: str
    """Of an element."""
    region: str
    """Base address of its memory region."""
    address: str
    bytes: int
    elements: int
    tolerance: AllowedError
    differing_bytes: int
    """Of the worst run, as the figures below."""
    differing_elements: int
    beyond_tolerance: int
    """Elements."""
    nan_changes: int
    """Values that are NaN on one side only."""
    max_abs_error: float | None
    max_rel_error: float | None
    first: ElementDifference | None
    """The first element beyond the tolerance."""
    passed: bool


@dataclass(frozen=True, kw_only=True)
class SelfReplay(Section):
    """The original kernel, replayed in fresh processes from the state before it."""

    runs: int
    byte_equal: int
    """Runs after which all memory is as it was after the kernel in the program."""
    exact_addresses: int
    """Runs in which every region and the kernarg lay at its address."""
    label: Determinism
    label_reason: str
    orders: str
    """How the order of workgroups was varied between the runs."""
    buffers: tuple[BufferReport, ...]
    """Those that differ in any run."""
    passed: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class Poison(Section):
    """Bytes that the kernel only writes, filled with a pattern before each further run."""

    method: Literal["access set", "trial", "none"]
    """access set: what the virtual GPU saw; trial: buffers were poisoned one at a time, with two seeds."""
    bytes: int
    ranges: int
    seed: int
    trials: int
    """Processes that were run to find and confirm them."""
    confirmed: bool
    """With all of them poisoned, the original still gives what the capture has."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class NegativeControl:
    """A kernel that does nothing, in the place of the original: it has to be found out."""

    __pydantic_config__ = STRICT

    found_out: bool
    changed_bytes: int
    """By the kernel, in the capture."""
    poisoned_bytes: int
    differing_bytes: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class VariantReport(Section):
    hsaco: str
    runs: int
    byte_equal: int
    buffers: tuple[BufferReport, ...]
    """Those that differ in any run."""
    passed: bool
    reason: str
    fidelity: Fidelity | None
    time: TimeComparison | None
    """Of the original and the variant; null where replays may not rank them, or no time was taken."""


@dataclass(frozen=True, kw_only=True)
class ValidationDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    capture: str
    kernel: str
    """Demangled."""
    gpu: str | None
    verdict: Verdict
    reason: str
    self_replay: SelfReplay
    poison: Poison
    negative_control: NegativeControl
    canaries: Canaries | None
    variant: VariantReport | None
    """With --hsaco."""
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CaptureSize:
    __pydantic_config__ = STRICT

    folder: str
    regions: int
    region_bytes: int
    """Of address space."""
    pages: int
    """Held, before and after."""
    bytes_on_disk: int


@dataclass(frozen=True, kw_only=True)
class MinimisationDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    before: CaptureSize
    after: CaptureSize
    read_bytes: int
    """By the kernel, from memory; likewise written_bytes."""
    written_bytes: int
    validation: ValidationDocument
    """Of the minimised capture."""


@dataclass(frozen=True, kw_only=True)
class BuildDocument(Section):
    """A variant made from edited source."""

    schema_version: Literal["1.0"] = "1.0"
    capture: str
    source: str
    command: tuple[str, ...]
    built: str
    """Name of the file that the build made."""
    target: str
    """What the code object is for: gfx942:sramecc+:xnack-."""
    kernel: str
    hsaco: str
    """Where the code object lies now."""
    identical: bool
    """The kernel's code object is that of the capture, byte for byte."""
    validation: ValidationDocument | None
    """Null with --no-replay."""
