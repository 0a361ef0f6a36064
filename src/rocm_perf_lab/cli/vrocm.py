"""``rocm-perf vrocm``: the virtual ROCm for a shell, a build script or one program."""

from __future__ import annotations

import click

import vrocm
from vrocm import commands

PASS_THROUGH = {"ignore_unknown_options": True, "help_option_names": []}


@click.group()
def command() -> None:
    """The virtual ROCm: compile and run HIP programs without a GPU.

    \b
      rocm-perf vrocm hipcc -O3 app.hip -o app
      rocm-perf vrocm run ./app
    """


@command.command()
def env() -> None:
    """Print exports for a shell, so that builds and programs find the virtual ROCm.

    \b
      eval "$(rocm-perf vrocm env)" && make
    """
    click.echo(commands.exports())


@command.command()
def path() -> None:
    """Print the folder of the virtual ROCm.

    \b
      cmake -DCMAKE_PREFIX_PATH="$(rocm-perf vrocm path)" ..
    """
    click.echo(str(vrocm.prefix()))


@command.command(context_settings=PASS_THROUGH, add_help_option=False)
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
def hipcc(args: tuple[str, ...]) -> int:
    """Compile HIP sources; takes what hipcc takes.

    \b
      rocm-perf vrocm hipcc -O3 app.hip -o app
    """
    return commands.hipcc(list(args))


@command.command(context_settings={"ignore_unknown_options": True})
@click.argument("args", nargs=-1, required=True, type=click.UNPROCESSED)
def run(args: tuple[str, ...]) -> int:
    """Run a program with the virtual ROCm.

    \b
      rocm-perf vrocm run ./app its arguments
    """
    return commands.run(list(args))
