"""Profiles a program: warm-up, timing and counter passes into a run folder, then the documents.

What reads traces and writes documents is imported while the first pass runs: a short program is then profiled
in little more time than rocprofv3 takes by itself.
"""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime
from typing import TYPE_CHECKING

from rocm_perf_lab.profiling.folder.unfinished import new_run
from rocm_perf_lab.profiling.passes.execution import ProgramExecution, execute, planned
from rocm_perf_lab.profiling.passes.failures import check, keeping
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof, find_rocprof
from rocm_perf_lab.profiling.processes.command_line import find_program
from rocm_perf_lab.profiling.processes.environment import pass_environment
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.rocm.find import find_prefix

if TYPE_CHECKING:
    from rocm_perf_lab.profiling.profiled import Profiled
    from rocm_perf_lab.profiling.session import Session


def measure(request: ProfileRequest, now: datetime, progress: Progress) -> Profiled:
    """Everything that ``rocm-perf profile`` does, except for showing it."""
    prefix = find_prefix()
    environment = pass_environment(request, prefix)
    program = find_program(request.command[0], environment)
    rocprof = Rocprof(
        find_rocprof(prefix), request.command, environment, request.timeout, request.debug, request.quiet
    )
    mark = new_run(request, now)
    folder = mark.folder
    opened: list[Session] = []

    def open_session() -> None:
        from rocm_perf_lab.profiling.session import Session

        opened.append(Session.open(request, program, mark, rocprof, prefix, progress, now, until))

    def take(execution: ProgramExecution) -> None:
        progress.begin(execution.label)
        outcome = execute(
            execution, rocprof, folder, progress.ticker, meanwhile=None if opened else open_session
        )
        if not opened:  # interrupted before the session was open
            check(outcome, execution.name, traced=True)
        opened[0].take(execution, outcome)

    with keeping(folder), ExitStack() as until:
        executions = planned(request.warmup, request.runs)
        progress.plan(len(executions))
        for execution in executions:
            take(execution)
        return opened[0].conclude()
