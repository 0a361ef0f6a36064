"""Proposals of a language model. Its answers are untrusted: only a body is taken, through all guards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.contracts.changes.proposal_prompt import PromptMessage
from rocm_perf_lab.contracts.changes.proposal_refusal import UNHEARD, Refusal
from rocm_perf_lab.optimizing.guards.foreign_body import with_foreign_body
from rocm_perf_lab.optimizing.proposers.interface import MOST_REPAIRS, ProposedKernel, Rejected, Situation
from rocm_perf_lab.optimizing.proposers.llm.endpoint import Endpoint, ask
from rocm_perf_lab.optimizing.proposers.llm.prompt import build_prompt, repair_prompt
from rocm_perf_lab.optimizing.proposers.llm.reply import body_in_reply
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.model import SourceKernel

MOST_ANSWERS = 4  # in one iteration of the loop; each may cost money


def take_body(kernel: SourceKernel, reply: str) -> SourceKernel:
    """The kernel with the body of an answer. Raises Refused."""
    return with_foreign_body(kernel, body_in_reply(kernel, reply))


@dataclass
class _Talk:
    """A conversation: a question, its answer, and repairs."""

    messages: tuple[PromptMessage, ...]
    answer: str
    repairs: int = 0


@dataclass
class LlmProposer:
    endpoint: Endpoint
    compact: bool = False
    full_source: bool = False
    name: str = "llm"
    _talks: dict[bytes, _Talk] = field(default_factory=dict, repr=False)

    def propose(self, situation: Situation) -> Iterator[ProposedKernel | Rejected]:
        """Answers to one question. What was refused goes into the next question with its reason."""
        refused: list[tuple[Proposal, Refusal]] = []
        for number in range(1, MOST_ANSWERS + 1):
            messages = self._question(situation, refused)
            found, talk = self._answer(situation.kernel, messages, number)
            if isinstance(found, ProposedKernel) and talk is not None:
                self._talks[found.text] = talk
                yield found
                return
            assert isinstance(found, Rejected)
            yield found
            if found.refusal.code in UNHEARD:
                return  # it would fail again
            refused.append((found.proposal, found.refusal))

    def repair(
        self, situation: Situation, candidate: ProposedKernel, messages: str
    ) -> ProposedKernel | Rejected:
        talk = self._talks.pop(candidate.text, None)
        if talk is None or talk.repairs >= MOST_REPAIRS:
            detail = f"{talk.repairs if talk else 0} repairs"
            return Rejected(candidate.proposal, Refusal(code="repairs-exhausted", detail=detail))
        question = repair_prompt(talk.messages, talk.answer, messages)
        found, next_talk = self._answer(situation.kernel, question, 1)
        if isinstance(found, ProposedKernel) and next_talk is not None:
            next_talk.repairs = talk.repairs + 1
            self._talks[found.text] = next_talk
        return found

    def _question(
        self, situation: Situation, refused: Sequence[tuple[Proposal, Refusal]]
    ) -> tuple[PromptMessage, ...]:
        messages = build_prompt(situation, compact=self.compact, full_source=self.full_source)
        if not refused:
            return messages
        reasons = "\n".join(f"- {refusal}" for _, refusal in refused)
        again = PromptMessage(
            role="user", content=f"Answers of yours that were refused:\n{reasons}\nTry again.\n"
        )
        return (*messages, again)

    def _answer(
        self, kernel: SourceKernel, messages: tuple[PromptMessage, ...], number: int
    ) -> tuple[ProposedKernel | Rejected, _Talk | None]:
        proposal = Proposal(
            proposer=self.name,
            kernel=kernel.function.qualified_name,
            transform="body",
            loop=None,
            line=None,
            factor=None,
            target=None,
            expected_gain=None,
            reasoning=f"answer {number} of {self.endpoint.model}",
        )
        try:
            reply = ask(self.endpoint, messages)
            changed = take_body(kernel, reply)
        except Refused as problem:
            return Rejected(proposal, problem.refusal), None
        return ProposedKernel(proposal, changed), _Talk(messages, reply)
