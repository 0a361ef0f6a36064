"""``rocm-perf optimize``: change kernels so that they are faster, and keep only what is proven."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rocm_perf_lab.api.optimization.plan import refuse_with_revert
from rocm_perf_lab.api.optimization.source import source_and_program
from rocm_perf_lab.api.optimize import optimize, revert
from rocm_perf_lab.cli.options.as_json import ONE_DOCUMENT
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.program_command import ProgramCommand
from rocm_perf_lab.cli.options.trust import somebody_can_be_asked
from rocm_perf_lab.optimizing.request import Ask, OptimizationRequest

REVERT = click.option(
    "--revert", "taken_back", is_flag=True, help="Take back what the last optimization wrote."
)


@click.command(cls=ProgramCommand)
@request_options(OptimizationRequest, ..., REVERT, ONE_DOCUMENT)
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
def command(
    program: tuple[str, ...],
    source: Path | None,
    kernel: str | None,
    taken_back: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Change kernels of PROGRAM so that they are faster, and keep only what is proven.

    \b
      rocm-perf optimize ./app its arguments
      rocm-perf optimize ./app its arguments --source kernel.hip
      rocm-perf optimize kernel.hip "./app its arguments"
      rocm-perf optimize --revert --source kernel.hip

    What --build makes of the source is run in the place of PROGRAM, with the same arguments. An accepted
    change is asked about before it is written; without a terminal and without --yes it is kept as a diff.
    """
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.reporting.terminal.optimize import render, render_reversion

    if taken_back:
        named = source_and_program(source, program, kernel)
        refuse_with_revert(_on_the_command_line())
        reversion = revert(named.source)
        click.echo(to_json(reversion) if as_json else render_reversion(reversion), nl=False)
        return
    document = optimize(program, source=source, kernel=kernel, **options, ask=asker(), tell=_tell)
    click.echo(to_json(document) if as_json else render(document), nl=False)


def _on_the_command_line() -> set[str]:
    """Without those that settings give: they are meant for when there is something to optimize."""
    context = click.get_current_context()
    return {
        name
        for name in context.params
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }


def asker() -> Ask | None:
    """Who can be asked whether a change is to be written: the user at a terminal."""
    return _ask if somebody_can_be_asked() else None


def _ask(source: Path, change: str, diff: str) -> bool:
    click.echo(diff, err=True, nl=False)
    return click.confirm(f"{change}: write it into {source}?", default=False, err=True)


def _tell(line: str) -> None:
    click.echo(line, nl=False, err=True)
