"""``rocm-perf autotune``: the fastest configuration of a program in few runs."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocm_perf_lab.cli.options.executor import executor_options
from rocm_perf_lab.cli.options.trust import asker, trust_option
from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.autotuning.trial import TuningTrial
    from rocm_perf_lab.autotuning.tune import Tuning

SEARCHES = 30
_FILE = click.Path(path_type=Path)
_POSITIVE = click.FloatRange(min=0, min_open=True)


@click.command()
@click.option("--space", "space_file", type=_FILE, help="Parameters and constraints, or T1. (JSON)")
@click.option("--cmd-template", help='The program: "./kernel --bm {BLOCK_M}". No shell runs it.')
@click.option("--build-template", help='Builds a variant: "hipcc -DBM={BLOCK_M} k.hip -o {build}/k".')
@click.option("--capture", type=_FILE, help="Instead of --cmd-template: replay this with what was built.")
@trust_option
@click.option("--build-jobs", type=click.IntRange(min=1), help="Builds at once. [default: cores, at most 8]")
@click.option("--check", help="A command that fails where the output is wrong; {stdout} is a file with it.")
@click.option("--evals", type=click.IntRange(min=1), default=50, show_default=True, help="Runs at most.")
@click.option("--budget", metavar="TIME", help="No new trial after this long: 90s, 10m, 2h.")
@click.option("--objective", type=click.Choice(("gpu-time", "wall", "metric")), default="gpu-time")
@click.option(
    "--metric", metavar="REGEX", help="The figure that the program prints; its group is the number."
)
@click.option("--maximize", is_flag=True, help="The figure of --metric is to be large.")
@click.option("--kernel", metavar="REGEX", help="GPU time of kernels whose name matches somewhere only.")
@click.option("--baseline", metavar="JSON|A=1,B=2", help="The configuration in use today.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same search."
)
@click.option(
    "--seed-fraction", type=click.FloatRange(0, 1), help="Share of --evals before the model chooses."
)
@click.option(
    "--prune-factor", type=click.FloatRange(min=1), help="Not run: expected to take so many times the best."
)
@click.option(
    "--repeats", type=click.IntRange(min=1), default=5, show_default=True, help="Runs of good ones."
)
@click.option("--timeout", type=_POSITIVE, help="Seconds that a run or a build may take.")
@executor_options
@click.option("--batch", type=click.IntRange(min=1), help="Suggest and await so many together.")
@click.option("--out", type=_FILE, help="Folder. [default: a new .rocm-perf/<run>]")
@click.option("--resume", is_flag=True, help="Go on with the tuning in --out, or the last one like this.")
@click.option("--keep-traces", is_flag=True, help="Keep the traces of all trials.")
@click.option("--import", "imported", type=_FILE, help="Results to learn from: Kernel Tuner cache or T4.")
@click.option("--export-t4", type=_FILE, help="Write results there, in T4.")
@click.option("--export-kernel-tuner", type=_FILE, help="Write results there, as a Kernel Tuner cache.")
@click.option("--recorded", type=_FILE, help="Instead: search in a space that was measured before.")
@click.option(
    "--seeds", "searches", type=click.IntRange(min=1), help="With --recorded: searches. [default: 30]"
)
@click.option("--quiet", is_flag=True, help="Print the best configuration as JSON, and nothing else.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
def command(
    recorded: Path | None, searches: int | None, evals: int, seed: int, as_json: bool, **options: Any
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
        _recorded(recorded, evals, seed, searches or SEARCHES, options["workers"], as_json)
        return
    if searches is not None:
        raise UsageProblem("--seeds has a meaning with --recorded only", "give --seed")
    space = options.pop("space_file")
    if space is None:
        raise UsageProblem("--space is missing", 'rocm-perf autotune --space s.json --cmd-template "./k {N}"')
    from rocm_perf_lab.api.autotune import autotune

    quiet = options.pop("quiet")
    tuned = autotune(space, evals=evals, seed=seed, ask=asker(), tell=None if quiet else _tell, **options)
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
