"""att.json: what thread traces (ATT) of dispatches say, instruction by instruction.

Every number of cycles is in shader clocks, and its name says of what it is: ``…_total`` is a sum over all
traced waves, ``…_per_execution`` that sum by the number of executions. Latency includes stall: the two are
never added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Section

InstructionClass = Literal[
    "VALU",
    "MFMA",
    "SALU",
    "SMEM",
    "VMEM",
    "FLAT",
    "LDS",
    "branch",
    "wait",
    "barrier",
    "message",
    "other",
]


@dataclass(frozen=True, kw_only=True)
class AttInstruction:
    """A line of the ISA listing. Figures per execution are null where it was never executed."""

    __pydantic_config__ = STRICT

    line: int
    text: str
    instruction_class: InstructionClass
    function: str | None
    """Demangled; null where the trace does not name it."""
    source: str | None
    """path:line, of inlined code the innermost; null where the program has no line information."""
    code_object: int
    address: int
    executions: int
    latency_cycles_total: int
    """From the first attempt until it is issued (gfx9) or executed (gfx10 and later); includes stall."""
    of_which_stall_cycles_total: int
    idle_before_cycles_total: int
    """In which the wave had nothing to issue before this instruction; not part of latency."""
    latency_cycles_per_execution: float | None
    of_which_stall_cycles_per_execution: float | None
    idle_before_cycles_per_execution: float | None
    stall_cycles_caused_total: int
    """Its stall, without what waits for others, and with what others wait for it."""
    cost_cycles_total: int
    """latency - stall + idle before + stall caused: what it costs the waves."""
    cost_share: float
    """Of the cost of all instructions, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class AttSourceLine:
    """The instructions of one source line together."""

    __pydantic_config__ = STRICT

    source: str
    """path:line."""
    text: str | None
    """The line itself; null where the folder has no copy of the file."""
    instructions: int
    """Lines of the listing that come from it."""
    executions: int
    """Of all of them together."""
    latency_cycles_total: int
    of_which_stall_cycles_total: int
    idle_before_cycles_total: int
    stall_cycles_caused_total: int
    cost_cycles_total: int
    cost_share: float


@dataclass(frozen=True, kw_only=True)
class AttClass:
    """The executed instructions of one hardware class."""

    __pydantic_config__ = STRICT

    instruction_class: InstructionClass
    executions: int
    share_of_executions: float
    latency_cycles_total: int
    of_which_stall_cycles_total: int
    idle_before_cycles_total: int
    latency_cycles_per_execution: float
    of_which_stall_cycles_per_execution: float
    stall_cycles_caused_total: int
    cost_share: float


@dataclass(frozen=True, kw_only=True)
class AttMemoryOperation:
    """A load, store or message that waits name as what they wait for."""

    __pydantic_config__ = STRICT

    line: int
    text: str
    instruction_class: InstructionClass
    source: str | None
    executions: int
    waited_for: int
    """How often a wait names it; two waits may name the same flat operation, one for each counter."""
    stalled_for: int
    """Of those: the wait was not over at once, so that its end tells when the operation was done."""
    issue_to_wait_end_cycles_mean: float
    """From its issue until the wait that needs it is over: its latency if the wait stalled, else a bound."""
    issue_to_wait_end_cycles_min: int
    issue_to_wait_end_cycles_max: int
    stalled_latency_cycles_mean: float | None
    """The same over those that were stalled for; null where none was."""
    wait_stall_cycles_total: int
    """Stall of waits that is charged to it; a wait for several is shared out evenly."""
    wait_stall_cycles_per_execution: float


@dataclass(frozen=True, kw_only=True)
class AttStates:
    """What the traced waves did while they lived, from their timelines."""

    __pydantic_config__ = STRICT

    wave_cycles_total: int
    """Sum of the timelines."""
    idle_cycles_total: int
    executing_cycles_total: int
    waiting_cycles_total: int
    """At s_waitcnt and barriers."""
    stalled_cycles_total: int
    empty_cycles_total: int
    idle_share: float
    executing_share: float
    waiting_share: float
    stalled_share: float
    empty_share: float


