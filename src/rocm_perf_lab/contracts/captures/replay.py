"""Documents of ``rocm-perf replay reserve-check`` and ``replay full-vm``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class ReservedRange:
    """One range of addresses of the capture, and what came of the wish for it."""

    __pydantic_config__ = STRICT

    base: str
    size: int
    outcome: Literal["exact", "relocated", "failed"]
    got: str | None
    """Where it came to lie; null where it was refused."""
    reason: str | None
    """Why not; null where it is exact."""


@dataclass(frozen=True, kw_only=True)
class ReserveCheckDocument:
    __pydantic_config__ = STRICT

    schema_version: Literal["1.0"] = "1.0"
    capture: str
    outcome: Literal["exact", "relocated", "failed"]
    """The exit code is 0, 2 or 1."""
    ranges: tuple[ReservedRange, ...]
    bytes: int
    """Of all ranges."""
    reason: str | None
    """What went wrong where no range can say it: no runtime, no GPU, a capture that cannot be read."""


@dataclass(frozen=True, kw_only=True)
class ReplayedKernel:
    __pydantic_config__ = STRICT

    name: str
    """Mangled."""
    demangled: str
    hsaco_path: str
    """The code object that ran: of the capture, or of --hsaco."""
    variant: bool
    """--hsaco was given."""


@dataclass(frozen=True, kw_only=True)
class Execution:
    __pydantic_config__ = STRICT

    iterations: int
    mode: Literal["stateless", "stateful"]
    """stateless: memory is as captured before every iteration; stateful (--no-recopy): before the first."""
    recopy: bool
    warmup: int
    cold: bool
    """Caches were flushed before every iteration."""


@dataclass(frozen=True, kw_only=True)
class Timing(Section):
    """GPU time of the iterations, by the GPU's timestamps."""

    unit: Literal["microseconds"] = "microseconds"
    average: float
    min: float
    max: float
    median: float
    spread: float
    """Sample standard deviation; 0 of one iteration."""
    values: tuple[float, ...] | None
    """Of every iteration, with --raw."""


@dataclass(frozen=True, kw_only=True)
class ReplayEnvironment:
    __pydantic_config__ = STRICT

    gpu_agent: str
    """For example gfx942."""
    product: str | None
    """For example AMD Instinct MI300X."""
    gpu_index: int
    """Among the GPUs of the replaying process."""
    rocm_version: str | None
    pid: int
    """Of the replaying process."""


@dataclass(frozen=True, kw_only=True)
class Restore(Section):
    """What it cost to put memory into the captured state."""

    full_seconds: float | None
    iteration_seconds: float | None
    """Mean over the iterations."""
    dirty_pages: int | None
    """Pages of 4 KiB that are restored before an iteration."""


Condition = Literal["warm caches", "cold caches", "first execution"]
"""What iterations found in the caches: what the one before left; nothing, after a flush (--cold); nothing, as
the first execution in a fresh process."""


@dataclass(frozen=True, kw_only=True)
class Fidelity(Section):
    """The time of replays of the original kernel against its time in the program."""

    condition: Condition
    in_app_us: float | None
    replay_median_us: float
    gap: float | None
    """replay / in-app - 1."""
    noise: float | None
    """Half the 95 % prediction interval of one execution, as a share of the median replay."""
    faithful: bool
    """The gap is within noise (or small): variants may be ranked by their replays."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """Whether everything lies where it lay in the program."""

    __pydantic_config__ = STRICT

    regions: int
    exact: int
    kernarg_exact: bool
    code_exact: bool
    """False: the code object was loaded elsewhere, and nothing in the capture points into it."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Memory after one iteration against memory after the kernel in the program."""

    __pydantic_config__ = STRICT

    iteration: int
    differing_pages: int
    differing_bytes: int


@dataclass(frozen=True, kw_only=True)
class Canaries:
    """Bytes behind the end of regions that nothing may touch."""

    __pydantic_config__ = STRICT

    checked_bytes: int
    damaged: tuple[str, ...]
    """What was written to, in words."""


@dataclass(frozen=True, kw_only=True)
class ReplayDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    capture: str
    kernel: ReplayedKernel
    execution: Execution
    timing: Timing
    environment: ReplayEnvironment
    wall_seconds: float
    """Of the whole process that replayed."""
    restore: Restore
    fidelity: Fidelity | None
    addresses: Addresses
    agreement: tuple[Agreement, ...]
    """Of the iterations that were looked at."""
    canaries: Canaries | None
    notes: tuple[str, ...]
