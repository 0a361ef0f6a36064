"""Warm-up and timing: the executions of a program that a profile begins with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.profiling.folder.run_folder import RunFolder
from rocm_perf_lab.profiling.passes.rocprof_options import KERNEL_TRACE
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof
from rocm_perf_lab.profiling.processes.process_group import ProcessOutcome, run


@dataclass(frozen=True)
class ProgramExecution:
    purpose: Literal["warm-up", "timing"]
    number: int
    label: str

    @property
    def name(self) -> str:
        """Of its log files."""
        return f"{self.purpose}-{self.number}"


def planned(warmup: int, runs: int) -> list[ProgramExecution]:
    return [
        *(
            ProgramExecution("warm-up", number, f"warm-up {number} of {warmup}")
            for number in range(1, warmup + 1)
        ),
        *(
            ProgramExecution("timing", number, f"timing run {number} of {runs}")
            for number in range(1, runs + 1)
        ),
    ]


def execute(
    execution: ProgramExecution,
    rocprof: Rocprof,
    folder: RunFolder,
    tick: Callable[[], None] | None,
    meanwhile: Callable[[], None] | None,
) -> ProcessOutcome:
    """Runs the program: under the tracer when it is timed, by itself to warm up."""
    stdout, stderr = folder.log(execution.name, "stdout"), folder.log(execution.name, "stderr")
    if execution.purpose == "timing":
        place = folder.timing_pass(execution.number)
        return rocprof.run([KERNEL_TRACE], place, (stdout, stderr), tick, meanwhile)
    return run(
        rocprof.command,
        rocprof.environment,
        stdout=stdout,
        stderr=stderr,
        timeout_s=rocprof.timeout_s,
        show=rocprof.debug,
        tick=tick,
        meanwhile=meanwhile,
    )
