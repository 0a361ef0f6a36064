"""One process's trace as all output formats see it: names resolved, ids assigned, in order of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .identity import Node


@dataclass(frozen=True)
class TracedAgent:
    handle: int
    is_gpu: bool
    index: int  # among all agents
    type_index: int  # among agents of its type
    name: str
    model: str
    vendor: str
    product: str
    uuid: str
    properties: dict[str, int]


@dataclass(frozen=True)
class CodeObject:
    id: int
    agent: int  # index
    uri: str
    load_base: int
    load_size: int
    load_delta: int
    in_memory: bool


@dataclass(frozen=True)
class TracedKernel:
    id: int
    code_object: int
    symbol: str  # "name.kd"
    display_name: str  # as the naming options ask
    demangled_name: str
    truncated_name: str
    kernel_object: int
    kernarg_size: int
    kernarg_alignment: int
    group_segment: int
    private_segment: int
    sgprs: int
    arch_vgprs: int
    accum_vgprs: int
    entry_offset: int

    def columns(self) -> dict[str, Any]:
        """Under the names that formats have for them."""
        return {
            "code_object_id": self.code_object,
            "kernel_name": self.symbol,
            "kernel_object": self.kernel_object,
            "kernarg_segment_size": self.kernarg_size,
            "kernarg_segment_alignment": self.kernarg_alignment,
            "group_segment_size": self.group_segment,
            "private_segment_size": self.private_segment,
            "sgpr_count": self.sgprs,
            "arch_vgpr_count": self.arch_vgprs,
            "accum_vgpr_count": self.accum_vgprs,
        }

    def names(self) -> dict[str, str]:
        return {
            "formatted_kernel_name": self.display_name,
            "demangled_kernel_name": self.demangled_name,
            "truncated_kernel_name": self.truncated_name,
        }


@dataclass(frozen=True)
class TracedArgument:
    position: int
    type: str
    name: str
    value: str


@dataclass(frozen=True)
class Region:
    """A host API call, or a marker."""

    id: int  # stack id
    parent: int
    kind: str  # HIP_RUNTIME_API_EXT, MARKER_CORE_RANGE_API, …
    name: str
    message: str  # of a marker
    tid: int
    start: int
    end: int
    arguments: tuple[TracedArgument, ...] = ()


@dataclass(frozen=True)
class TracedDispatch:
    id: int
    stack_id: int  # of the call that launched it
    tid: int
    agent: int
    kernel: int
    queue: int
    stream: int
    start: int
    end: int
    workgroup: tuple[int, int, int]
    grid: tuple[int, int, int]
    group_segment: int
    private_segment: int
    region: str = ""  # the enclosing roctx range, when kernels are renamed


@dataclass(frozen=True)
class Copy:
    stack_id: int
    tid: int
    start: int
    end: int
    operation: str
    from_agent: int
    source: int
    to_agent: int
    target: int
    size: int
    stream: int


@dataclass(frozen=True)
class Allocation:
    stack_id: int
    parent: int
    tid: int
    start: int
    end: int
    operation: str
    agent: int | None
    address: int
    size: int


@dataclass(frozen=True)
class Scratch:
    tid: int
    start: int
    end: int
    operation: str
    agent: int
    queue: int
    size: int


@dataclass(frozen=True)
class TracedCounterValue:
    dispatch: int
    name: str
    instance: int
    value: float
    extrapolated: bool = False  # from a part of the dispatch


@dataclass
class ProcessTrace:
    node: Node
    pid: int
    parent_pid: int
    start: int
    end: int
    ended_in_order: bool
    command: tuple[str, ...]
    threads: dict[int, str] = field(default_factory=dict)  # id -> name, or ""
    agents: list[TracedAgent] = field(default_factory=list)
    code_objects: list[CodeObject] = field(default_factory=list)
    kernels: list[TracedKernel] = field(default_factory=list)
    queues: list[tuple[int, str]] = field(default_factory=list)
    streams: list[tuple[int, str]] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    dispatches: list[TracedDispatch] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    allocations: list[Allocation] = field(default_factory=list)
    scratch: list[Scratch] = field(default_factory=list)
    counters: list[TracedCounterValue] = field(default_factory=list)
    collected: frozenset[int] = frozenset()  # dispatches in a collection period, listed or not

    def kernel(self, number: int) -> TracedKernel:
        return self._kernels_by_id()[number]

    def _kernels_by_id(self) -> dict[int, TracedKernel]:
        cached = getattr(self, "_kernel_index", None)
        if cached is None:
            cached = {kernel.id: kernel for kernel in self.kernels}
            self._kernel_index = cached
        return cached
