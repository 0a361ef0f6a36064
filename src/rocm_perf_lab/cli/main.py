"""The ``rocm-perf`` program: finds the command, runs it, turns errors into messages and exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from rocm_perf_lab import __version__
from rocm_perf_lab.cli.options.settings_file import default_map
from rocm_perf_lab.cli.options.variables import name_variables
from rocm_perf_lab.errors import Interrupted, RocmPerfError, UsageProblem, disk_problem
from vrocm.end_requests import end_as_by_ctrl_c
from vrocm.standard_streams import BROKEN_PIPE, ReaderWentAway, all_is_printed

# Name of a command -> (module below rocm_perf_lab.cli, one line for the overview). The module is imported
# only when its command runs, so that start-up stays fast however many commands there are.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "The whole tour on a small program: profile, optimize, capture, replay, report."),
    "profile": ("profile", "Run a program under rocprofv3 and say where its GPU time goes."),
    "analyze": ("analyze", "Say where GPU time went, from traces that were saved before."),
    "compare": ("compare", "Say whether a program became faster or slower, kernel by kernel."),
    "roofline": ("roofline", "Show the ceilings of the GPU, from data sheets or measured."),
    "att": ("att", "Say where the waves of a kernel spend their time, from saved thread traces."),
    "capture": ("capture", "Keep one kernel dispatch of a program: code, arguments and memory."),
    "isolate": ("capture", "The same as capture."),
    "replay": ("replay", "Run a captured dispatch again at its addresses; prove, time and profile it."),
    "suite": ("suite", "Replay and validate a folder of captures as a regression suite."),
    "check": ("check", "Run a program on the virtual GPU and report the defects of its kernels."),
    "report": ("report", "Show a run as one HTML file, as Markdown or on the terminal."),
    "export": ("export", "Write a run for Perfetto or as CSV tables."),
    "whatif": ("whatif", "Predict what a faster kernel would mean for the whole, from a trace."),
    "autotune": ("autotune", "Find the fastest configuration of a program in few runs."),
    "optimize": ("optimize", "Change kernels so that they are faster, and prove it; nothing else is kept."),
    "verify": ("verify", "Run the evidence of a change that optimize accepted again."),
    "prompt": ("prompt", "Print what a language model would be asked about a kernel."),
    "mcp": ("mcp", "Serve all this to clients of the Model Context Protocol."),
    "schema": ("schema", "Print the JSON Schema of the documents that the commands write."),
    "doctor": ("doctor", "Say which ROCm is in use, what works, and how to mend what does not."),
    "completion": ("completion", "Print the script that lets a shell complete commands and options."),
    "vrocm": ("vrocm", "The virtual ROCm: compile and run HIP programs without a GPU."),
}
VARIABLE = "_ROCM_PERF_COMPLETE"  # by which the scripts of `completion` ask for words


class LazyCommands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rocm_perf_lab.cli.{COMMANDS[cmd_name][0]}")
        command = module.command
        assert isinstance(command, click.Command)
        name_variables(command, cmd_name)
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
        _main()
    except ReaderWentAway:
        sys.exit(BROKEN_PIPE)


def _main() -> NoReturn:
    end_as_by_ctrl_c()
    try:
        result = rocm_perf.main(
            prog_name="rocm-perf",
            complete_var=VARIABLE,
            standalone_mode=False,
            default_map=_defaults(),
            color=False if os.environ.get("NO_COLOR") else None,  # no-color.org: set and not empty
        )
        all_is_printed()
    except (click.exceptions.Abort, KeyboardInterrupt):
        _fail(Interrupted("interrupted"))
    except click.ClickException as error:
        _fail_usage(error)
    except RocmPerfError as error:
        _fail(error)
    except OSError as error:
        problem = disk_problem(error)
        _fail_internally(error) if problem is None else _fail(problem)
    except ReaderWentAway:
        raise
    except Exception as error:
        _fail_internally(error)
    sys.exit(result if isinstance(result, int) else 0)


def _defaults() -> dict[str, Any]:
    """What rocm-perf.toml says; help and completion do without."""
    if VARIABLE in os.environ or not sys.argv[1:] or sys.argv[1] not in COMMANDS:
        return {}
    return default_map(rocm_perf, os.environ, Path.cwd())


def _fail(error: RocmPerfError) -> NoReturn:
    from rocm_perf_lab.cli.options.json_asked import json_asked

    if json_asked(rocm_perf, sys.argv[1:], os.environ):
        _print_document(error)
    from rocm_perf_lab.reporting.terminal.printable import printable

    for head, words in (("error", error.cause), ("  try", error.remedy), (" kept", error.collected)):
        if words:  # which may quote what others wrote
            click.echo(f"{head}: " + "\n".join(map(printable, words.split("\n"))), err=True)
    sys.exit(error.exit_code)


def _fail_usage(error: click.ClickException) -> NoReturn:
    """A command line that click refuses."""
    from rocm_perf_lab.cli.options.json_asked import json_asked

    if json_asked(rocm_perf, sys.argv[1:], os.environ):
        context = getattr(error, "ctx", None)
        help_line = f"{context.command_path} --help" if context else "rocm-perf --help"
        _print_document(UsageProblem(error.format_message(), help_line))
    error.show()
    sys.exit(error.exit_code)


def _fail_internally(error: Exception) -> NoReturn:
    """A mistake of ours: the traceback is what helps to mend it."""
    from rocm_perf_lab.cli.options.json_asked import json_asked

    if json_asked(rocm_perf, sys.argv[1:], os.environ):
        _print_document(
            RocmPerfError(f"{type(error).__name__}: {error}", "report it, with what is on stderr")
        )
    raise error


def _print_document(error: RocmPerfError) -> None:
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.contracts.failure import failure_document

    sys.stdout.write(to_json(failure_document(error)))
    sys.stdout.flush()
