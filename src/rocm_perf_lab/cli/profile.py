"""``rocm-perf profile``: run a program under rocprofv3 and say where its GPU time goes."""

from __future__ import annotations

import sys
from typing import Any

import click

from rocm_perf_lab.cli.options.as_json import PROFILE_JSON
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.program_command import ProgramCommand
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.request import ProfileRequest


@click.command(cls=ProgramCommand)
@request_options(
    ProfileRequest,
    *("runs", "warmup", PROFILE_JSON, "quiet", "debug", "rocprof", ..., "focus_critical", "deep_analysis"),
)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(program: tuple[str, ...], as_json: bool, quiet: bool, debug: bool, **options: Any) -> None:
    """Run PROGRAM under rocprofv3 and say where its GPU time goes.

    Options may come before the program or after it; other words after the program are its own. What follows a
    -- is the program's alone:

    \b
      rocm-perf profile ./app --its-option --json
      rocm-perf profile --runs 5 -- ./app --its-option
      rocm-perf profile "./app --its-option 'two words'"
    """
    if as_json and quiet:
        raise UsageProblem("--json and --quiet each want stdout for themselves", "give one of them")

    from rocm_perf_lab.api.profile import profile
    from rocm_perf_lab.profiling.processes.command_line import parse_command
    from rocm_perf_lab.profiling.progress import Progress

    run = profile(
        parse_command(program),
        quiet=quiet,
        debug=debug,
        **options,
        progress=Progress(enabled=not (quiet or debug)),
    )
    if quiet:
        click.echo(f"{run.runtime_ms if run.runtime_ms is not None else run.wall_ms:.6f}")
    elif as_json:
        sys.stdout.write(run.to_json())
    else:
        from rocm_perf_lab.reporting.terminal.profile import render

        assert run.folder is not None  # a profile has one
        click.echo(render(run.profile, run.folder, analysis=run.analysis), nl=False)
