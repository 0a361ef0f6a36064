"""``rocm-perf autotune``: the fastest configuration of a program in few runs."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocm_perf_lab.autotuning.request import TuningRequest
from rocm_perf_lab.cli.options.as_json import ONE_DOCUMENT
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.trust import asker
from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.autotuning.trial import TuningTrial
    from rocm_perf_lab.autotuning.tune import Tuning

SEARCHES = 30
_FILE = click.Path(path_type=Path)
SPACE = click.option("--space", "space_file", type=_FILE, help="Parameters and constraints, or T1. (JSON)")
RECORDED = click.option("--recorded", type=_FILE, help="Instead: search in a space that was measured before.")
SEEDS = click.option(
    "--seeds", "searches", type=click.IntRange(min=1), help="With --recorded: searches. [default: 30]"
)
QUIET = click.option("--quiet", is_flag=True, help="Print the best configuration as JSON, and nothing else.")


@click.command()
@request_options(
    TuningRequest,
    *(SPACE, "cmd_template", "build_template", "capture", "trust", ..., RECORDED, SEEDS, QUIET, ONE_DOCUMENT),
)
def command(
    space_file: Path | None,
    recorded: Path | None,
    searches: int | None,
    evals: int,
    seed: int,
    workers: int | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the fastest configuration of a program in few runs.

    The space of configurations is sampled, a model learns which of them are fast, and those it expects most
    of are run: never more than --evals. The best is confirmed against the runner-up and the baseline.

    \b
      rocm-perf autotune --space space.json --cmd-template "./kernel --bm {BLOCK_M} --bn {BLOCK_N}"
      rocm-perf autotune --recorded cache.json --evals 100 --seeds 30
    """
    # Matrices are small: one thread is as fast as many, and sums do not depend on how many there are.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if recorded is not None:
        _recorded(recorded, evals, seed, searches or SEARCHES, workers, as_json)
        return
    if searches is not None:
        raise UsageProblem("--seeds has a meaning with --recorded only", "give --seed")
    if space_file is None:
        raise UsageProblem("--space is missing", 'rocm-perf autotune --space s.json --cmd-template "./k {N}"')
    from rocm_perf_lab.api.autotune import autotune

    tuned = autotune(
        space_file,
        evals=evals,
        seed=seed,
        workers=workers,
        ask=asker(),
        tell=None if quiet else _tell,
        **options,
    )
    if quiet:
        click.echo(json.dumps(tuned.document.best.configuration))
    elif as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(tuned.document))
    else:
        from rocm_perf_lab.reporting.terminal.autotune import render

        click.echo(render(tuned.document, tuned.folder), nl=False)


def _recorded(file: Path, evals: int, seed: int, seeds: int, workers: int | None, as_json: bool) -> None:
    from rocm_perf_lab.api.autotune import search_recorded

    document = search_recorded(file, evals=evals, seed=seed, seeds=seeds, workers=workers)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.autotune import render_recorded

        click.echo(render_recorded(document), nl=False)


def _tell(trial: TuningTrial, tuning: Tuning) -> None:
    """A line on stderr for each trial; a terminal shows what a long tuning does."""
    from rocm_perf_lab.reporting.terminal.autotune import trial_line

    best = tuning.search.best
    value = tuning.value_of(best[1]) if best else None
    most = tuning.settings.evals
    if tuning.pool.complete:
        most = min(most, len(tuning.pool.levels))
    line = trial_line(trial.phase, len(tuning.search.tried), most, trial.configuration)
    time = tuning.settings.objective != "metric"
    from rocm_perf_lab.reporting.terminal.autotune import figure

    took = figure(trial.value, time) if trial.value is not None else str(trial.failure)
    click.echo(f"{line}  {took}" + (f"  best {figure(value, time)}" if value is not None else ""), err=True)
