"""The baseline of a suite: an earlier suite.json, and how times compare with it.

The gate is that of ``rocm-perf compare``: the level of each interval is raised so that all cases of a suite
together err as rarely as one comparison.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.analysis.compare_times import compare_times
from rocm_perf_lab.contracts.captures.suite import SuiteCase, SuiteDocument
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.comparison import TimeComparison
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.suites.case import CaseResult

NAME = "suite.json"
# GPUs time kernels by a clock of 100 MHz (s_memrealtime of MI200 and MI300; the virtual GPU counts alike).
# Where between two ticks a kernel begins is chance, on the simulator too: it depends on what the host does.
TICK_MS = 1e-5
_ANEW = "record the baseline anew: run the suite without --baseline, and keep its suite.json"


@dataclass(frozen=True)
class Baseline:
    cases: Mapping[str, SuiteCase]
    """Those with times, by name."""
    iterations: int
    known: frozenset[str]
    """All names."""

    def differences(self, result: CaseResult) -> str | None:
        """Why the times of a case cannot be compared with those of the baseline."""
        before = self.cases[result.name]
        if before.digest != result.digest:
            return "the baseline is of another capture with this name"
        for what, then, now in (
            ("GPU", before.gpu, result.gpu),
            ("origin of times", before.origin, result.origin),
        ):
            if then != now:
                return f"the {what} of the baseline is another: {then or 'unknown'}, now {now or 'unknown'}"
        return None

    def compare(self, result: CaseResult, comparisons: int, relevant: float) -> TimeComparison:
        """A tick of the clock is no change, however short the kernel."""
        before = self.cases[result.name].samples_ms
        tick = 1.000001 * TICK_MS / max(statistics.mean(before), TICK_MS)  # more by what rounding may add
        return compare_times(
            before,
            result.samples_ms,
            origin=result.origin,
            comparisons=comparisons,
            relevant=max(relevant, tick),
        )


def read_baseline(path: Path, iterations: int) -> Baseline:
    file = path / NAME if path.is_dir() else path
    try:
        document = from_json(SuiteDocument, file.read_bytes(), str(file))
    except OSError as problem:
        raise UsageProblem(
            f"the baseline {file} cannot be read: {problem.strerror}", "name the suite.json of an earlier run"
        ) from None
    timed = {case.name: case for case in document.cases if case.samples_ms}
    if not timed:
        raise UsageProblem(f"the baseline {file} has no times", _ANEW)
    if document.iterations != iterations:
        raise UsageProblem(
            f"the baseline {file} was taken with --iterations {document.iterations}, not {iterations}",
            f"give --iterations {document.iterations}",
        )
    return Baseline(timed, document.iterations, frozenset(case.name for case in document.cases))
