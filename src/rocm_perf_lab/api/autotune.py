"""Finds the fastest configuration of a program in few runs, as ``rocm-perf autotune`` does."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.autotuning.request import TuningRequest
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.values import AnyPath, at_least, path_of, seconds

if TYPE_CHECKING:
    from rocm_perf_lab.autotuning.settings import TuningSettings
    from rocm_perf_lab.autotuning.space import Configuration, Space
    from rocm_perf_lab.autotuning.template import Template
    from rocm_perf_lab.autotuning.trial import TuningTrial
    from rocm_perf_lab.autotuning.tune import Tuning
    from rocm_perf_lab.contracts.changes.autotune import RecordedSearchDocument, TuningDocument

LEAST_ROUNDS = 7  # of the final: the fewest of which signed ranks make an interval for two comparisons


@dataclass(frozen=True)
class Tuned:
    """What a tuning found, and the folder that keeps it."""

    folder: Path
    document: TuningDocument
    """tuning.json; ``document.best.configuration`` is the answer."""


@keywords_of(TuningRequest)
def autotune(request: TuningRequest) -> Tuned:
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

    settings = _settings(request)
    if settings.capture is not None:
        require_capture(settings.capture, request.trust, request.ask)
    tuning = Tuning(settings, make_executor(request, run_trial, given_up), request.tell or _silent)
    if request.imported is not None:
        _import(tuning, Path(request.imported))
    tuning.run(request.resume)
    document = tuning_document(tuning)
    write_whole(settings.folder / PAGE, [page(document).encode()])
    write_whole(settings.folder / DOCUMENT, [to_json(document).encode()])  # last: it says that all is there
    _export(tuning, request)
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


def _settings(request: TuningRequest) -> TuningSettings:
    from rocm_perf_lab.autotuning.folder import tuning_folder
    from rocm_perf_lab.autotuning.formats.space_file import read_space
    from rocm_perf_lab.autotuning.search import SEEDS
    from rocm_perf_lab.autotuning.settings import TuningSettings
    from rocm_perf_lab.autotuning.template import BUILD, STDOUT, parse_template

    space = read_space(Path(request.space))
    built = (BUILD,) if request.build_template else ()
    for reserved in (BUILD, STDOUT):
        if reserved in space.names:
            raise UsageProblem(f"a parameter cannot be called {reserved!r}: templates use that name")
    capture = _capture(request)
    fraction = request.seed_fraction
    build, check = request.build_template, request.check
    settings = TuningSettings(
        space=space,
        command=_replay_command(capture)
        if capture
        else parse_template(request.cmd_template or "", space.names, built, "--cmd-template"),
        capture=capture,
        build=parse_template(build, space.names, built, "--build-template") if build else None,
        check=parse_template(check, space.names, (*built, STDOUT), "--check") if check else None,
        folder=Path(),
        objective=request.objective,
        metric=request.metric,
        maximize=request.maximize,
        kernel=request.kernel,
        baseline=_baseline(request.baseline, space),
        evals=request.evals,
        budget_s=seconds(request.budget),
        seed=request.seed,
        seeds=SEEDS if fraction is None else max(2, round(fraction * request.evals)),
        prune_factor=request.prune_factor,
        repeats=request.repeats,
        rounds=max(LEAST_ROUNDS, request.repeats),
        timeout_s=request.timeout,
        build_jobs=_build_jobs(request),
        batch=request.batch,
        keep=request.keep_traces,
    )
    return tuning_folder(settings, path_of(request.out), request.resume, datetime.now(timezone.utc))


def _capture(request: TuningRequest) -> Path | None:
    if request.capture is None:
        return None
    from rocm_perf_lab.capturing.folder import open_capture

    capture = Path(request.capture)
    open_capture(capture)
    return capture.absolute()


def _replay_command(capture: Path) -> Template:
    """What shows the best variant by itself."""
    from rocm_perf_lab.autotuning.replay_trial import VARIANT
    from rocm_perf_lab.autotuning.template import Template

    return Template(("rocm-perf", "replay", "validate", str(capture), "--hsaco", f"{{build}}/{VARIANT}"))


def _build_jobs(request: TuningRequest) -> int:
    """Other machines build for themselves."""
    if request.executor == "dask":
        return 1
    return int(request.build_jobs or min(8, os.cpu_count() or 1))


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


def _export(tuning: Tuning, request: TuningRequest) -> None:
    from rocm_perf_lab.autotuning.formats.kernel_tuner import write_cache
    from rocm_perf_lab.autotuning.formats.recording import result_of
    from rocm_perf_lab.autotuning.formats.t4 import write_t4

    kept = [trial for trial in tuning.trials if trial.phase != "final" and trial.failure not in ("worker",)]
    results = [result_of(trial.configuration, trial.value, trial.failure, trial.samples) for trial in kept]
    if request.export_t4 is not None:
        write_t4(
            Path(request.export_t4), [(one, trial.started) for one, trial in zip(results, kept, strict=True)]
        )
    if request.export_kernel_tuner is not None:
        kernel = request.kernel or tuning.settings.command.words[0]
        write_cache(Path(request.export_kernel_tuner), tuning.settings.space, results, kernel, "")


def _silent(trial: TuningTrial, tuning: Tuning) -> None:
    pass
