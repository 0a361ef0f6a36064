"""The prompt of a situation as a document."""

from __future__ import annotations

from rocm_perf_lab.contracts.changes.proposal_prompt import PromptDocument
from rocm_perf_lab.optimizing.proposers.interface import Situation
from rocm_perf_lab.optimizing.proposers.llm.prompt import build_prompt


def prompt_document(
    situation: Situation, *, compact: bool = False, full_source: bool = False
) -> PromptDocument:
    messages = build_prompt(situation, compact=compact, full_source=full_source)
    analysis = situation.analysis
    return PromptDocument(
        origin=analysis.origin if analysis else "derived",
        missing={} if analysis else {"label": "no analysis was made"},
        kernel=situation.profile.name if situation.profile else situation.kernel.function.qualified_name,
        source=str(situation.kernel.file.path),
        label=analysis.bottleneck.label if analysis else None,
        characters=sum(len(message.content) for message in messages),
        messages=messages,
    )
