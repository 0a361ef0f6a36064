"""``rocm-perf check``: run a program on the virtual GPU and report the defects of its kernels."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rocm_perf_lab.cli.options.program_command import ProgramCommand
from rocm_perf_lab.errors import DEFECTS_FOUND


@click.command(cls=ProgramCommand)
@click.option(
    "--only", multiple=True, metavar="CLASS", help="Look for this class of defects alone. Repeatable."
)
@click.option("--suppressions", type=click.Path(path_type=Path), help="File with defects that are known.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds the program may take.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(
    program: tuple[str, ...],
    only: tuple[str, ...],
    suppressions: Path | None,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Run PROGRAM on the virtual GPU and report the defects of its kernels; exit code 0 only if it has none.

    The program's input and output are its own; the report goes to stderr. With --json the document has stdout
    for itself, and what the program prints goes to stderr. Compile with -g to have source lines.

    \b
      rocm-perf check ./app its arguments
      rocm-perf check --only out-of-bounds --only race-lds ./app
    """
    from rocm_perf_lab.api.check import check
    from rocm_perf_lab.profiling.processes.command_line import parse_command

    document = check(
        parse_command(program, "check"),
        only=only,
        suppressions=suppressions,
        timeout=timeout,
        output_to_stderr=as_json,
    )
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.check import render

        click.echo(render(document), nl=False, err=True)
    return 0 if document.clean else DEFECTS_FOUND
