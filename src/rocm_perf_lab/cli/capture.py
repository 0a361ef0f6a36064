"""``rocm-perf capture`` and ``rocm-perf isolate``: keep one kernel dispatch of a program, to replay it."""

from __future__ import annotations

import sys
from typing import Any

import click

from rocm_perf_lab.capturing.request import CaptureRequest
from rocm_perf_lab.cli.options.as_json import ONE_DOCUMENT
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.program_command import ProgramCommand


@click.command(cls=ProgramCommand)
@request_options(CaptureRequest, ..., ONE_DOCUMENT)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(program: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Run PROGRAM and keep one of its kernel dispatches: code, arguments and memory, before and after.

    The program runs on as if nothing had happened, and its input and output are its own; the summary goes to
    stderr. With --json the document has stdout for itself, and what the program prints goes to stderr.

    \b
      rocm-perf capture --kernel matmul --out matmul.capture -- ./app arguments
      rocm-perf capture --kernel 'reduce<float' --dispatch 3 --stop ./app
    """
    from rocm_perf_lab.api.captures.capture import capture
    from rocm_perf_lab.profiling.processes.command_line import parse_command

    document = capture(parse_command(program, "capture"), **options, output_to_stderr=as_json)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.capture import render

        click.echo(render(document), nl=False, err=True)
