"""``rocm-perf export``: a run for Perfetto, or as CSV tables."""

from __future__ import annotations

from pathlib import Path

import click

from rocm_perf_lab.api.load_run import LATEST, load_run


@click.command()
@click.option("--perfetto", type=click.Path(path_type=Path), help="Write a trace for ui.perfetto.dev there.")
@click.option("--csv", "tables", type=click.Path(path_type=Path), help="Write CSV tables into this folder.")
@click.argument("run", required=False, default=LATEST, type=click.Path(path_type=Path))
def command(run: Path, perfetto: Path | None, tables: Path | None) -> None:
    """Write RUN, a run folder of rocm-perf profile or saved traces, in formats of other tools.

    Without RUN the last run of this folder (.rocm-perf/latest) is taken.

    \b
      rocm-perf export --perfetto trace.pftrace
      rocm-perf export .rocm-perf/latest --csv tables
    """
    from rocm_perf_lab.api.export import export

    found = load_run(run)
    for file in export(found, perfetto=perfetto, csv=tables):
        click.echo(str(file))
    if found.unfinished:  # the formats have no place for it
        click.echo(f"note: the run is unfinished: {'; '.join(found.unfinished)}", err=True)
