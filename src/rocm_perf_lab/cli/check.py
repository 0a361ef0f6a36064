"""``rocm-perf check``: run a program on the virtual GPU and report the defects of its kernels."""

from __future__ import annotations

import sys
from typing import Any

import click

from rocm_perf_lab.checking.request import CheckRequest
from rocm_perf_lab.cli.options.as_json import ONE_DOCUMENT
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.program_command import ProgramCommand
from rocm_perf_lab.errors import DEFECTS_FOUND


@click.command(cls=ProgramCommand)
@request_options(CheckRequest, ..., ONE_DOCUMENT)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(program: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Run PROGRAM on the virtual GPU and report the defects of its kernels; exit code 0 only if it has none.

    The program's input and output are its own; the report goes to stderr. With --json the document has stdout
    for itself, and what the program prints goes to stderr. Compile with -g to have source lines.

    \b
      rocm-perf check ./app its arguments
      rocm-perf check --only out-of-bounds --only race-lds ./app
    """
    from rocm_perf_lab.api.check import check
    from rocm_perf_lab.profiling.processes.command_line import parse_command

    document = check(parse_command(program, "check"), **options, output_to_stderr=as_json)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.check import render

        click.echo(render(document), nl=False, err=True)
    return 0 if document.clean else DEFECTS_FOUND
