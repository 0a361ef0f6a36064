"""Proposers that other packages bring. What they propose is a body that somebody else wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.optimizing.guards.foreign_body import foreign_body_in, with_foreign_body
from rocm_perf_lab.optimizing.proposers.interface import GROUP, ProposedKernel, Proposer, Rejected, Situation
from rocm_perf_lab.optimizing.refused import Refused


@dataclass
class PluggedIn:
    """Takes nothing but the changed body from what the other one proposes, through all guards."""

    proposer: Proposer

    def __post_init__(self) -> None:
        self.name = self.proposer.name

    def propose(self, situation: Situation) -> Iterator[ProposedKernel | Rejected]:
        for idea in self.proposer.propose(situation):
            yield _guarded(situation, idea)

    def repair(
        self, situation: Situation, candidate: ProposedKernel, messages: str
    ) -> ProposedKernel | Rejected | None:
        again = self.proposer.repair(situation, candidate, messages)
        return None if again is None else _guarded(situation, again)


def _guarded(situation: Situation, idea: ProposedKernel | Rejected) -> ProposedKernel | Rejected:
    if isinstance(idea, Rejected):
        return idea
    try:
        body = foreign_body_in(situation.kernel, idea.text)
        return ProposedKernel(idea.proposal, with_foreign_body(situation.kernel, body))
    except Refused as problem:
        return Rejected(idea.proposal, problem.refusal)


def plugged_in() -> dict[str, EntryPoint]:
    """By name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def load_proposer(name: str) -> Proposer:
    known = plugged_in()
    if name not in known:
        others = ", ".join(sorted(known)) or "none is installed"
        raise UsageProblem(
            f"there is no proposer {name!r}", f"rules, llm, or one that is plugged in: {others}"
        )
    made: Proposer = known[name].load()()
    return PluggedIn(made)
