"""``--trust``, and who is asked without it: whether what others made is to be run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rocm_perf_lab.trust import Ask, Foreign

_MOST_SHOWN = 8
Function = TypeVar("Function", bound=Callable[..., Any])


def trust_option(command: Function) -> Function:
    return click.option(
        "--trust", is_flag=True, help="Run what was not made here without asking, also later."
    )(command)


def somebody_can_be_asked() -> bool:
    """The user at a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def asker() -> Ask | None:
    return _ask if somebody_can_be_asked() else None


def _ask(unknown: Sequence[Foreign]) -> bool:
    from rocm_perf_lab.reporting.terminal.printable import printable

    for one in unknown[:_MOST_SHOWN]:
        click.echo(f"{printable(one.name)} was not made here. It would run", err=True)
        for words in one.runs:
            click.echo(f"  {printable(words)}", err=True)
    more = len(unknown) - _MOST_SHOWN
    if more > 0:
        click.echo(f"and {more} more", err=True)
    return click.confirm("Run it, and do not ask again?", default=False, err=True)
