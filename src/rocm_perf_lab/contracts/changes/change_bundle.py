"""bundle.json of an accepted change: what is claimed of it, with what it was found, and every file's hash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from rocm_perf_lab.contracts.captures.bundle import BundledFile
from rocm_perf_lab.contracts.changes.optimization import TimeChange
from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.contracts.section import STRICT, Section

CHANGE_FORMAT: Final = "rocm-perf-change-bundle"
CHANGE_VERSION: Final = 1


@dataclass(frozen=True, kw_only=True)
class BundledSide(Section):
    """The kernel before the change, or after it."""

    source: str
    """File of the bundle."""
    code_object: str
    """File of the bundle: the code object that has the kernel."""
    code_digest: str
    """Of the instructions and data of all code objects of the program."""
    resources: Resources
    counters: dict[str, float]
    """Sums over the kernel's launches in one run; empty where the device counts nothing."""
    traffic_bytes: float | None
    """At the fabric, in one run."""


@dataclass(frozen=True, kw_only=True)
class BundledDispatch(Section):
    """A dispatch of the kernel by which results were compared."""

    dispatch: int
    """Which of the kernel's dispatches, from 0."""
    proof: str
    """File of the bundle: the validation, with self-replay, poison, negative control and numerics."""
    other_states: tuple[str, ...]
    """Inputs, arguments and grids other than the captured ones with which the variant did as the original."""
    capture: str | None
    """File of the bundle, as ``replay export`` writes it; null where it is too large."""
    capture_bytes: int
    capture_sha256: str


@dataclass(frozen=True, kw_only=True)
class BundleEnvironment:
    """With what it was found; without names of machines and users, and without paths."""

    __pydantic_config__ = STRICT

    gpu: str | None
    architecture: str | None
    system: str
    tools: dict[str, str]
    variables: dict[str, str]
    """Those that steer GPU runtimes."""


@dataclass(frozen=True, kw_only=True)
class ChangeBundleDocument(Section):
    format: Literal["rocm-perf-change-bundle"]
    version: Literal[1]
    source: str
    """Name of the user's file."""
    kernel: str
    """As the profile names it."""
    proposal: Proposal
    build: str
    """With {source} and {output}."""
    arguments: tuple[str, ...]
    """Of the program."""
    improvement: float
    """Share of the kernel's time that a change had to save."""
    before: BundledSide
    after: BundledSide
    diff: str
    """File of the bundle."""
    includes: tuple[str, ...]
    """Files of the bundle that the source includes by quotes; they lie as beside the source."""
    includes_left_out: tuple[str, ...]
    """Names of those that lie elsewhere; the build has to find them."""
    dispatches: tuple[BundledDispatch, ...]
    results: str
    """What the comparison of results said."""
    checkers: str
    """What the checkers said."""
    kernel_time: TimeChange
    whole_time: TimeChange
    """Of the whole program: from the first dispatch's start to the last one's end."""
    process_time: TimeChange | None
    """From the process's start to its end."""
    printed_compared: bool
    """What the program prints, and its exit status, were compared, too."""
    files_compared: tuple[str, ...]
    """That the program writes, and that were compared, too."""
    environment: BundleEnvironment
    files: dict[str, BundledFile]
    """Every other file of the bundle, in its order."""
