"""suite.json from the results of all cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rocm_perf_lab.analysis.compare import is_regression
from rocm_perf_lab.contracts.captures.suite import CaseStatus, SuiteCase, SuiteDocument
from rocm_perf_lab.contracts.failure import Failure, failure_document
from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.contracts.profiling.comparison import TimeComparison
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import REGRESSION_FOUND, VALIDATION_FAILED, UsageProblem
from rocm_perf_lab.suites.baseline import Baseline
from rocm_perf_lab.suites.case import Case, CaseResult
from rocm_perf_lab.suites.request import SuiteRequest

# The worst first.
ORDER: tuple[CaseStatus, ...] = ("failed", "error", "regression", "passed")

NO_BASELINE = "no --baseline was given"
NOT_IN_BASELINE = "the baseline has no time of it"
NO_TIMES = "no times were asked for (--iterations 0)"
NOT_VALIDATED = "it did not validate"
NEVER_OPENED = "it did not come to that"


def suite_document(
    request: SuiteRequest,
    cases: Sequence[Case],
    results: Sequence[CaseResult],
    baseline: Baseline | None,
    machines: tuple[Machine, ...],
    seconds: float,
    warnings: Sequence[str],
) -> SuiteDocument:
    by_number = {result.number: result for result in results}
    comparisons = sum(_comparable(by_number[case.number], baseline) for case in cases)
    judged = tuple(_case(case, by_number[case.number], request, baseline, comparisons) for case in cases)
    status = min((case.status for case in judged), key=ORDER.index)
    counts: Counter[CaseStatus] = Counter(case.status for case in judged)
    return SuiteDocument(
        origin=_origin(results),
        missing={} if request.baseline is not None else {"baseline": NO_BASELINE},
        captures=tuple(map(str, request.capture_paths)),
        baseline=str(request.baseline_path) if request.baseline_path is not None else None,
        variants=tuple(map(str, request.variants)),
        runs=request.runs,
        iterations=request.iterations,
        condition="warm caches",
        relevant=request.relevant,
        fail_on_regression=request.fail_on_regression,
        status=status,
        exit_code=_exit_code(judged, status),
        counts={one: counts[one] for one in ORDER if counts[one]},
        cases=judged,
        machines=machines,
        seconds=seconds,
        warnings=(*warnings, *_not_run(cases, baseline)),
    )


def _exit_code(cases: Sequence[SuiteCase], status: CaseStatus) -> int:
    """Of an error: that of the first case that has one."""
    if status == "error":
        return next(case.error.exit_code for case in cases if case.error is not None)
    return {"failed": VALIDATION_FAILED, "regression": REGRESSION_FOUND, "passed": 0}[status]


def _origin(results: Sequence[CaseResult]) -> Origin:
    return "simulated" if any(result.origin == "simulated" for result in results) else "measured"


def _comparable(result: CaseResult, baseline: Baseline | None) -> bool:
    if not result.samples_ms:
        return False
    if baseline is None:
        return result.variant is not None
    return result.name in baseline.cases


def _case(
    case: Case, result: CaseResult, request: SuiteRequest, baseline: Baseline | None, comparisons: int
) -> SuiteCase:
    missing: dict[str, str] = {}
    error = result.error
    time: TimeComparison | None = None
    validation = result.validation
    if baseline is not None and _comparable(result, baseline) and error is None:
        differs = baseline.differences(result)
        if differs is not None:
            remedy = "compare on the GPU of the baseline, or record one here (without --baseline)"
            error = failure_document(UsageProblem(differs, remedy)).error
        else:
            time = baseline.compare(result, comparisons, request.relevant)
    elif baseline is None and validation is not None and validation.variant is not None:
        time = validation.variant.time
    status, reason = _status(result, error, time, request)
    if time is None:
        missing["time"] = _no_time(result, request, baseline, error)
        missing["against"] = missing["time"]
    for name in ("kernel", "digest"):
        if getattr(result, name) is None:
            missing[name] = NEVER_OPENED
    if result.gpu is None:
        missing["gpu"] = NEVER_OPENED if validation is None else validation.missing.get("gpu", NEVER_OPENED)
    if result.variant is None:
        missing["variant"] = "no --hsaco was given" if not request.variants else NEVER_OPENED
    if validation is None:
        missing["validation"] = NEVER_OPENED
    if error is None:
        missing["error"] = "there is none"
    if result.device is None:
        missing["device"] = "it was not pinned to one"
    return SuiteCase(
        origin=result.origin,
        missing=missing,
        name=case.name,
        capture=str(case.capture),
        kernel=result.kernel,
        gpu=result.gpu,
        digest=result.digest,
        variant=str(result.variant) if result.variant is not None else None,
        status=status,
        reason=reason,
        error=error,
        validation=validation,
        samples_ms=result.samples_ms,
        time=time,
        against=None if time is None else "baseline" if baseline is not None else "original",
        seconds=result.seconds,
        host=result.host,
        device=result.device,
    )


def _status(
    result: CaseResult, error: Failure | None, time: TimeComparison | None, request: SuiteRequest
) -> tuple[CaseStatus, str]:
    if error is not None:
        return "error", error.cause
    assert result.validation is not None
    if result.validation.verdict != "passed":
        return "failed", f"{result.validation.verdict}: {result.validation.reason}"
    if time is not None and is_regression(time, request.fail_on_regression):
        assert time.ratio is not None
        slower = (
            f"{time.ratio - 1:.1%} slower than the {'baseline' if request.baseline else 'captured kernel'}"
        )
        return "regression", f"{slower}: {time.reason}"
    return "passed", result.validation.reason


def _no_time(
    result: CaseResult, request: SuiteRequest, baseline: Baseline | None, error: Failure | None
) -> str:
    if error is not None:
        return error.cause
    if result.validation is None or result.validation.verdict != "passed":
        return NOT_VALIDATED
    if not request.iterations:
        return NO_TIMES
    if baseline is not None:
        return NOT_IN_BASELINE
    if result.validation.variant is not None:
        return result.validation.variant.missing.get("time", NO_BASELINE)
    return NO_BASELINE


def _not_run(cases: Sequence[Case], baseline: Baseline | None) -> list[str]:
    names = {case.name for case in cases}
    gone = sorted(baseline.known - names) if baseline is not None else []
    return [f"the baseline has {name}, which was not run" for name in gone]
