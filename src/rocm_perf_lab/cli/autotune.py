"""``rocm-perf autotune``: the fastest configuration of a program in few runs."""

from __future__ import annotations

import json
import os
import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocm_perf_lab.cli.executor_options import executor_options, make_executor
from rocm_perf_lab.cli.kernel_pattern import kernel_pattern
from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.autotune.settings import Settings
    from rocm_perf_lab.autotune.space import Configuration, Space
    from rocm_perf_lab.autotune.template import Template
    from rocm_perf_lab.autotune.trial import Trial
    from rocm_perf_lab.autotune.tune import Tuning

SEARCHES = 30
LEAST_ROUNDS = 7  # of the final: the fewest of which signed ranks make an interval for two comparisons
_FILE = click.Path(path_type=Path)
_POSITIVE = click.FloatRange(min=0, min_open=True)


@click.command()
@click.option("--space", "space_file", type=_FILE, help="Parameters and constraints, or T1. (JSON)")
@click.option("--cmd-template", help='The program: "./kernel --bm {BLOCK_M}". No shell runs it.')
@click.option("--build-template", help='Builds a variant: "hipcc -DBM={BLOCK_M} k.hip -o {build}/k".')
@click.option("--capture", type=_FILE, help="Instead of --cmd-template: replay this with what was built.")
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
        workers = options["workers"] or os.cpu_count() or 1
        _recorded(recorded, evals, range(seed, seed + (searches or SEARCHES)), workers, as_json)
        return
    if searches is not None:
        raise UsageProblem("--seeds has a meaning with --recorded only", "give --seed")
    for name in ("space_file", "cmd_template"):
        if options[name] is None and not (name == "cmd_template" and options["capture"]):
            option = {"space_file": "--space", "cmd_template": "--cmd-template"}[name]
            raise UsageProblem(
                f"{option} is missing", 'rocm-perf autotune --space s.json --cmd-template "./k {N}"'
            )
    _live(evals, seed, as_json, options)


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


def _live(evals: int, seed: int, as_json: bool, options: dict[str, Any]) -> None:
    from rocm_perf_lab.autotune.document import tuning_document
    from rocm_perf_lab.autotune.files import DOCUMENT, PAGE
    from rocm_perf_lab.autotune.run_trial import run_trial
    from rocm_perf_lab.autotune.trial import given_up
    from rocm_perf_lab.autotune.tune import Tuning
    from rocm_perf_lab.contracts.documents import to_json

    settings = _settings(evals, seed, options)
    executor = make_executor(options, run_trial, given_up)
    tuning = Tuning(settings, executor, _silent if options["quiet"] else _tell)
    if options["imported"] is not None:
        _import(tuning, options["imported"])
    tuning.run(options["resume"])
    document = tuning_document(tuning)
    text = to_json(document)
    from rocm_perf_lab.report.html.tuning_page import render as page

    (settings.folder / DOCUMENT).write_text(text, encoding="utf-8")
    (settings.folder / PAGE).write_text(page(document), encoding="utf-8")
    _export(tuning, options)
    if options["quiet"]:
        click.echo(json.dumps(document.best.configuration))
    elif as_json:
        sys.stdout.write(text)
    else:
        from rocm_perf_lab.report.autotune_terminal import render

        click.echo(render(document, settings.folder), nl=False)


def _settings(evals: int, seed: int, options: dict[str, Any]) -> Settings:
    from rocm_perf_lab.autotune.folder import tuning_folder
    from rocm_perf_lab.autotune.formats.space_file import read_space
    from rocm_perf_lab.autotune.search import SEEDS
    from rocm_perf_lab.autotune.settings import Settings
    from rocm_perf_lab.autotune.template import BUILD, STDOUT, parse_template

    space = read_space(options["space_file"])
    built = (BUILD,) if options["build_template"] else ()
    for reserved in (BUILD, STDOUT):
        if reserved in space.names:
            raise UsageProblem(f"a parameter cannot be called {reserved!r}: templates use that name")
    kernel_pattern(options["kernel"])
    _check_objective(options)
    capture = _capture(options)
    fraction = options["seed_fraction"]
    build, check = options["build_template"], options["check"]
    settings = Settings(
        space=space,
        command=_replay_command(capture)
        if capture
        else parse_template(options["cmd_template"], space.names, built, "--cmd-template"),
        capture=capture,
        build=parse_template(build, space.names, built, "--build-template") if build else None,
        check=parse_template(check, space.names, (*built, STDOUT), "--check") if check else None,
        folder=Path(),
        objective=options["objective"],
        metric=options["metric"],
        maximize=options["maximize"],
        kernel=options["kernel"],
        baseline=_baseline(options["baseline"], space),
        evals=evals,
        budget_s=None if options["budget"] is None else _seconds(options["budget"]),
        seed=seed,
        seeds=SEEDS if fraction is None else max(2, round(fraction * evals)),
        prune_factor=options["prune_factor"],
        repeats=options["repeats"],
        rounds=max(LEAST_ROUNDS, options["repeats"]),
        timeout_s=options["timeout"],
        build_jobs=_build_jobs(options),
        batch=options["batch"],
        keep=options["keep_traces"],
    )
    return tuning_folder(settings, options["out"], options["resume"], datetime.now(timezone.utc))


