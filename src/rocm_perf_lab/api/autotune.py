"""Finds the fastest configuration of a program in few runs, as ``rocm-perf autotune`` does."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.values import AnyPath, at_least, kernel_pattern, path_of, positive, seconds

if TYPE_CHECKING:
    from rocm_perf_lab.autotuning.settings import TuningSettings
    from rocm_perf_lab.autotuning.space import Configuration, Space
    from rocm_perf_lab.autotuning.template import Template
    from rocm_perf_lab.autotuning.trial import TuningTrial
    from rocm_perf_lab.autotuning.tune import Tuning
    from rocm_perf_lab.contracts.changes.autotune import RecordedSearchDocument, TuningDocument
    from rocm_perf_lab.trust import Ask

LEAST_ROUNDS = 7  # of the final: the fewest of which signed ranks make an interval for two comparisons


@dataclass(frozen=True)
class Tuned:
    """What a tuning found, and the folder that keeps it."""

    folder: Path
    document: TuningDocument
    """tuning.json; ``document.best.configuration`` is the answer."""


def autotune(
    space: AnyPath,
    *,
    cmd_template: str | None = None,
    build_template: str | None = None,
    capture: AnyPath | None = None,
    build_jobs: int | None = None,
    check: str | None = None,
    evals: int = 50,
    budget: str | float | None = None,
    objective: Literal["gpu-time", "wall", "metric"] = "gpu-time",
    metric: str | None = None,
    maximize: bool = False,
    kernel: str | None = None,
    baseline: str | Mapping[str, Any] | None = None,
    seed: int = 0,
    seed_fraction: float | None = None,
    prune_factor: float | None = None,
    repeats: int = 5,
    timeout: float | None = None,
    executor: Literal["inline", "local", "dask"] = "inline",
    workers: int | None = None,
    scheduler: str | None = None,
    deadline: float | None = None,
    batch: int | None = None,
    out: AnyPath | None = None,
    resume: bool = False,
    keep_traces: bool = False,
    imported: AnyPath | None = None,
    export_t4: AnyPath | None = None,
    export_kernel_tuner: AnyPath | None = None,
    trust: bool = False,
    ask: Ask | None = None,
    tell: Callable[[TuningTrial, Tuning], None] | None = None,
) -> Tuned:
    """Find the fastest configuration of a program in few runs: never more than ``evals``.

    Keywords are the options of ``rocm-perf autotune`` (``imported`` is ``--import``); ``space`` is a file
    with parameters and constraints, ``cmd_template`` the program with ``{PARAMETER}`` where a value goes,
    ``budget`` seconds or a text such as ``"10m"``. A ``capture`` that was not made here is replayed only with
    ``trust``, or if ``ask`` says so. ``tell`` is called after each trial.
    """
    from rocm_perf_lab.api.arguments.executor import make_executor
    from rocm_perf_lab.autotuning.document import tuning_document
    from rocm_perf_lab.autotuning.files import DOCUMENT, PAGE
    from rocm_perf_lab.autotuning.run_trial import run_trial
    from rocm_perf_lab.autotuning.trial import given_up
    from rocm_perf_lab.autotuning.tune import Tuning
    from rocm_perf_lab.capturing.foreign_capture import require_capture
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.reporting.html.tuning_page import render as page
    from rocm_perf_lab.reporting.whole_file import write_whole

    at_least(1, evals=evals, repeats=repeats)
    at_least(0, seed=seed)
    positive(timeout=timeout, deadline=deadline)
    if cmd_template is None and capture is None:
        raise UsageProblem(
            "--cmd-template is missing", 'rocm-perf autotune --space s.json --cmd-template "./k {N}"'
        )
    options: dict[str, Any] = {
        "space_file": Path(space),
        "cmd_template": cmd_template,
        "build_template": build_template,
        "capture": path_of(capture),
        "build_jobs": build_jobs,
        "check": check,
        "budget": budget,
        "objective": objective,
        "metric": metric,
        "maximize": maximize,
        "kernel": kernel,
        "baseline": baseline,
        "seed_fraction": seed_fraction,
        "prune_factor": prune_factor,
        "repeats": repeats,
        "timeout": timeout,
        "executor": executor,
        "workers": workers,
        "scheduler": scheduler,
        "deadline": deadline,
        "batch": batch,
        "out": path_of(out),
        "resume": resume,
        "keep_traces": keep_traces,
        "export_t4": path_of(export_t4),
        "export_kernel_tuner": path_of(export_kernel_tuner),
    }
    settings = _settings(evals, seed, options)
    if settings.capture is not None:
        require_capture(settings.capture, trust, ask)
    tuning = Tuning(settings, make_executor(options, run_trial, given_up), tell or _silent)
    if imported is not None:
        _import(tuning, Path(imported))
    tuning.run(resume)
    document = tuning_document(tuning)
    write_whole(settings.folder / PAGE, [page(document).encode()])
    write_whole(settings.folder / DOCUMENT, [to_json(document).encode()])  # last: it says that all is there
    _export(tuning, options)
    return Tuned(settings.folder, document)


def search_recorded(
    recorded: AnyPath, *, evals: int = 50, seed: int = 0, seeds: int = 30, workers: int | None = None
) -> RecordedSearchDocument:
    """Search in a space that was measured before, ``seeds`` times from ``seed`` on, and say how good the
    search is, as ``rocm-perf autotune --recorded`` does."""
    from rocm_perf_lab.autotuning.formats.read import read_recording
    from rocm_perf_lab.autotuning.recorded import replay_all
    from rocm_perf_lab.autotuning.search import SEEDS

    at_least(1, evals=evals, seeds=seeds)
    file = Path(recorded)
    wanted = range(seed, seed + seeds)
    return replay_all(read_recording(file), file, evals, wanted, SEEDS, workers or os.cpu_count() or 1)


def _settings(evals: int, seed: int, options: dict[str, Any]) -> TuningSettings:
    from rocm_perf_lab.autotuning.folder import tuning_folder
    from rocm_perf_lab.autotuning.formats.space_file import read_space
    from rocm_perf_lab.autotuning.search import SEEDS
    from rocm_perf_lab.autotuning.settings import TuningSettings
    from rocm_perf_lab.autotuning.template import BUILD, STDOUT, parse_template

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
    settings = TuningSettings(
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
        budget_s=seconds(options["budget"]),
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
    from rocm_perf_lab.capturing.folder import open_capture

    open_capture(given)
    return given.absolute()


def _replay_command(capture: Path) -> Template:
    """What shows the best variant by itself."""
    from rocm_perf_lab.autotuning.replay_trial import VARIANT
    from rocm_perf_lab.autotuning.template import Template

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


def _baseline(text: str | Mapping[str, Any] | None, space: Space) -> Configuration | None:
    """``{"A": 1}`` or ``A=1,B=x``; without it what the space calls so."""
    if text is None:
        given: Any = space.default
        if given is None:
            return None
    elif isinstance(text, Mapping):
        given = text
    elif text.lstrip().startswith("{"):
        try:
            given = json.loads(text)
        except ValueError as problem:
            raise UsageProblem(f"--baseline is not JSON: {problem}") from None
    else:
        from rocm_perf_lab.autotuning.template import written

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
    from rocm_perf_lab.autotuning.formats.read import read_recording

    recording = read_recording(file)
    known = {recording.space.names[place]: place for place in range(len(recording.space.names))}
    if set(known) != set(tuning.settings.space.names):
        raise UsageProblem(f"{file} has other parameters than the space", "import results of the same space")
    configurations = [recording.space.configuration(row) for row in recording.levels]
    tuning.learn_before(configurations, recording.times)


def _export(tuning: Tuning, options: dict[str, Any]) -> None:
    from rocm_perf_lab.autotuning.formats.kernel_tuner import write_cache
    from rocm_perf_lab.autotuning.formats.recording import result_of
    from rocm_perf_lab.autotuning.formats.t4 import write_t4

    kept = [trial for trial in tuning.trials if trial.phase != "final" and trial.failure not in ("worker",)]
    results = [result_of(trial.configuration, trial.value, trial.failure, trial.samples) for trial in kept]
    if options["export_t4"] is not None:
        write_t4(
            options["export_t4"], [(one, trial.started) for one, trial in zip(results, kept, strict=True)]
        )
    if options["export_kernel_tuner"] is not None:
        kernel = options["kernel"] or tuning.settings.command.words[0]
        write_cache(options["export_kernel_tuner"], tuning.settings.space, results, kernel, "")


def _silent(trial: TuningTrial, tuning: Tuning) -> None:
    pass
