"""What the product knows of a trace: agents, kernels and launches, summed where a trace can be long."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True)
class Agent:
    """A GPU as the trace describes it. None: the trace does not say."""

    index: int  # absolute index on its node
    name: str  # "gfx942"
    product_name: str
    cu_count: int | None = None
    xcd_count: int | None = None
    simd_per_cu: int | None = None
    wave_size: int | None = None
    max_waves_per_simd: int | None = None
    max_waves_per_cu: int | None = None
    lds_bytes: int | None = None  # per compute unit
    clock_mhz: float | None = None
    virtual: bool | None = None  # of vrocm; None where it cannot be told


class LaunchKey(NamedTuple):
    """What makes two launches alike, across passes and processes: no ids, no times."""

    kernel: str  # demangled name
    agent: int  # index of the agent
    grid: tuple[int, int, int]  # work-items
    workgroup: tuple[int, int, int]
    lds_bytes: int  # per workgroup, static and dynamic
    scratch_bytes: int  # per lane


@dataclass(frozen=True)
class KernelResources:
    """What the code object says of a kernel, as far as the trace carries it."""

    arch_vgprs: int | None
    accum_vgprs: int | None
    sgprs: int | None
    lds_static_bytes: int | None
    scratch_bytes: int | None  # per lane


@dataclass(frozen=True)
class Launches:
    """All launches of one trace with one key."""

    key: LaunchKey
    resources: KernelResources
    count: int
    total_ns: int
    min_ns: int
    max_ns: int
    median_ns: float | None  # None where it was not asked for
    counters: dict[str, float] = field(default_factory=dict)  # sums over launches and hardware instances
    counted: dict[str, int] = field(default_factory=dict)  # of how many launches each counter is the sum
    extrapolated: frozenset[str] = frozenset()  # counters that were estimated from a sample of workgroups
    idle_ns: int = 0  # in which their GPU ran nothing before them, see idle_gaps.py
    preceded: int = 0  # of how many launches that is the sum: the first on a GPU has nothing before it


@dataclass(frozen=True)
class Process:
    pid: int
    command: str | None
    hostname: str | None


@dataclass(frozen=True)
class Trace:
    """One execution of a program: the databases of all its processes together."""

    sources: tuple[str, ...]
    agents: tuple[Agent, ...]
    processes: tuple[Process, ...]
    launches: tuple[Launches, ...]
    begin_ns: int | None  # first dispatch
    end_ns: int | None  # last dispatch's end
    code_objects: tuple[str, ...] = ()  # URIs: where the kernels' code objects can be found
    warnings: tuple[str, ...] = ()

    @property
    def total_ns(self) -> int:
        """GPU time: the sum of end - start over all dispatches."""
        return sum(launches.total_ns for launches in self.launches)

    @property
    def dispatches(self) -> int:
        return sum(launches.count for launches in self.launches)