def _capture(options: dict[str, Any]) -> Path | None:
    given: Path | None = options["capture"]
    if given is None:
        return None
    if (
        options["cmd_template"] is not None
        or options["check"] is not None
        or options["objective"] != "gpu-time"
    ):
        raise UsageProblem(
            "--capture replays a kernel and compares memory: no command, check or other objective",
            "leave the others out",
        )
    if options["build_template"] is None:
        raise UsageProblem("--capture needs variants", 'add --build-template "hipcc … -o {build}/k"')
    from rocm_perf_lab.capture.folder import open_capture

    open_capture(given)
    return given.absolute()


def _replay_command(capture: Path) -> Template:
    """What shows the best variant by itself."""
    from rocm_perf_lab.autotune.replay_trial import VARIANT
    from rocm_perf_lab.autotune.template import Template

    return Template(("rocm-perf", "replay", "validate", str(capture), "--hsaco", f"{{build}}/{VARIANT}"))


def _build_jobs(options: dict[str, Any]) -> int:
    """Other machines build for themselves."""
    if options["executor"] == "dask":
        return 1
    return int(options["build_jobs"] or min(8, os.cpu_count() or 1))


def _check_objective(options: dict[str, Any]) -> None:
    metric = options["metric"]
    if (options["objective"] == "metric") != (metric is not None):
        raise UsageProblem("--objective metric and --metric REGEX go together", "give both or none")
    if options["maximize"] and metric is None:
        raise UsageProblem("times are to be small; --maximize is for --metric", "leave it out")
    if metric is not None:
        try:
            re.compile(metric)
        except re.error as problem:
            raise UsageProblem(f"--metric {metric!r} is not a regular expression: {problem}") from None
    if options["kernel"] is not None and options["objective"] != "gpu-time":
        raise UsageProblem("--kernel is for --objective gpu-time", "leave one of them out")


def _seconds(text: str) -> float:
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([smh]?)\s*", text)
    if found is None or float(found[1]) == 0:
        raise UsageProblem(f"--budget {text!r} is no time", "for example --budget 10m")
    return float(found[1]) * {"s": 1, "m": 60, "h": 3600, "": 1}[found[2]]


def _baseline(text: str | None, space: Space) -> Configuration | None:
    """``{"A": 1}`` or ``A=1,B=x``; without it what the space calls so."""
    if text is None:
        given: Any = space.default
        if given is None:
            return None
    elif text.lstrip().startswith("{"):
        try:
            given = json.loads(text)
        except ValueError as problem:
            raise UsageProblem(f"--baseline is not JSON: {problem}") from None
    else:
        from rocm_perf_lab.autotune.template import written

        pairs = [part.partition("=") for part in text.split(",")]
        named = {name.strip(): value.strip() for name, _, value in pairs}
        given = {
            parameter.name: next(
                (value for value in parameter.values if written(value) == named.get(parameter.name)),
                named.get(parameter.name),
            )
            for parameter in space.parameters
            if parameter.name in named
        }
        unknown = sorted(set(named) - set(space.names))
        if unknown:
            raise UsageProblem(f"--baseline names {unknown[0]!r}, which is no parameter")
    # A parameter with one value needs no mention.
    only = {one.name: one.values[0] for one in space.parameters if len(one.values) == 1}
    configuration: Configuration = space.configuration(space.levels_of({**only, **given}))
    return configuration


def _import(tuning: Tuning, file: Path) -> None:
    from rocm_perf_lab.autotune.formats.read import read_recording

    recording = read_recording(file)
    known = {recording.space.names[place]: place for place in range(len(recording.space.names))}
    if set(known) != set(tuning.settings.space.names):
        raise UsageProblem(f"{file} has other parameters than the space", "import results of the same space")
    configurations = [recording.space.configuration(row) for row in recording.levels]
    tuning.learn_before(configurations, recording.times)


def _export(tuning: Tuning, options: dict[str, Any]) -> None:
    from rocm_perf_lab.autotune.formats.kernel_tuner import write_cache
    from rocm_perf_lab.autotune.formats.recording import result_of
    from rocm_perf_lab.autotune.formats.t4 import write_t4

    kept = [trial for trial in tuning.trials if trial.phase != "final" and trial.failure not in ("worker",)]
    results = [result_of(trial.configuration, trial.value, trial.failure, trial.samples) for trial in kept]
    if options["export_t4"] is not None:
        write_t4(
            options["export_t4"], [(one, trial.started) for one, trial in zip(results, kept, strict=True)]
        )
    if options["export_kernel_tuner"] is not None:
        kernel = options["kernel"] or tuning.settings.command.words[0]
        write_cache(options["export_kernel_tuner"], tuning.settings.space, results, kernel, "")


def _silent(trial: Trial, tuning: Tuning) -> None:
    pass


def _tell(trial: Trial, tuning: Tuning) -> None:
    """A line on stderr for each trial; a terminal shows what a long tuning does."""
    from rocm_perf_lab.report.autotune_terminal import trial_line

    best = tuning.search.best
    value = tuning.value_of(best[1]) if best else None
    line = trial_line(trial.phase, len(tuning.search.tried), tuning.settings.evals, trial.configuration)
    time = tuning.settings.objective != "metric"
    from rocm_perf_lab.report.autotune_terminal import figure

    took = figure(trial.value, time) if trial.value is not None else str(trial.failure)
    click.echo(f"{line}  {took}" + (f"  best {figure(value, time)}" if value is not None else ""), err=True)
