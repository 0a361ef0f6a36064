"""``rocm-perf att``: say where the waves of a kernel spend their time, from saved thread traces."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print att.json, and nothing else, on stdout.")
@click.option("--top", type=click.IntRange(min=1), help="How many hotspots to show. [default: what fits]")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(folders: tuple[Path, ...], as_json: bool, top: int | None) -> None:
    """Say where the waves of a kernel spend their time, from saved thread traces; needs no GPU and no ROCm.

    FOLDERS are what rocprofv3 --att has written: ui_output_agent_…_dispatch_… folders, folders that contain
    some, or tables stats_….csv; or run folders of rocm-perf profile --deep-analysis.

    \b
      rocm-perf att .rocm-perf/latest
      rocm-perf att ui_output_agent_1_dispatch_4 --top 20
    """
    from rocm_perf_lab.api.att import att

    document = att(folders)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.att import render

        click.echo(render(document, top), nl=False)
