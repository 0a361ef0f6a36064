"""What the loop needs done outside of itself: building, profiling, checking, comparing, timing.

The loop knows these only by what they promise. ``app_stages`` keeps the promises with the program itself;
tests, and other ways to time a variant, keep them differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument
from rocm_perf_lab.contracts.profiling.att import AttDocument
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.optimizing.building.built import BuiltProgram
from rocm_perf_lab.optimizing.transforms.request import LaunchEvidence


@dataclass(frozen=True)
class Program:
    """A built program and what its code objects say."""

    path: Path
    built: BuiltProgram


@dataclass(frozen=True)
class ProfileFindings:
    """What a profile found of a program."""

    profile: ProfileDocument
    analysis: AnalysisDocument | None
    att: AttDocument | None
    folder: Path | None = None


@dataclass(frozen=True)
class RunTimes:
    """Of one run of a program."""

    kernels_ms: Mapping[str, float]
    """By the names of the profile: sum over launches."""
    whole_ms: float
    """From the start of the first dispatch to the end of the last, with all that the host does between."""
    origin: Origin
    process_ms: float | None = None
    """From the process's start to its end, as the tracer saw it; None where it does not say."""


@dataclass(frozen=True)
class Equality:
    """What a comparison of results says, and how it was made."""

    statement: str
    details: Mapping[str, object]


@dataclass(frozen=True)
class Replays:
    """The time of a kernel by replays of its captured dispatches."""

    how: str
    """Which dispatches stand for the launches, and under which conditions."""
    origin: Origin
    sample: Callable[[Program], float]
    """Milliseconds of all launches of one run, from one process for each dispatch. Raises Refused:
    run-failed."""


class Stages(Protocol):
    def build(self, text: bytes, name: str) -> Program:
        """Builds twice and compares. Raises Refused: build-failed (with messages), build-timed-out,
        build-not-repeatable."""
        ...

    def profile(self, program: Program) -> ProfileFindings:
        """Authoritative times, labels and, where it can be had, traces of the kernel that matters."""
        ...

    def evidence(self, program: Program, kernel: KernelProfile) -> LaunchEvidence:
        """What launches show of a kernel that its source does not."""
        ...

    def check(self, baseline: Program, variant: Program) -> str:
        """What the checkers looked for. Raises Refused: defects-found, run-failed."""
        ...

    def compare(self, baseline: Program, variant: Program, kernel: KernelProfile) -> Equality:
        """Raises Refused: outputs-differ, equivalence-unproven, run-failed."""
        ...

    def time(self, program: Program) -> RunTimes:
        """One run. Raises Refused: run-failed."""
        ...

    def replays(self, baseline: Program, kernel: KernelProfile) -> Replays | str | None:
        """None: variants are timed in the application only; a text: why replays do not stand for it."""
        ...

    def traffic(self, program: Program, kernel: KernelProfile) -> float | None:
        """Bytes at the fabric of one run of the program; None where they are not counted."""
        ...
