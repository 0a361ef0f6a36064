"""``rocm-perf optimize``: change kernels so that they are faster, and keep only what is proven."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rocm_perf_lab.api.optimization.answer import Ask
from rocm_perf_lab.api.optimization.request import refuse_with_revert
from rocm_perf_lab.api.optimization.source import source_and_program
from rocm_perf_lab.api.optimize import optimize, revert
from rocm_perf_lab.cli.options.program_command import ProgramCommand
from rocm_perf_lab.cli.options.trust import somebody_can_be_asked

_FILE = click.Path(path_type=Path)
_POSITIVE = click.FloatRange(min=0, min_open=True)


@click.command(cls=ProgramCommand)
@click.option("--source", type=_FILE, help="Has the kernels. [default: found through debug information]")
@click.option(
    "--build", metavar="COMMAND", help="With {source} and {output}. [default: as PROGRAM was built]"
)
@click.option("--proposer", default="rules", show_default=True, help="rules, llm, or one that is plugged in.")
@click.option("--kernel", metavar="REGEX", help="Only kernels whose name matches somewhere.")
@click.option("--allow", metavar="NAME", multiple=True, help="Make this transform, too; may be repeated.")
@click.option(
    "--via",
    type=click.Choice(("app", "replay")),
    default="app",
    show_default=True,
    help="How variants are timed; what wins by replays is confirmed in the application.",
)
@click.option("--unchecked", is_flag=True, help="Also where the checkers cannot run on the program.")
@click.option("--compare-output", is_flag=True, help="Standard output and exit status have to stay the same.")
@click.option(
    "--compare-file",
    metavar="PATH",
    type=_FILE,
    multiple=True,
    help="What the program writes there has to stay the same; may be repeated.",
)
@click.option(
    "--min-improvement",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.02,
    show_default=True,
    help="Share of a kernel's time that a change has to save.",
)
@click.option("--max-iters", type=click.IntRange(min=1), default=10, show_default=True, help="Changes.")
@click.option(
    "--max-trials",
    type=click.IntRange(min=1),
    default=16,
    show_default=True,
    help="Builds for a kernel until the next one has its turn.",
)
@click.option("--budget", metavar="TIME", help="No new trial after this long: 90s, 10m, 2h.")
@click.option("--timeout", type=_POSITIVE, default=600.0, show_default=True, help="Seconds a run may take.")
@click.option("--base-url", metavar="ADDRESS", help="Of --proposer llm: the endpoint.")
@click.option("--model", metavar="NAME", help="Of --proposer llm.")
@click.option("--key-file", type=_FILE, help="Of --proposer llm: has the key. [default: the environment]")
@click.option("--yes", is_flag=True, help="Write accepted changes into the source without asking.")
@click.option("--dry-run", is_flag=True, help="Write and keep nothing; show what would be accepted.")
@click.option("--resume", is_flag=True, help="Go on with the last optimization of the source.")
@click.option("--revert", is_flag=True, help="Take back what the last optimization wrote.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
def command(program: tuple[str, ...], source: Path | None, as_json: bool, **options: Any) -> None:
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

    if options.pop("revert"):
        named = source_and_program(source, program, options)
        refuse_with_revert(_on_the_command_line(options))
        reversion = revert(named.source)
        click.echo(to_json(reversion) if as_json else render_reversion(reversion), nl=False)
        return
    document = optimize(program, source=source, **options, ask=asker(), tell=_tell)
    click.echo(to_json(document) if as_json else render(document), nl=False)


def _on_the_command_line(options: dict[str, Any]) -> dict[str, Any]:
    """Without those that settings give: they are meant for when there is something to optimize."""
    source_of = click.get_current_context().get_parameter_source
    return {
        name: value
        for name, value in options.items()
        if source_of(name) is click.core.ParameterSource.COMMANDLINE
    }


def asker() -> Ask | None:
    """Who can be asked whether a change is to be written: the user at a terminal."""
    return _ask if somebody_can_be_asked() else None


def _ask(source: Path, change: str, diff: str) -> bool:
    click.echo(diff, err=True, nl=False)
    return click.confirm(f"{change}: write it into {source}?", default=False, err=True)


def _tell(line: str) -> None:
    click.echo(line, nl=False, err=True)
