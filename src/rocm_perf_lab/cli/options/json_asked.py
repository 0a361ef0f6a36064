"""Whether ``--json`` is among our own options or variables, also on a command line that cannot be parsed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

_TRUE = {"1", "true", "t", "yes", "y", "on"}  # as click reads variables of flags


def json_asked(group: click.Group, arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Looks as the parser would: not behind ``--``, not in the value of another option."""
    context = click.Context(group)
    command: click.Command = group
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            break
        if word.startswith("-"):
            if word == "--json" and command is not group:
                return True
            if word in _valued(command):
                waiting[:1] = []
        elif isinstance(command, click.Group):
            found = command.get_command(context, word)
            if found is None:
                return "--json" in waiting  # an unknown command: nobody says whose the option is
            command = found
    return _by_environment(command, environment)


def _by_environment(command: click.Command, environment: Mapping[str, str]) -> bool:
    for option in command.params:
        if "--json" in option.opts and isinstance(option.envvar, str):
            return environment.get(option.envvar, "").strip().lower() in _TRUE
    return False


def _valued(command: click.Command) -> set[str]:
    """The options that take the next word as their value."""
    return {
        name
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag and not option.count
        for name in option.opts
    }
