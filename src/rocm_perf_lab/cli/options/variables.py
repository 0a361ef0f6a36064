"""Variables that stand for options: named as the command and the option are (docs/guide/settings.md)."""

from __future__ import annotations

import click

PREFIX = "ROCM_PERF"


def name_variables(command: click.Command, *path: str) -> None:
    """Gives every option of a command, and of those below it, its variable: click's own would have the names
    that the code has for them."""
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            name_variables(below, *path, name)
    for option in command.params:
        long = next((opt.removeprefix("--") for opt in option.opts if opt.startswith("--")), None)
        if isinstance(option, click.Option) and long is not None:
            option.envvar = "_".join((PREFIX, *path, long)).upper().replace("-", "_")
