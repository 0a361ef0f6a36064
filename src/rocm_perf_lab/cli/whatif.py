"""``rocm-perf whatif``: what the whole would gain from a change, before anybody makes it."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option("--kernel", "kernel", metavar="REGEX", help="Kernels whose name matches somewhere are faster.")
@click.option("--speedup", type=float, help="How many times as fast. [default: 2]")
@click.option("--remove-sync", is_flag=True, help="The host does not wait for streams, events or the device.")
@click.option("--overlap-copies", is_flag=True, help="Copies run beside everything else.")
@click.option("--json", "as_json", is_flag=True, help="Print the prediction as JSON, and nothing else.")
@click.argument("run", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    run: tuple[Path, ...],
    kernel: str | None,
    speedup: float | None,
    remove_sync: bool,
    overlap_copies: bool,
    as_json: bool,
) -> None:
    """Predict the end-to-end time of RUN with a change; without one, rank kernels by what they would gain.

    RUN is a run folder of rocm-perf profile (best with --focus-critical), a folder of rocprofv3, or the
    databases of the processes of one execution.

    \b
      rocm-perf whatif .rocm-perf/latest
      rocm-perf whatif .rocm-perf/latest --kernel matmul --speedup 1.5
    """
    from rocm_perf_lab.api.whatif import whatif

    document = whatif(
        run, kernel=kernel, speedup=speedup, remove_sync=remove_sync, overlap_copies=overlap_copies
    )
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.whatif import render

        click.echo(render(document), nl=False)
