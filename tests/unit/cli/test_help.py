"""Every command explains itself, with examples that its parser takes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
from tests.table_rows import rows

from rocm_perf_lab.cli.main import rocm_perf


def commands(
    group: click.Group = rocm_perf, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


def examples(command: click.Command) -> list[str]:
    """The commands in the blocks of the help that are printed as they stand; $(…) within a line counts."""
    blocks = [block for block in (command.help or "").split("\n\n") if block.lstrip(" ").startswith("\b")]
    text = "\n".join(blocks).replace("\\\n", " ")
    return re.findall(r"(?:^ *|\$\()(rocm-perf [^)\n]*)", text, flags=re.MULTILINE)


@rows("path, command", commands)
def test_help_has_examples_that_can_be_parsed(path: tuple[str, ...], command: click.Command) -> None:
    found = examples(command)
    assert found, "no example"
    for line in found:
        words = shlex.split(re.sub(r" >.*", "", line), comments=True)[1:]
        assert tuple(words[: len(path)]) == path or path[0] == "isolate", line
        command.make_context(" ".join(path), words[len(path) :])
