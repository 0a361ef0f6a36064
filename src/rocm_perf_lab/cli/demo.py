"""``rocm-perf demo``: the whole tour on a small program, with the commands that a user would type."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from pathlib import Path

import click

from rocm_perf_lab.errors import Interrupted, ProgramFailed, UsageProblem
from vrocm.isolated import command_line

FOLDER = Path("rocm-perf-demo")


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), default=FOLDER, show_default=True, help="A new folder for it."
)
def command(out: Path) -> None:
    """Profile a small program with two streams, optimize its kernel, capture and replay it, report.

    Every command is shown as you would type it; what they make stays in the folder. Without a GPU it takes
    about two minutes on two cores, and times are simulated.

    \b
      rocm-perf demo
    """
    from rocm_perf_lab.demo.steps import SOURCE, STEPS
    from rocm_perf_lab.profiling.processes.foreground import run_in_foreground
    from rocm_perf_lab.rocm.find import find_prefix

    if out.exists():
        raise UsageProblem(f"{out} is there already; nothing is overwritten", "name a new folder with --out")
    prefix = find_prefix()
    programs = {
        "rocm-perf": command_line("rocm_perf_lab"),
        "hipcc": [str(prefix.tool("hipcc"))],
    }
    environment = {**os.environ, **prefix.environment()}
    out.mkdir(parents=True)
    shutil.copy(SOURCE, out)
    began = time.monotonic()
    for number, step in enumerate(STEPS, start=1):
        click.secho(f"\n{number}/{len(STEPS)}  {step.title}", bold=True)
        click.secho(f"$ {shlex.join(step.command)}", fg="cyan")
        sys.stdout.flush()
        end = run_in_foreground([*programs[step.command[0]], *step.command[1:]], environment, folder=out)
        if end.interrupted:
            raise Interrupted(f"interrupted in step {number} of the demonstration", None, str(out))
        if end.exit_code != 0:
            raise ProgramFailed(
                f"step {number} of the demonstration ended with exit code {end.exit_code}",
                f"its own message is above; again: cd {out} && {shlex.join(step.command)}",
                str(out),
            )
    _close(out, time.monotonic() - began)


def _close(out: Path, seconds: float) -> None:
    page = (out / ".rocm-perf" / "latest").resolve() / "report.html"
    click.secho(f"\ndone in {seconds:.0f} s", bold=True)
    click.echo(f"report   {page}")
    click.echo(f"all of it is in {out}; next: rocm-perf profile ./your-program")
