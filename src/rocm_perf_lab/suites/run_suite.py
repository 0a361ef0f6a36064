"""Runs a suite: every capture once, wherever the executor puts it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rocm_perf_lab.capturing.folder import open_capture
from rocm_perf_lab.contracts.captures.suite import SuiteDocument
from rocm_perf_lab.errors import BadInput, Interrupted, NotReplayable
from rocm_perf_lab.executors.executor import Executor
from rocm_perf_lab.executors.run_all import run_all
from rocm_perf_lab.replaying.memory import tolerance
from rocm_perf_lab.replaying.proof.capture_proof import refuse_incomplete
from rocm_perf_lab.suites.baseline import Baseline
from rocm_perf_lab.suites.case import Case, CaseResult
from rocm_perf_lab.suites.document import suite_document
from rocm_perf_lab.suites.find import FoundCapture
from rocm_perf_lab.suites.request import SuiteRequest

Tell = Callable[[CaseResult, int, int], None]
"""Is told each result, how many there are by now, and how many there will be."""


def make_cases(
    found: Sequence[FoundCapture],
    request: SuiteRequest,
    folder: Path,
    allowed: tolerance.ToleranceRequest,
    timeout_s: float | None,
) -> list[Case]:
    return [
        Case(
            number=number,
            name=one.name,
            capture=one.path.absolute(),
            folder=folder / "cases" / f"{number:04d}",
            variants=tuple(file.absolute() for file in request.variants),
            runs=request.runs,
            iterations=request.iterations,
            compared=request.baseline is not None,
            tolerance=allowed,
            timeout_s=timeout_s,
        )
        for number, one in enumerate(found, 1)
    ]


def run_suite(
    request: SuiteRequest,
    cases: Sequence[Case],
    baseline: Baseline | None,
    executor: Executor[Case, CaseResult],
    tell: Tell,
    warnings: Sequence[str] = (),
) -> SuiteDocument:
    began = time.monotonic()
    results: list[CaseResult] = []
    try:
        control = _control(cases)
        if control is not None:
            executor.prepare(control)
        for result in run_all(executor, cases):
            results.append(result)
            tell(result, len(results), len(cases))
        with contextlib.suppress(OSError):  # something of a case is kept
            cases[0].folder.parent.rmdir()
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted after {len(results)} of {len(cases)} captures") from None
    machines = executor.machines()
    return suite_document(request, cases, results, baseline, machines, time.monotonic() - began, warnings)


def _control(cases: Sequence[Case]) -> Case | None:
    """The first capture that can be replayed, timed on each machine: times of machines that differ are not
    compared with one baseline."""
    for case in cases:
        if not case.iterations:
            return None
        with contextlib.suppress(BadInput, NotReplayable, OSError):
            if case.capture.is_dir():
                refuse_incomplete(open_capture(case.capture))
                folder = case.folder.parent / "control"
                return replace(case, number=0, folder=folder, variants=(), control=True)
    return None
