"""``rocm-perf export``: a run for Perfetto, or as CSV tables."""

from __future__ import annotations

from pathlib import Path

import click

from rocm_perf_lab.api.load_run import LATEST, load_run
from rocm_perf_lab.errors import BadInput, UsageProblem


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
    if perfetto is None and tables is None:
        raise UsageProblem("there is nothing to write", "give --perfetto FILE, --csv DIR or both")
    from rocm_perf_lab.report.run import read_run_timeline
    from rocm_perf_lab.report.whole_file import write_whole

    found = load_run(run).documents
    timeline = read_run_timeline(found)
    if perfetto is not None:
        if isinstance(timeline, str):
            raise BadInput(f"there is no timeline to write: {timeline}", "--csv writes what is known")
        from rocm_perf_lab.report.perfetto import perfetto_trace

        write_whole(perfetto, perfetto_trace(found, timeline))
        click.echo(str(perfetto))
    if tables is not None:
        from rocm_perf_lab.report.csv_tables import csv_tables

        try:
            tables.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise UsageProblem(
                f"{tables} cannot be written: {problem.strerror}", "name another place"
            ) from None
        for name, lines in csv_tables(found, None if isinstance(timeline, str) else timeline):
            write_whole(tables / name, (part.encode("utf-8", "replace") for part in lines))
            click.echo(str(tables / name))
