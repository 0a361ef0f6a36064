"""Replays and validates captures as a regression suite, as ``rocm-perf suite run`` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.values import AnyPath, at_least, path_of, paths_of, positive

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.suite import SuiteDocument
    from rocm_perf_lab.suites.case import CaseResult
    from rocm_perf_lab.trust import Ask


@dataclass(frozen=True)
class SuiteRun:
    """What a suite found, and the folder that keeps it."""

    folder: Path
    document: SuiteDocument
    """suite.json; its ``exit_code`` says what came of it."""


def suite(
    captures: AnyPath | Sequence[AnyPath],
    *,
    baseline: AnyPath | None = None,
    fail_on_regression: float = 0.05,
    relevant: float = 0.01,
    hsaco: Sequence[AnyPath] = (),
    runs: int = 5,
    iterations: int = 10,
    rtol: float | None = None,
    atol: float | None = None,
    timeout: float | None = None,
    executor: Literal["inline", "local", "dask"] = "inline",
    workers: int | None = None,
    scheduler: str | None = None,
    deadline: float | None = None,
    out: AnyPath | None = None,
    trust: bool = False,
    ask: Ask | None = None,
    tell: Callable[[CaseResult, int, int], None] | None = None,
) -> SuiteRun:
    """Replay and validate captures: single ones, folders of them, and files of ``rocm-perf replay export``.

    Keywords are the options of ``rocm-perf suite run``: ``baseline`` is the suite.json of an earlier run, or
    its folder; what is slower by more than ``fail_on_regression`` (a share) is a regression; ``hsaco`` are
    programs or code objects whose kernels take the place of the captured ones. Captures that were not made
    here are replayed only with ``trust``, or if ``ask`` says so. ``tell`` is called with each result, how
    many there are and how many there will be.
    """
    from rocm_perf_lab.api.arguments.executor import make_executor
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.folder.run_folder import make_folder
    from rocm_perf_lab.replaying.memory.tolerance import parse_tolerances
    from rocm_perf_lab.suites.baseline import NAME, read_baseline
    from rocm_perf_lab.suites.case import given_up
    from rocm_perf_lab.suites.document import SuiteRequest
    from rocm_perf_lab.suites.find import find_captures, foreign
    from rocm_perf_lab.suites.run_case import run_case
    from rocm_perf_lab.suites.run_suite import make_cases, run_suite
    from rocm_perf_lab.trust import require_trust

    at_least(2, runs=runs)
    at_least(0, iterations=iterations)
    positive(timeout=timeout, deadline=deadline)
    chosen, variants, earlier = paths_of(captures), paths_of(hsaco), path_of(baseline)
    if earlier is not None and not iterations:
        raise UsageProblem("--baseline compares times; --iterations 0 takes none", "leave one of them out")
    for file in variants:
        if not file.is_file():
            raise UsageProblem(f"there is no file {file}", "name the program that was built anew")
    request = SuiteRequest(
        captures=chosen,
        baseline=earlier,
        variants=variants,
        runs=runs,
        iterations=iterations,
        relevant=relevant,
        fail_on_regression=fail_on_regression,
    )
    found, warnings = find_captures(chosen)
    require_trust(foreign(found), trust, ask)
    before = read_baseline(earlier, iterations) if earlier is not None else None
    where = {"executor": executor, "workers": workers, "scheduler": scheduler, "deadline": deadline}
    made = make_executor(where, run_case, given_up)
    folder = make_folder("suite", datetime.now(timezone.utc), path_of(out))
    cases = make_cases(found, request, folder.path, parse_tolerances(rtol, atol, ()), timeout)
    document = run_suite(request, cases, before, made, tell or _silent, warnings)
    folder.write(NAME, to_json(document))
    return SuiteRun(folder.path, document)


def _silent(result: CaseResult, done: int, total: int) -> None:
    pass
