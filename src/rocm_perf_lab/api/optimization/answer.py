"""Who decides whether an accepted change is written: whoever can be asked, --yes, or nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocm_perf_lab.optimizing.loop import Answer
    from rocm_perf_lab.optimizing.request import OptimizationRequest
    from rocm_perf_lab.optimizing.trial import Tried

    Answering = Callable[[bytes, bytes, Tried], Answer]


def answer_of(request: OptimizationRequest, source: Path) -> Answering:
    """A dry run writes nothing, ``--yes`` all; else ``ask`` decides, and where nobody can be asked a change
    is kept as a diff."""
    from rocm_perf_lab.optimizing.records.safe_write import diff

    def answer(before: bytes, after: bytes, tried: Tried) -> Answer:
        if request.dry_run:
            return "keep"
        if request.yes:
            return "write"
        if request.ask is None:
            return "keep"
        change = str(tried.attempt.proposal)
        return "write" if request.ask(source, change, diff(source.name, before, after)) else "decline"

    return answer
