"""Analyses a trace in a process of its own: what breaks there breaks nothing here, and many run at once."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.failure import Failure, FailureDocument, failure_document
from rocm_perf_lab.errors import BadInput, EnvironmentProblem
from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.passes.run_rocprof import last_words
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome, run
from rocm_perf_lab.trace_batch.task import TraceResult, TraceTask
from vrocm.isolated import command_line


def run_task(task: TraceTask) -> TraceResult:
    """Never raises for what the trace is; an interrupt goes through."""
    began = time.monotonic()
    words = command_line("rocm_perf_lab", "analyze", "--json", "--out", str(task.folder))
    with tempfile.TemporaryDirectory(prefix="rocm-perf-analyze-") as scratch:
        logs = Path(scratch, "stdout"), Path(scratch, "stderr")
        outcome = run(
            [*words, *task.options, "--", str(task.trace)], os.environ, stdout=logs[0], stderr=logs[1]
        )
        if outcome.interrupted:
            raise KeyboardInterrupt
        error = None if outcome.succeeded else _error(outcome, logs)
    return TraceResult(
        number=task.number,
        host=os.uname().nodename,
        folder=task.folder if error is None else None,
        error=error,
        seconds=time.monotonic() - began,
    )


def _error(outcome: ProcessOutcome, logs: tuple[Path, Path]) -> Failure:
    """What it says of itself; of one that was killed or broke down, how it ended."""
    try:
        return from_json(FailureDocument, logs[0].read_bytes(), "the analysis").error
    except BadInput:
        said = last_words(logs[1], 2)
        ending = how_it_ended(outcome.exit_code)
        return failure_document(
            EnvironmentProblem(f"the analysis {ending}" + (f": {said}" if said else ""))
        ).error
