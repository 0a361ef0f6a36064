"""Options that say where tasks run: here, on the GPUs of this machine, on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--executor", type=click.Choice(("inline", "local", "dask")), default="inline", show_default=True
    ),
    click.option(
        "--workers", type=click.IntRange(min=1), help="Of --executor local [default: one for each GPU]."
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Of --executor dask: tcp://host:8786."),
    click.option(
        "--deadline",
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds after which dask tries elsewhere.",
    ),
)


def executor_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):  # decorators: the one that stands first is applied last
        command = option(command)
    return command
