"""Replays and validates captures as a regression suite, as ``rocm-perf suite run`` does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.values import path_of
from rocm_perf_lab.suites.request import SuiteRequest

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.suite import SuiteDocument
    from rocm_perf_lab.suites.case import CaseResult


@dataclass(frozen=True)
class SuiteRun:
    """What a suite found, and the folder that keeps it."""

    folder: Path
    document: SuiteDocument
    """suite.json; its ``exit_code`` says what came of it."""


@keywords_of(SuiteRequest)
def suite(request: SuiteRequest) -> SuiteRun:
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
    from rocm_perf_lab.suites.find import find_captures, foreign
    from rocm_perf_lab.suites.run_case import run_case
    from rocm_perf_lab.suites.run_suite import make_cases, run_suite
    from rocm_perf_lab.trust import require_trust

    for file in request.variants:
        if not file.is_file():
            raise UsageProblem(f"there is no file {file}", "name the program that was built anew")
    found, warnings = find_captures(request.capture_paths)
    require_trust(foreign(found), request.trust, request.ask)
    earlier = request.baseline_path
    before = read_baseline(earlier, request.iterations) if earlier is not None else None
    made = make_executor(request, run_case, given_up)
    folder = make_folder("suite", datetime.now(timezone.utc), path_of(request.out))
    tolerance = parse_tolerances(request.rtol, request.atol, ())
    cases = make_cases(found, request, folder.path, tolerance, request.timeout)
    document = run_suite(request, cases, before, made, request.tell or _silent, warnings)
    folder.write(NAME, to_json(document))
    return SuiteRun(folder.path, document)


def _silent(result: CaseResult, done: int, total: int) -> None:
    pass
