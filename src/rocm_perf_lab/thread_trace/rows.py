"""What a thread trace holds: lines of code, waves with their instructions, lives of waves, samples."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

# thread-trace: waves instruction by instruction; pc-sampling: samples of program counters;
# statistics: nothing but the totals of stats_*.csv.
Kind = Literal["thread-trace", "pc-sampling", "statistics"]


class Category(IntEnum):
    """How hardware classes an instruction that it traced."""

    NONE = 0
    SMEM = 1
    SALU = 2
    VMEM = 3
    FLAT = 4
    LDS = 5
    VALU = 6
    JUMP = 7  # a branch that is taken
    NEXT = 8  # a branch that is not taken
    IMMED = 9
    CONTEXT = 10
    MESSAGE = 11
    BVH = 12


class State(IntEnum):
    """What a wave does, in its timeline."""

    EMPTY = 0
    IDLE = 1
    EXEC = 2
    WAIT = 3
    STALL = 4


# Why a sampled wave did not issue: the order of Stall_Reasons in code.json.
SAMPLE_REASONS = (
    "none",
    "no instruction",
    "ALU dependency",
    "waitcnt",
    "internal",
    "barrier",
    "arbiter not won",
    "arbiter won, execution stalled",
    "other wait",
    "sleep",
)


@dataclass(frozen=True)
class Samples:
    """Of one line, by PC sampling."""

    issued: int
    stalled: int
    reasons: tuple[int, ...]  # in the order of SAMPLE_REASONS


@dataclass(frozen=True)
class CodeLine:
    """A row of code.json. Hits and cycles are totals over all traced waves; latency includes stall."""

    number: int  # by which waves refer to it
    text: str
    source: str  # path:line, innermost first where code was inlined; of a label: the demangled name
    code_object: int
    address: int
    hits: int
    latency: int
    stall: int
    idle: int
    samples: Samples | None = None

    @property
    def is_label(self) -> bool:
        return self.text.startswith("; ")


@dataclass(frozen=True)
class WaveFile:
    """A wave that filenames.json lists."""

    name: str
    engine: int
    simd: int
    slot: int
    number: int
    begin: int
    end: int


@dataclass(frozen=True)
class Wave:
    """What one wave did."""

    file: WaveFile
    cu: int
    begin: int
    end: int
    duration: int  # as the file says
    count: int  # of instructions, as the file says
    time: Integers  # first attempt of each instruction
    category: Integers
    stall: Integers
    cycles: Integers  # duration: includes stall
    line: Integers
    timeline: Integers  # two columns: state, cycles
    waits: tuple[tuple[int, tuple[int, ...]], ...]  # line of a wait, lines that it waits for


@dataclass(frozen=True)
class Lives:
    """Waves that come and go on one shader engine: columns of occupancy.json."""

    engine: int
    time: Integers
    cu: Integers
    simd: Integers
    slot: Integers
    starts: Integers
    kernel: Integers


@dataclass(frozen=True)
class Manifest:
    """filenames.json."""

    version: str | None
    gfxip: int | None
    family: str | None  # vega, navi
    counters: tuple[str, ...]
    waves: tuple[WaveFile, ...]
    thread_trace: bool
    pc_sampling: bool


@dataclass(frozen=True)
class StateCounts:
    """wstates*.json: how many traced waves are in a state, from each time on."""

    state: State
    time: Integers
    waves: Integers


@dataclass(frozen=True)
class ThreadTrace:
    """A folder without its waves, which are read one at a time (folder.read_waves)."""

    path: Path
    kind: Kind
    manifest: Manifest
    code: tuple[CodeLine, ...]
    lives: tuple[Lives, ...] = ()
    kernels: dict[int, str] = field(default_factory=dict)  # symbols by the ids in lives
    counter_sums: dict[str, float] = field(default_factory=dict)  # of counters sampled over time
    states: tuple[StateCounts, ...] = ()
    statistics: tuple[CodeLine, ...] | None = None  # of stats_*.csv beside it; None: there is none
    sources: dict[str, Path] = field(default_factory=dict)  # path in the program -> copy in the folder
    simulated: bool | None = None  # by the virtual GPU; None where it cannot be told
    agent: int | None = None
    dispatch: int | None = None

    @property
    def is_gfx9(self) -> bool:
        """Durations there are stall and issue; later ones are stall and execution."""
        if self.manifest.gfxip is not None:
            return self.manifest.gfxip < 10
        return self.manifest.family != "navi"
