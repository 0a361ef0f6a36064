"""Proposals by rule: every transform at every place where it may help, the most promising first.

Reads the kernel's label and the trace's costs by line. The same input gives the same proposals in the same
order.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.analysis.bottleneck import UNKNOWN
from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.optimizing.proposers.expectations import at_most, loop_share, saved_by_unrolling, weight
from rocm_perf_lab.optimizing.proposers.interface import ProposedKernel, Rejected, Situation
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.counted import counted
from rocm_perf_lab.optimizing.source.model import SourceLoop
from rocm_perf_lab.optimizing.transforms.catalogue import apply_transform
from rocm_perf_lab.optimizing.transforms.hoist_loads import hoistable
from rocm_perf_lab.optimizing.transforms.lds_padding import shared_tables
from rocm_perf_lab.optimizing.transforms.request import TransformRequest
from rocm_perf_lab.optimizing.transforms.unroll_pragma import FACTORS
from rocm_perf_lab.optimizing.transforms.unroll_rewrite import is_rewritten
from rocm_perf_lab.optimizing.transforms.vector_loads import vectorisable

# Of four loads one is left; of a load in every iteration next to nothing. Chosen, as the weights are.
_SAVED = {
    "vector_loads": 0.75,
    "hoist_loads": 0.5,
    "restrict_const": 0.5,
    "lds_padding": 0.5,
    "launch_bounds": 0.5,
}


class RulesProposer:
    name = "rules"

    def propose(self, situation: Situation) -> Iterator[ProposedKernel | Rejected]:
        done = {attempt.proposal.key for attempt in situation.attempts}
        for proposal in self.ranked(situation):
            if proposal.key in done:
                continue
            request = TransformRequest(proposal.loop, proposal.factor, proposal.target, situation.evidence)
            try:
                changed = apply_transform(proposal.transform, situation.kernel, request, situation.allowed)
            except Refused as problem:
                yield Rejected(proposal, problem.refusal)
            else:
                yield ProposedKernel(proposal, changed)

    def repair(self, situation: Situation, candidate: ProposedKernel, messages: str) -> None:
        """A rule that makes what does not compile has nothing else to offer."""

    def ranked(self, situation: Situation) -> list[Proposal]:
        """All proposals, best first; whether they are legal is not looked at yet."""
        every = [*self._of_loops(situation), *self._of_kernel(situation)]
        return sorted(every, key=lambda proposal: -round(proposal.expected_gain or 0.0, 9))

    def _of_loops(self, situation: Situation) -> Iterator[Proposal]:
        kernel = situation.kernel
        for loop in kernel.loops:
            share, source = loop_share(situation, loop)
            # Those that were unrolled before would come to more copies than the largest factor.
            for transform in () if is_rewritten(loop) else ("unroll", "unroll_rewrite"):
                for factor in FACTORS:
                    saved = saved_by_unrolling(kernel, loop, factor, rewritten=transform != "unroll")
                    yield self._proposal(situation, transform, share * saved, source, loop, factor)
            for pointer in _vectorisable(situation, loop):
                saved = share * _SAVED["vector_loads"]
                yield self._proposal(situation, "vector_loads", saved, source, loop, target=pointer)
            for element in hoistable(kernel, loop):
                saved = share * _SAVED["hoist_loads"]
                yield self._proposal(situation, "hoist_loads", saved, source, loop, target=element)

    def _of_kernel(self, situation: Situation) -> Iterator[Proposal]:
        for array in shared_tables(situation.kernel):
            yield self._proposal(
                situation, "lds_padding", _SAVED["lds_padding"], "a shared table", target=array
            )
        for transform in ("restrict_const", "launch_bounds"):
            yield self._proposal(situation, transform, _SAVED[transform], "of the whole kernel")

    def _proposal(
        self,
        situation: Situation,
        transform: str,
        saved: float,
        source: str,
        loop: SourceLoop | None = None,
        factor: int | None = None,
        target: str | None = None,
    ) -> Proposal:
        label = situation.analysis.bottleneck.label if situation.analysis else UNKNOWN.label
        importance = weight(situation, transform)
        return Proposal(
            proposer=self.name,
            kernel=situation.kernel.function.qualified_name,
            transform=transform,
            loop=loop.number if loop else None,
            line=loop.line if loop else None,
            factor=factor,
            target=target,
            expected_gain=min(importance * saved, at_most(situation)),
            reasoning=f"{label}: weight {importance:g}, {saved:.0%} could be saved; {source}",
        )


def _vectorisable(situation: Situation, loop: SourceLoop) -> list[str]:
    try:
        return vectorisable(situation.kernel, loop, counted(loop.node).variable)
    except Refused:
        return []
