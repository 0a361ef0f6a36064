"""``rocm-perf roofline``: the ceilings of the present GPU, from data sheets or measured."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option("--calibrate", "measure", is_flag=True, help="Measure them with microkernels, and keep them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.option("--device", type=click.IntRange(min=0), default=0, show_default=True, help="Which GPU.")
@click.option("--memory-bandwidth-gbps", type=click.FloatRange(min=0, min_open=True), help="Roof of memory.")
@click.option("--clock-mhz", type=click.FloatRange(min=0, min_open=True), help="Clock of the compute roofs.")
@click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of calibrations. [default: ROCM_PERF_CALIBRATIONS, or the user's data folder]",
)
def command(
    measure: bool,
    as_json: bool,
    device: int,
    memory_bandwidth_gbps: float | None,
    clock_mhz: float | None,
    store: Path | None,
) -> None:
    """Show the ceilings of the GPU and where each comes from; with --calibrate, measure them first.

    Measured ceilings are kept for each kind of device and partition; profiles that are taken on it later use
    them. What cannot be measured keeps the data sheet's figure.

    \b
      rocm-perf roofline
      rocm-perf roofline --calibrate
    """
    from rocm_perf_lab.api.roofline import roofline
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.reporting.terminal.roofline import render

    document = roofline(
        calibrate=measure,
        device=device,
        memory_bandwidth_gbps=memory_bandwidth_gbps,
        clock_mhz=clock_mhz,
        store=store,
        tell=_progress,
    )
    if as_json:
        sys.stdout.write(to_json(document))
    else:
        click.echo(render(document), nl=False)


def _progress(program: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"measuring: {program}", err=True)
