"""Who decides whether an accepted change is written: the user at a terminal, --yes, or nobody."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import click

from rocm_perf_lab.cli.optimize_wish import Wish

if TYPE_CHECKING:
    from rocm_perf_lab.optimize.loop import Answer
    from rocm_perf_lab.optimize.trial import Tried


def answer_of(wish: Wish) -> Any:
    """Who decides whether an accepted change is written."""
    from rocm_perf_lab.optimize.safe_write import diff

    def ask(before: bytes, after: bytes, tried: Tried) -> Answer:
        click.echo(diff(wish.source.name, before, after), err=True, nl=False)
        question = f"{tried.attempt.proposal}: write it into {wish.source}?"
        return "write" if click.confirm(question, default=False, err=True) else "decline"

    def always(answer: Literal["write", "keep"]) -> Any:
        return lambda before, after, tried: answer

    if wish.dry_run:
        return always("keep")
    if wish.options["yes"]:
        return always("write")
    return ask if sys.stdin.isatty() and sys.stderr.isatty() else always("keep")
