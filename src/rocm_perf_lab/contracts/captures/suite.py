"""suite.json: what came of replaying captures as a regression suite; also the baseline of later runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.captures.replay import Condition
from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.contracts.failure import Failure
from rocm_perf_lab.contracts.machine import Machine
from rocm_perf_lab.contracts.profiling.comparison import TimeComparison
from rocm_perf_lab.contracts.section import Section

CaseStatus = Literal["passed", "regression", "failed", "error"]
"""regression: it validates, and is slower than allowed; failed: it does not validate; error: it could not be
replayed, or not be compared."""


@dataclass(frozen=True, kw_only=True)
class SuiteCase(Section):
    """One capture."""

    name: str
    """The path of the capture below the folder that was named; by it a baseline is matched."""
    capture: str
    kernel: str | None
    """Demangled."""
    gpu: str | None
    digest: str | None
    """SHA-256 of the checksums of code, arguments and memory: what is replayed, wherever it lies."""
    variant: str | None
    """The file whose kernel ran in the place of the captured one."""
    status: CaseStatus
    reason: str
    error: Failure | None
    """Where the status is error."""
    validation: ValidationDocument | None
    samples_ms: tuple[float, ...]
    """Median GPU time of each process; empty where no time was taken."""
    time: TimeComparison | None
    """Of what ran, against the baseline or the captured kernel."""
    against: Literal["baseline", "original"] | None
    seconds: float
    """That the case took."""
    host: str
    device: str | None
    """The GPU that it was pinned to."""


@dataclass(frozen=True, kw_only=True)
class SuiteDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    captures: tuple[str, ...]
    """As they were named."""
    baseline: str | None
    variants: tuple[str, ...]
    runs: int
    """Processes of each validation; of measured times as well."""
    iterations: int
    """Timed executions in a process; 0: no times were taken."""
    condition: Condition
    """Of the times."""
    relevant: float
    fail_on_regression: float
    status: CaseStatus
    """Of the worst case: failed, error, regression, passed, in this order."""
    exit_code: int
    counts: dict[CaseStatus, int]
    cases: tuple[SuiteCase, ...]
    machines: tuple[Machine, ...]
    seconds: float
    warnings: tuple[str, ...]
