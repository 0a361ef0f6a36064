"""Measures a variant by replaying a captured dispatch with it: real inputs, and nothing else of the program.

The launch is the captured one, so that parameters must not change the size of groups or of the grid. What the
variant leaves in memory is compared with what the program left; where bytes differ, ``replay validate``
decides whether that is rounding or wrong.
"""

from __future__ import annotations

import os
from pathlib import Path

from rocm_perf_lab.autotuning.build import RECORD
from rocm_perf_lab.autotuning.trial import TrialTask
from rocm_perf_lab.capturing.folder import open_capture
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.full_vm import full_vm
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest
from rocm_perf_lab.replaying.native_tool.tool import Tool, find_tool
from rocm_perf_lab.replaying.validate import ValidationRequest, validate
from rocm_perf_lab.replaying.variants.code_object import take_out

VARIANT = "variant.hsaco"
ITERATIONS = 10
WARMUP = 2
VALIDATION_RUNS = 2


class WrongResult(Exception):
    """The variant does not give what the program got."""


def replay_times(task: TrialTask, runs: int) -> tuple[list[float], Origin]:
    """Median times in ms, one for each process. Raises WrongResult, or what goes with a replay that
    failed."""
    assert task.capture is not None
    assert task.build_folder is not None
    tool = find_tool().pinned(task.device)
    variant = _variant(task.capture, task.build_folder)
    replay_request = ReplayRequest(
        capture=task.capture,
        iterations=ITERATIONS,
        warmup=WARMUP,
        hsaco=variant,
        timeout_s=task.timeout_s,
    )
    samples = []
    for number in range(runs):
        document = full_vm(replay_request, tool)
        if number == 0:
            damaged = document.canaries.damaged if document.canaries else ()
            if damaged:
                raise WrongResult(f"it writes where nothing may: {damaged[0]}")
            if any(one.differing_bytes for one in document.agreement):
                _validate(task, variant, tool)
        samples.append(document.timing.median / 1e3)
    return samples, tool.origin


def _variant(capture: Path, built: Path) -> Path:
    """The code object of the build that has the captured kernel, by itself in a file."""
    target = built / VARIANT
    if target.is_file():
        return target
    opened = open_capture(capture)
    problem: BadInput | None = None
    for file in sorted(built.rglob("*")):
        if not file.is_file() or file.name in (RECORD, ".lock") or file.suffix in (".stdout", ".stderr"):
            continue
        try:
            kernel, agent = opened.dispatch.kernel, opened.dispatch.agent
            code = take_out(file, kernel.name, agent.isa, opened.code_object())
        except BadInput as error:
            problem = error
            continue
        draft = built / f".{VARIANT}-{os.getpid()}"
        draft.write_bytes(code.content)
        draft.replace(target)
        return target
    raise problem or BadInput("the build made no file with the captured kernel")


def _validate(task: TrialTask, variant: Path, tool: Tool) -> None:
    assert task.capture is not None
    request = ValidationRequest(runs=VALIDATION_RUNS, hsaco=variant, iterations=0, timeout_s=task.timeout_s)
    document = validate(task.capture, request, tool, Progress(enabled=False))
    if document.verdict != "passed":
        raise WrongResult(document.reason)
