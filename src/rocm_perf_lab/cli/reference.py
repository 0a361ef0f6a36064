"""The reference of all commands as one Markdown page, docs/reference/cli.md."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

import click

from rocm_perf_lab.cli.main import COMMANDS, rocm_perf

HEAD = """# Commands

Made from the program itself: `python -m rocm_perf_lab.cli.reference > docs/reference/cli.md`. Defaults can be
set elsewhere ([settings.md](../guide/settings.md)); exit codes are in [exit-codes.md](exit-codes.md).
"""

# Above each block of examples: what looks after it (tests/doc_blocks.py).
LOOKED_AFTER = (
    "<!-- checked by: tests/unit/cli/test_help.py, tests/integration/docs_pages/test_cli_examples.py -->"
)


def reference_page() -> str:
    parts = [HEAD]
    for path, command in commands(rocm_perf, ()):
        parts.append("\n".join(_section(path, command)))
    return "\n".join(parts)


def commands(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands with the words that name them, in the order of the overview."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def _section(path: tuple[str, ...], command: click.Command) -> Iterator[str]:
    yield f"{'#' * (len(path) + 1)} rocm-perf {' '.join(path)}"
    yield ""
    if path == ("isolate",):
        yield COMMANDS["isolate"][1]
        yield ""
        return
    if not isinstance(command, click.Group):
        context = click.Context(command, info_name=" ".join(("rocm-perf", *path)))
        yield f"    {' '.join((context.command_path, *command.collect_usage_pieces(context)))}"
        yield ""
    yield from _text(command)
    options = [option for option in command.params if isinstance(option, click.Option) and not option.hidden]
    if options:
        yield "| option | |"
        yield "|---|---|"
        for option in options:
            yield f"| `{_in_table(_names(option))}` | {_in_table(_words(option))} |"
        yield ""


def _text(command: click.Command) -> Iterator[str]:
    """The help: paragraphs as they are, examples as code."""
    for block in inspect.cleandoc(command.help or "").split("\n\n"):
        if block.startswith("\b"):
            yield LOOKED_AFTER
            yield "```bash"
            yield inspect.cleandoc(block.removeprefix("\b\n"))
            yield "```"
        else:
            yield block
        yield ""


def _names(option: click.Option) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    if option.is_flag or option.count:
        return names
    if isinstance(option.type, click.Choice):
        return f"{names} [{', '.join(map(str, option.type.choices))}]"
    return f"{names} {option.metavar or option.type.name.removesuffix(' range').upper()}"


def _words(option: click.Option) -> str:
    words = option.help or ""
    if option.required:
        words += " Required."
    if option.show_default and option.default is not None and not option.is_flag:
        words += f" [default: {option.default}]"
    return words.strip()


def _in_table(text: str) -> str:
    """A bar would end the cell, in code as well."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(reference_page())
