"""``rocm-perf mcp``: a server of the Model Context Protocol on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rocm_perf_lab.errors import EnvironmentProblem


@click.command()
@click.option(
    "--root",
    "roots",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    help="A folder that clients may name files in. Repeatable; the first one is the working folder.",
)
def command(roots: tuple[Path, ...]) -> None:
    """Serve tools and resources to a client of the Model Context Protocol, on standard input and output.

    The client starts this command. Programs, runs and captures that it names have to lie in the roots; a
    program that is run can do what its user can. Needs the extra mcp: pip install 'rocm-perf-lab[mcp]'.

    \b
      rocm-perf mcp --root .
      rocm-perf mcp --root ~/project --root ~/traces
    """
    from rocm_perf_lab.mcp_server.roots import Roots

    chosen = Roots(roots)
    try:
        from rocm_perf_lab.mcp_server.server import serve
    except ModuleNotFoundError as problem:
        raise EnvironmentProblem(
            f"the package {problem.name} is not installed", "pip install 'rocm-perf-lab[mcp]'"
        ) from problem
    if sys.stdin.isatty():
        click.echo(
            "waiting for a client on standard input; docs/guide/mcp.md says how one starts this", err=True
        )
    serve(chosen)
