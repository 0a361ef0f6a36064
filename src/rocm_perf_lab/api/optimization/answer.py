"""Who decides whether an accepted change is written: whoever can be asked, --yes, or nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.optimization.wish import Wish

if TYPE_CHECKING:
    from rocm_perf_lab.optimizing.loop import Answer
    from rocm_perf_lab.optimizing.trial import Tried

    Answering = Callable[[bytes, bytes, Tried], Answer]

Ask = Callable[[Path, str, str], bool]
"""Source, change in words, its diff: whether it is to be written."""


def answer_of(wish: Wish, ask: Ask | None) -> Answering:
    """A dry run writes nothing, ``--yes`` all; else ``ask`` decides, and where nobody can be asked a change
    is kept as a diff."""
    from rocm_perf_lab.optimizing.records.safe_write import diff

    def answer(before: bytes, after: bytes, tried: Tried) -> Answer:
        if wish.dry_run:
            return "keep"
        if wish.options["yes"]:
            return "write"
        if ask is None:
            return "keep"
        change = str(tried.attempt.proposal)
        return "write" if ask(wish.source, change, diff(wish.source.name, before, after)) else "decline"

    return answer