@dataclass(frozen=True, kw_only=True)
class AttOverTime:
    """Means over equal parts of the traced time."""

    __pydantic_config__ = STRICT

    begin_cycles: int
    part_cycles: float
    resident_waves: tuple[float, ...]
    """On the traced SIMDs."""
    executing_waves: tuple[float, ...]
    waiting_waves: tuple[float, ...]
    stalled_waves: tuple[float, ...]
    idle_waves: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class AttOccupancy(Section):
    """Waves of the kernel on the traced SIMDs."""

    simds: int
    """Traced SIMDs that had waves."""
    busy_cycles_total: int
    """Clocks with at least one wave, summed over the SIMDs."""
    waves_per_simd_mean: float
    """Over the busy clocks."""
    waves_per_simd_peak: int
    wave_slots_per_simd: int | None
    share_of_slots: float | None
    """waves_per_simd_mean / wave_slots_per_simd."""
    waves_on_engines: int | None
    """Waves of this kernel that came to the traced shader engines, on any unit."""
    waves_of_other_kernels: int | None
    """Likewise, of kernels that ran before or beside it."""
    units_with_waves: tuple[int, ...] | None
    """Compute units of the traced engines to which waves of the kernel came."""


@dataclass(frozen=True, kw_only=True)
class AttIssue:
    """How well the traced SIMDs are kept busy."""

    __pydantic_config__ = STRICT

    instructions_issued: int
    issuing_share: float
    """Of the SIMDs' busy clocks: those in which at least one wave executes."""
    instructions_per_cycle_of_a_simd: float
    """Instructions / busy clocks of SIMDs."""
    instructions_per_cycle_of_a_unit: float
    """Instructions of the traced SIMDs / busy clocks of compute units."""
    instructions_per_wave_cycle: float
    """Instructions / sum of the waves' durations."""
    issue_slots_used: dict[str, float]
    """By class: executions · clocks between issues / busy clocks of SIMDs."""
    cycles_between_issues: int
    """A wave of a SIMD issues every 4 clocks on gfx9, every clock on gfx10 and later."""


@dataclass(frozen=True, kw_only=True)
class AttDivergence(Section):
    active_lanes_mean: float | None
    """Of a vector instruction: SQ_THREAD_CYCLES_VALU / SQ_ACTIVE_INST_VALU."""
    branches: int | None
    """Executed ones; likewise the next three."""
    branches_taken: int | None
    exec_branches: int | None
    """Branches over code that no lane wants (s_cbranch_execz, s_cbranch_execnz)."""
    exec_branches_taken: int | None


@dataclass(frozen=True, kw_only=True)
class AttSamples:
    """PC sampling: where the program counters of waves were found."""

    __pydantic_config__ = STRICT

    issued: int
    stalled: int
    stall_reasons: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class AttSampledLine:
    __pydantic_config__ = STRICT

    line: int
    text: str
    instruction_class: InstructionClass
    source: str | None
    samples_issued: int
    samples_stalled: int
    share_of_samples: float
    stall_reasons: dict[str, int]
    """Those that occurred."""


@dataclass(frozen=True, kw_only=True)
class AttCheck:
    """Whether the files of a folder agree with each other."""

    __pydantic_config__ = STRICT

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True, kw_only=True)
class AttAnalysis(Section):
    """One traced dispatch. Says nothing of how long the kernel takes: tracing changes that."""

    folder: str
    """As it was given; in a run folder relative to that."""
    kind: Literal["thread-trace", "pc-sampling", "statistics"]
    agent: int | None
    dispatch: int | None
    kernel: str | None
    """Demangled."""
    grid: tuple[int, int, int] | None
    """In work-items; known where the trace was made by rocm-perf profile --deep-analysis."""
    block: tuple[int, int, int] | None
    format_version: str | None
    gfx_generation: int | None
    """9, 10, 11, 12: what gfx9xx, gfx10xx, … begin with."""
    waves: int
    """Traced ones."""
    waves_cut: int = 0
    """Of those: the trace ended before they did (the buffer was full, or enough had been seen)."""
    begin_cycles: int | None
    """Of the first traced wave."""
    end_cycles: int | None
    """Of the last one."""
    states: AttStates | None
    over_time: AttOverTime | None
    occupancy: AttOccupancy | None
    issue: AttIssue | None
    divergence: AttDivergence | None
    mix: tuple[AttClass, ...]
    """By executions, most first."""
    instructions: tuple[AttInstruction, ...]
    """The listing, in order."""
    source_lines: tuple[AttSourceLine, ...]
    """By cost, highest first; instructions without a source are not among them."""
    cost_share_without_source: float
    """Of those: compilers merge instructions of several lines, and make some that belong to none."""
    memory: tuple[AttMemoryOperation, ...]
    """By the stall that is charged to them, highest first."""
    samples: AttSamples | None
    sampled_lines: tuple[AttSampledLine, ...]
    """By samples, most first."""
    checks: tuple[AttCheck, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class AttDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    dispatches: tuple[AttAnalysis, ...]
    warnings: tuple[str, ...]
