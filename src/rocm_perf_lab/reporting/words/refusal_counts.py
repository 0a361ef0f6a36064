"""Why changes were refused: each reason, with how many changes it was given for, most frequent first."""

from __future__ import annotations

from collections import Counter

from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument
from rocm_perf_lab.contracts.changes.proposal_refusal import ReasonCode


def refusal_counts(document: OptimizationDocument) -> list[tuple[ReasonCode, int]]:
    """A change may have several reasons, and one of them for several times that were measured."""
    reasons = Counter(
        code for tried in document.tried for code in dict.fromkeys(one.code for one in tried.refusals)
    )
    return reasons.most_common()
