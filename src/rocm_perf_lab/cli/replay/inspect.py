"""``rocm-perf replay inspect``: what is in a capture; needs no GPU."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("inspect")
@click.option("--verify/--no-verify", default=True, help="Read all memory and check it. [default: verify]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("capture", type=click.Path(path_type=Path))
def inspect_command(capture: Path, verify: bool, as_json: bool) -> None:
    """Say what is in CAPTURE: kernel, arguments with their types and values, memory, what changed, verdict.

    Needs no GPU and no ROCm.

    \b
      rocm-perf replay inspect isolate_capture
    """
    from rocm_perf_lab.api.captures.replay import inspect

    document = inspect(capture, verify=verify)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.inspection import render

        click.echo(render(document), nl=False)
