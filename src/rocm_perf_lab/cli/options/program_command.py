"""A command that measures a program: whose options are whose on its command line.

Our options may stand before the program or after it (``profile ./app --json``, as in the manual); other words
after the program are its own. Behind a ``--`` everything is the program's, untouched.
"""

from __future__ import annotations

from collections.abc import Sequence

import click


def sorted_out(command: click.Command, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Our options (with their values), and the program with its arguments."""
    flags, valued = _names(command)
    ours: list[str] = []
    program: list[str] = []
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            # In front of the program it only says where that begins.
            return ours, [*program, *([word] if program else []), *waiting]
        name, equals, _ = word.partition("=")
        if word in flags or (equals and name in valued):
            ours.append(word)
        elif word in valued:
            ours += [word, *waiting[:1]]
            waiting[:1] = []
        elif word.startswith("-") and not program:
            ours.append(word)  # not known: the parser says so
        else:
            program.append(word)
    return ours, program


def _names(command: click.Command) -> tuple[set[str], set[str]]:
    """Long options of the command: those that stand alone, and those that take a value. ``--help`` after a
    program is the program's."""
    flags: set[str] = set()
    valued: set[str] = set()
    for option in command.params:
        if isinstance(option, click.Option):
            (flags if option.is_flag or option.count else valued).update(option.opts)
    return flags, valued


class ProgramCommand(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ours, program = sorted_out(self, args)
        lacks_value = bool(ours) and args[-1:] == ours[-1:] and ours[-1] in _names(self)[1]
        return super().parse_args(ctx, [*ours, "--", *program] if program and not lacks_value else ours)
