"""What a proposer is given and what it gives back; others can be plugged in.

A package adds one with an entry point of the group ``rocm_perf_lab.proposers``: a callable without arguments
that returns a Proposer. Nothing but the kernel's body is taken from what it proposes, through all guards
(``plugged_in``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from rocm_perf_lab.contracts.changes.proposal import Attempt, Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.contracts.profiling.analysis import KernelAnalysis
from rocm_perf_lab.contracts.profiling.att import AttAnalysis
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.transforms.request import LaunchEvidence

GROUP = "rocm_perf_lab.proposers"
MOST_REPAIRS = 2


@dataclass(frozen=True)
class Situation:
    """All that is known of a kernel when a change is looked for."""

    kernel: SourceKernel
    """In the best source so far."""
    analysis: KernelAnalysis | None = None
    profile: KernelProfile | None = None
    att: AttAnalysis | None = None
    evidence: LaunchEvidence = field(default_factory=LaunchEvidence)
    allowed: frozenset[str] = frozenset()
    """Transforms that --allow names."""
    attempts: tuple[Attempt, ...] = ()
    """Of this kernel, oldest first."""
    device: str | None = None


@dataclass(frozen=True)
class ProposedKernel:
    """A change that passed the guards of the source."""

    proposal: Proposal
    kernel: SourceKernel
    """In its changed file."""

    @property
    def text(self) -> bytes:
        return self.kernel.text


@dataclass(frozen=True)
class Rejected:
    """A proposal that did not."""

    proposal: Proposal
    refusal: Refusal


class Proposer(Protocol):
    name: str

    def propose(self, situation: Situation) -> Iterator[ProposedKernel | Rejected]:
        """Best first. Nothing is computed before it is asked for."""
        ...

    def repair(
        self, situation: Situation, candidate: ProposedKernel, messages: str
    ) -> ProposedKernel | Rejected | None:
        """Another try after the compiler refused one, at most MOST_REPAIRS times; None: there is none."""
        ...
