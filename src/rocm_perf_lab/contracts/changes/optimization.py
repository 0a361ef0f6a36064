"""optimization.json: what an optimization tried, what it accepted, what it refused and why, and its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.contracts.section import STRICT, Section

TrialResult = Literal["taken", "passed", "refused"]
OptimizationEnd = Literal["nothing improves", "trials", "iterations", "budget"]
ChangePlace = Literal["written", "kept", "declined", "interrupted"]


@dataclass(frozen=True, kw_only=True)
class TimeChange(Section):
    """Times before and after a change, measured in turns."""

    before_ms: float
    """Median over the runs of one side."""
    after_ms: float
    ratio: float | None
    """After / before: below 1 is faster."""
    ratio_low: float | None
    ratio_high: float | None
    level: float
    """Of the interval from ratio_low to ratio_high."""
    pairs: int
    exact: bool
    """The runs repeat exactly, and the interval is the ratio."""
    verdict: Literal["win", "loss", "same", "undecided"]


@dataclass(frozen=True, kw_only=True)
class TriedChange:
    """One proposal and how far it came; null is what it did not come to."""

    __pydantic_config__ = STRICT

    kernel: str
    """As the profile names it."""
    proposal: Proposal
    result: TrialResult
    """taken: the source goes on with it; passed: it would do, and a better one like it was taken or its
    writing was never come to; refused."""
    refusals: tuple[Refusal, ...]
    checkers: str | None
    """What the checkers say."""
    results: str | None
    """What the comparison of results says."""
    replays: str | None
    """With --via replay: how the kernel was timed by replays, or why it was not."""
    replay_time: TimeChange | None
    """Of the kernel by replays: all launches of one run."""
    kernel_time: TimeChange | None
    """In the application; likewise whole_time."""
    whole_time: TimeChange | None
    """From the first dispatch's start to the last one's end, with all that the host does between."""
    process_time: TimeChange | None
    """From the process's start to its end, as the tracer saw it; null also where it does not say."""


@dataclass(frozen=True, kw_only=True)
class AcceptedChange:
    __pydantic_config__ = STRICT

    trial: int
    """Place in ``tried``, from 0."""
    place: ChangePlace
    """written: into the source; kept: as a diff; declined: as a diff, because whoever was asked said no;
    interrupted: the optimization was killed at this moment, before or after the source was replaced."""
    diff: str
    """Unified; empty where it was not kept."""
    record: str | None
    """The folder with the old text and the diff; null where nothing is kept."""
    bundle: str | None
    """The file that ``rocm-perf verify`` checks; null where nothing is kept, or the change was declined."""
    bundle_sha256: str | None


@dataclass(frozen=True, kw_only=True)
class LeftOutKernel:
    """A kernel of the program that cannot be worked on in this source."""

    __pydantic_config__ = STRICT

    kernel: str
    refusal: Refusal


@dataclass(frozen=True, kw_only=True)
class OptimizationFiles:
    __pydantic_config__ = STRICT

    folder: str
    journal: str
    document: str
    page: str
    """The same to look at, as HTML."""
    patch: str | None
    """All changes that were kept and not written, as one diff."""


@dataclass(frozen=True, kw_only=True)
class OptimizationDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    source: str
    command: tuple[str, ...]
    """The program is replaced by what ``build`` makes of the source; the arguments are kept."""
    build: str
    proposer: str
    via: Literal["app", "replay"]
    """How variants are timed first; what wins by replays is timed in the application, too."""
    dry_run: bool
    end: OptimizationEnd
    """Why it ended."""
    before_sha256: str
    """Of the source when it began."""
    present_sha256: str
    """Of the source now."""
    accepted: tuple[AcceptedChange, ...]
    tried: tuple[TriedChange, ...]
    """In order; with those of the optimization that was resumed."""
    left_out: tuple[LeftOutKernel, ...]
    files: OptimizationFiles | None
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ReversionDocument:
    """What ``optimize --revert`` did."""

    __pydantic_config__ = STRICT

    schema_version: Literal["1.0"] = "1.0"
    source: str
    taken_back: tuple[str, ...]
    """Folders of the changes, newest first; empty: there was nothing to take back."""
    present_sha256: str
