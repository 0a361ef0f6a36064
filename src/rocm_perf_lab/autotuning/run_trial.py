"""Runs a trial where it is called: builds, measures, repeats what is good, checks. A failure is a result."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from rocm_perf_lab.autotuning.build import build
from rocm_perf_lab.autotuning.compiled import compiled
from rocm_perf_lab.autotuning.trial import TrialTask, TuningTrial
from rocm_perf_lab.contracts.changes.autotune import TrialFailure
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import (
    BadInput,
    EnvironmentProblem,
    Interrupted,
    NoKernels,
    NotReplayable,
    ProgramFailed,
    RocmPerfError,
    TimedOut,
    UsageProblem,
)
from rocm_perf_lab.profiling.folder.run_folder import LOGS, TIMING
from rocm_perf_lab.profiling.measure import measure
from rocm_perf_lab.profiling.passes.failures import check as check_outcome
from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.passes.run_rocprof import last_words
from rocm_perf_lab.profiling.processes.environment import pass_environment
from rocm_perf_lab.profiling.processes.process_group import run
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.profiling.wall_time import measure_wall_time
from rocm_perf_lab.rocm.find import find_prefix

Samples = tuple[list[float], Origin, Path]


class _Failed(Exception):
    """What a trial failed with."""

    def __init__(self, kind: TrialFailure, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def run_trial(task: TrialTask) -> TuningTrial:
    """Never raises for what the configuration does; an interrupt goes through."""
    began = time.monotonic()
    trial = TuningTrial(
        number=task.number,
        phase=task.phase,
        configuration=task.configuration,
        started=datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        host=os.uname().nodename,
        device=task.device,
    )
    try:
        task.folder.mkdir(parents=True, exist_ok=True)
        environment = pass_environment(ProfileRequest(task.command, device=task.device), find_prefix())
        trial = _built(task, trial, environment)
        if trial.failure is None:
            samples, origin, stdout = _measured(task, environment)
            if task.check is not None:
                _check(task, environment, stdout)
            trial = replace(trial, samples=tuple(samples), origin=origin)
    except _Failed as problem:
        trial = replace(trial, failure=problem.kind, message=problem.message)
    except EnvironmentProblem as problem:
        trial = replace(trial, failure="environment", message=problem.cause)
    except OSError as problem:
        trial = replace(trial, failure="environment", message=f"{task.folder}: {problem.strerror}")
    return replace(trial, seconds=time.monotonic() - began)


def _built(task: TrialTask, trial: TuningTrial, environment: dict[str, str]) -> TuningTrial:
    """The trial with what its build tells, which may be that it is over."""
    if task.build is None or task.build_folder is None:
        return trial
    built = build(task.build, task.build_folder, environment, task.timeout_s)
    trial = replace(trial, build_seconds=built.seconds)
    if not built.ok:
        return replace(trial, failure="compile", message=built.message)
    tells = compiled(task.build_folder, task.kernel)
    trial = replace(trial, static=tells.figures)
    return replace(trial, failure="launch", message=tells.never) if tells.never is not None else trial


def _measured(task: TrialTask, environment: dict[str, str]) -> Samples:
    take: dict[str, Callable[[TrialTask, int, int, dict[str, str]], Samples]] = {
        "gpu-time": _by_profile,
        "wall": _by_profile,
        "metric": _by_metric,
    }
    measured = take[task.objective] if task.capture is None else _by_replay
    samples, origin, stdout = measured(task, 1, task.runs, environment)
    better = min if not task.maximize else max
    first = better(samples)
    good = task.good is None or (first >= task.good if task.maximize else first <= task.good)
    # What is simulated repeats exactly; the wall time of a simulation does not.
    exact = origin == "simulated" and task.objective == "gpu-time"
    more = task.repeats - task.runs
    if good and more > 0 and not exact:
        further, _, _ = measured(task, 2, more, environment)
        samples = [*samples, *further]
    return samples, origin, stdout


def _by_profile(task: TrialTask, number: int, runs: int, environment: dict[str, str]) -> Samples:
    folder = task.folder / f"profile-{number}"
    shutil.rmtree(folder, ignore_errors=True)  # of an attempt that was killed
    request = ProfileRequest(
        task.command,
        runs=runs,
        kernel=task.kernel,
        out=folder,
        device=task.device,
        timeout=task.timeout_s,
        quiet=True,
    )
    profiler = measure if task.objective == "gpu-time" else measure_wall_time
    try:
        profiled = profiler(request, datetime.now(timezone.utc), Progress(enabled=False))
    except Interrupted:
        raise KeyboardInterrupt from None
    except TimedOut as problem:
        raise _Failed("timeout", problem.cause) from None
    except (ProgramFailed, NoKernels, UsageProblem, BadInput) as problem:
        raise _Failed("runtime", problem.cause) from None
    figures = profiled.profile.stability if task.objective == "gpu-time" else profiled.profile.wall_ms
    assert figures is not None
    if not task.keep:
        shutil.rmtree(folder / TIMING, ignore_errors=True)
    logs = sorted((folder / LOGS).glob("timing-*.stdout"))
    return list(figures.samples_ms), profiled.profile.origin, logs[-1]


def _by_replay(task: TrialTask, number: int, runs: int, environment: dict[str, str]) -> Samples:
    from rocm_perf_lab.autotuning.replay_trial import WrongResult, replay_times

    try:
        samples, origin = replay_times(task, runs)
    except Interrupted:
        raise KeyboardInterrupt from None
    except WrongResult as problem:
        raise _Failed("correctness", str(problem)) from None
    except TimedOut as problem:
        raise _Failed("timeout", problem.cause) from None
    except BadInput as problem:  # what was built is not the captured kernel
        raise _Failed("compile", problem.cause) from None
    except ProgramFailed as problem:
        raise _Failed("runtime", problem.cause) from None
    except NotReplayable as problem:
        raise EnvironmentProblem(problem.cause, problem.remedy) from None
    return samples, origin, task.folder / "replay"


def _by_metric(task: TrialTask, number: int, runs: int, environment: dict[str, str]) -> Samples:
    """The figure that the program prints itself."""
    assert task.metric is not None
    samples = []
    stdout = task.folder / "metric.stdout"
    for one in range(runs):
        stdout = task.folder / f"metric-{number}-{one + 1}.stdout"
        outcome = run(
            task.command,
            environment,
            stdout=stdout,
            stderr=stdout.with_suffix(".stderr"),
            timeout_s=task.timeout_s,
        )
        try:
            check_outcome(outcome, f"run {one + 1}", traced=False)
        except Interrupted:
            raise KeyboardInterrupt from None
        except TimedOut as problem:
            raise _Failed("timeout", problem.cause) from None
        except RocmPerfError as problem:
            raise _Failed("runtime", problem.cause) from None
        samples.append(_metric(task.metric, stdout))
    return samples, "measured", stdout


def _metric(pattern: str, stdout: Path) -> float:
    """The last figure that matches: programs print progress first and results last."""
    found = list(re.finditer(pattern, stdout.read_text(errors="replace"), re.MULTILINE))
    try:
        value = float(found[-1][1] if found[-1].re.groups else found[-1][0])
    except IndexError:
        raise _Failed("runtime", f"the program printed nothing that matches {pattern!r}") from None
    except (TypeError, ValueError):
        raise _Failed("runtime", f"what matches {pattern!r} is no number") from None
    if not 0 < value < float("inf"):
        raise _Failed("runtime", f"the figure {value:g} is not above zero")
    return value


def _check(task: TrialTask, environment: dict[str, str], stdout: Path) -> None:
    assert task.check is not None
    log = task.folder / "check.stdout"
    words = tuple(word.replace("\0stdout\0", str(stdout)) for word in task.check)
    outcome = run(words, environment, stdout=log, stderr=log.with_suffix(".stderr"), timeout_s=task.timeout_s)
    if outcome.interrupted:
        raise KeyboardInterrupt
    if outcome.timed_out:
        raise _Failed("timeout", f"the check was stopped after {outcome.wall_s:.1f} s")
    if not outcome.succeeded:
        said = last_words(log.with_suffix(".stderr"), 2) or last_words(log, 2)
        ending = how_it_ended(outcome.exit_code)
        raise _Failed("correctness", f"the check {ending}" + (f": {said}" if said else ""))
