"""Profiles without a profiler: the wall time of the process and its scatter, nothing about the GPU."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime

from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.profiling.profile import Pass, ProfileDocument, Setting
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.profiling.folder.run_folder import PROFILE, SETTING, point_latest
from rocm_perf_lab.profiling.folder.setting import describe_setting
from rocm_perf_lab.profiling.folder.unfinished import UnfinishedMark, new_run
from rocm_perf_lab.profiling.passes.execution import planned
from rocm_perf_lab.profiling.passes.failures import check, keeping
from rocm_perf_lab.profiling.processes.command_line import find_program
from rocm_perf_lab.profiling.processes.environment import pass_environment
from rocm_perf_lab.profiling.processes.process_group import run
from rocm_perf_lab.profiling.profiled import Profiled
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.rocm.find import Prefix, find_prefix

NOT_TRACED = "--no-rocprof: the GPU was not looked at"
SIMULATED = "the program ran on the virtual ROCm: its wall time is that of a simulation, not of a GPU"


def measure_wall_time(request: ProfileRequest, now: datetime, progress: Progress) -> Profiled:
    """Runs the program by itself, warm-up runs first."""
    prefix = _prefix_if_any()
    environment = pass_environment(request, prefix)
    find_program(request.command[0], environment)
    setting = describe_setting(request.command, prefix, environment, None, now)
    mark = new_run(request, now)
    with keeping(mark.folder):
        mark.folder.write(SETTING, json.dumps(asdict(setting), indent=2, ensure_ascii=False) + "\n")
        _run_all(request, environment, mark, progress)
        warnings = (SIMULATED,) if prefix and prefix.kind == "virtual" else ()
        return _write(mark, _document(mark.state.passes, setting, warnings))


def _run_all(
    request: ProfileRequest, environment: dict[str, str], mark: UnfinishedMark, progress: Progress
) -> None:
    executions = planned(request.warmup, request.runs)
    progress.plan(len(executions))
    for execution in executions:
        name = execution.name
        progress.begin(execution.label)
        outcome = run(
            request.command,
            environment,
            stdout=mark.folder.log(name, "stdout"),
            stderr=mark.folder.log(name, "stderr"),
            timeout_s=request.timeout,
            show=request.debug,
            tick=progress.ticker,
        )
        check(outcome, name, traced=False)
        mark.ended(
            Pass(
                purpose=execution.purpose,
                databases=(),
                counters=(),
                exit_code=outcome.exit_code,
                gpu_time_ms=None,
                wall_ms=outcome.wall_s * 1e3,
            )
        )


def _document(passes: tuple[Pass, ...], setting: Setting, warnings: tuple[str, ...]) -> ProfileDocument:
    samples = [taken.wall_ms for taken in passes if taken.purpose == "timing" and taken.wall_ms is not None]
    absent = ("kernel", "gpu", "runtime_ms", "stability", "resources", "occupancy", "roofline")
    return ProfileDocument(
        origin="measured",
        missing=dict.fromkeys(absent, NOT_TRACED),
        kernel=None,
        gpu=None,
        gpus=(),
        runtime_ms=None,
        stability=None,
        resources=None,
        occupancy=None,
        roofline=None,
        kernels=(),
        wall_ms=stability(samples, "measured"),
        passes=passes,
        setting=setting,
        warnings=warnings,
    )


def _write(mark: UnfinishedMark, document: ProfileDocument) -> Profiled:
    from rocm_perf_lab.contracts.documents import to_json

    text = to_json(document)
    mark.folder.write(PROFILE, text)
    mark.remove()
    point_latest(mark.folder)
    return Profiled(document, text, mark.folder.path)


def _prefix_if_any() -> Prefix | None:
    try:
        return find_prefix()
    except EnvironmentProblem:
        return None  # a program that needs no ROCm can be timed without one
