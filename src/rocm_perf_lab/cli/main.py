"""The ``rocm-perf`` program: finds the command, runs it, turns errors into exit codes."""

from __future__ import annotations

import importlib
import sys

import click

from rocm_perf_lab import __version__
from rocm_perf_lab.errors import RocmPerfError

# Name of a command -> (module below rocm_perf_lab.cli, one line for the overview). The module is imported
# only when its command runs, so that start-up stays fast however many commands there are.
COMMANDS: dict[str, tuple[str, str]] = {
    "doctor": ("doctor", "Say which ROCm is in use, what works, and how to mend what does not."),
    "vrocm": ("vrocm", "The virtual ROCm: compile and run HIP programs without a GPU."),
}


class LazyCommands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rocm_perf_lab.cli.{COMMANDS[cmd_name][0]}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.command(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rocm-perf-lab")
def rocm_perf() -> None:
    """Measure, explain and improve HIP programs for AMD GPUs."""


def main() -> None:
    try:
        result = rocm_perf.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except RocmPerfError as error:
        click.echo(f"error: {error.cause}", err=True)
        if error.remedy:
            click.echo(f"  try: {error.remedy}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader (head, less) went away; that is not an error of ours.
        sys.stderr.close()
        sys.exit(141)
    sys.exit(result if isinstance(result, int) else 0)
