"""``rocm-perf prompt``: what would be sent to a language model for a kernel, and nothing is sent."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option("--source", type=click.Path(path_type=Path), required=True, help="File that has the kernel.")
@click.option(
    "--kernel", metavar="REGEX", help="Kernels whose name matches somewhere. [default: most to gain]"
)
@click.option("--compact", is_flag=True, help="A shorter prompt.")
@click.option("--full-source", is_flag=True, help="With the whole file, not only the kernel.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("run", type=click.Path(path_type=Path))
def command(
    run: Path, source: Path, kernel: str | None, compact: bool, full_source: bool, as_json: bool
) -> None:
    """Print what rocm-perf optimize --proposer llm would ask about a kernel of RUN; needs no endpoint.

    RUN is a run folder of rocm-perf profile; --roofline and --deep-analysis make the prompt say more.

    \b
      rocm-perf prompt .rocm-perf/latest --source kernel.hip
    """
    from rocm_perf_lab.api.prompt import prompt

    document = prompt(run, source=source, kernel=kernel, compact=compact, full_source=full_source)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
        return
    for message in document.messages:
        click.echo(f"[{message.role}]")
        click.echo(message.content)
