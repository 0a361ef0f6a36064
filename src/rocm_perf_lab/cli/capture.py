"""``rocm-perf capture`` and ``rocm-perf isolate``: keep one kernel dispatch of a program, to replay it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rocm_perf_lab.cli.options.program_command import ProgramCommand


@click.command(cls=ProgramCommand)
@click.option("--kernel", metavar="REGEX", help="Only kernels whose name matches somewhere. [default: any]")
@click.option(
    "--dispatch",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which of the dispatches that match, from 0.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder. [default: isolate_capture_<number>]")
@click.option("--stop", is_flag=True, help="End the program right after the capture.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds the program may take.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(
    program: tuple[str, ...],
    kernel: str | None,
    dispatch: int,
    out: Path | None,
    stop: bool,
    timeout: float | None,
    as_json: bool,
) -> None:
    """Run PROGRAM and keep one of its kernel dispatches: code, arguments and memory, before and after.

    The program runs on as if nothing had happened, and its input and output are its own; the summary goes to
    stderr. With --json the document has stdout for itself, and what the program prints goes to stderr.

    \b
      rocm-perf capture --kernel matmul --out matmul.capture -- ./app arguments
      rocm-perf capture --kernel 'reduce<float' --dispatch 3 --stop ./app
    """
    from rocm_perf_lab.api.captures.capture import capture
    from rocm_perf_lab.profiling.processes.command_line import parse_command

    document = capture(
        parse_command(program, "capture"),
        kernel=kernel,
        dispatch=dispatch,
        out=out,
        stop=stop,
        timeout=timeout,
        output_to_stderr=as_json,
    )
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.capture import render

        click.echo(render(document), nl=False, err=True)
