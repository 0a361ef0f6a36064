"""Options of the commands that judge a variant by replays: how often, how exactly, how long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--runs", type=click.IntRange(min=2), default=5, show_default=True, help="Fresh processes of each."
    ),
    click.option("--rtol", type=float, help="Relative error that floating-point values may have."),
    click.option("--atol", type=float, help="Absolute error that floating-point values may have."),
    click.option(
        "--tolerance",
        multiple=True,
        metavar="NAME=rtol,atol",
        help="The same for one argument or element type.",
    ),
    click.option(
        "--iterations",
        type=click.IntRange(min=0),
        default=10,
        show_default=True,
        help="For the time of a variant; 0: no time.",
    ),
    click.option(
        "--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds that one execution may take."
    ),
)


def judging_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):  # decorators: the one that stands first is applied last
        command = option(command)
    return command
