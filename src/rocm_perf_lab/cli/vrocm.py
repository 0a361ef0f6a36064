"""``rocm-perf vrocm``: the virtual ROCm for a shell, a build script or one program."""

from __future__ import annotations

import os
import shlex

import click

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.vrocm import prefix

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
    for name, value in prefix.environment().items():
        click.echo(f"export {name}={shlex.quote(value)}")


@command.command()
def path() -> None:
    """Print the folder of the virtual ROCm.

    \b
      cmake -DCMAKE_PREFIX_PATH="$(rocm-perf vrocm path)" ..
    """
    click.echo(str(prefix.materialise()))


@command.command(context_settings=PASS_THROUGH, add_help_option=False)
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
def hipcc(args: tuple[str, ...]) -> int:
    """Compile HIP sources; takes what hipcc takes.

    \b
      rocm-perf vrocm hipcc -O3 app.hip -o app
    """
    from rocm_perf_lab.vrocm.hipcc import main

    return main(list(args))


@command.command(context_settings={"ignore_unknown_options": True})
@click.argument("args", nargs=-1, required=True, type=click.UNPROCESSED)
def run(args: tuple[str, ...]) -> None:
    """Run a program with the virtual ROCm.

    \b
      rocm-perf vrocm run ./app its arguments
    """
    environment = {**os.environ, **prefix.environment()}
    try:
        os.execvpe(args[0], list(args), environment)
    except FileNotFoundError:
        raise UsageProblem(f"there is no program {args[0]!r}", "give its path, e.g. ./app") from None
    except PermissionError:
        raise UsageProblem(f"{args[0]!r} cannot be executed", f"chmod +x {args[0]}") from None
