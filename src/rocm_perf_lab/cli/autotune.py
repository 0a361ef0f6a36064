"""``rocm-perf autotune``: the fastest configuration of a program in few runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from rocm_perf_lab.errors import UsageProblem

EVALS = 50
SEARCHES = 30


@click.command()
@click.option(
    "--recorded", type=click.Path(path_type=Path), help="Search in a space that was measured before."
)
@click.option("--evals", type=click.IntRange(min=1), default=EVALS, show_default=True, help="Runs at most.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same search."
)
@click.option(
    "--seeds", "searches", type=click.IntRange(min=1), help="With --recorded: so many searches. [default: 30]"
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes. [default: one for each core]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
def command(
    recorded: Path | None, evals: int, seed: int, searches: int | None, workers: int | None, as_json: bool
) -> None:
    """Find the fastest configuration of a program in few runs."""
    # Matrices are small: one thread is as fast as many, and sums do not depend on how many there are.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if recorded is None:
        raise UsageProblem("nothing to tune is given", "rocm-perf autotune --recorded FILE")
    _recorded(
        recorded, evals, range(seed, seed + (searches or SEARCHES)), workers or os.cpu_count() or 1, as_json
    )


def _recorded(file: Path, evals: int, seeds: range, workers: int, as_json: bool) -> None:
    from rocm_perf_lab.autotune.formats.read import read_recording
    from rocm_perf_lab.autotune.recorded import replay_all
    from rocm_perf_lab.autotune.search import SEEDS

    document = replay_all(read_recording(file), file, evals, seeds, SEEDS, workers)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.report.autotune_terminal import render_recorded

        click.echo(render_recorded(document), nl=False)
