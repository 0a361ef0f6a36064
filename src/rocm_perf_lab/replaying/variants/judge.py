"""A variant of the kernel in the place of the original: does it give the same, and is it faster?"""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.analysis.compare_times import compare_times
from rocm_perf_lab.contracts.captures.replay import Fidelity
from rocm_perf_lab.contracts.captures.validation import VariantReport
from rocm_perf_lab.contracts.profiling.comparison import TimeComparison
from rocm_perf_lab.errors import ProgramFailed, TimedOut
from rocm_perf_lab.replaying.memory.observed_differences import Allowed, compare, worst_of
from rocm_perf_lab.replaying.native_tool.trial import Poisoned, ReplayBench, ReplayTrial
from rocm_perf_lab.replaying.variants.times import original_times, times_us

# Processes that each give one first execution; a simulated one repeats.
FIRST_EXECUTIONS = 5


def judge(
    bench: ReplayBench, hsaco: Path, runs: int, poisoned: Poisoned | None, allowed: Allowed, iterations: int
) -> tuple[VariantReport, list[ReplayTrial]]:
    """``iterations`` of the timing; 0: no time is taken."""
    bench.progress.plan(runs)
    trials: list[ReplayTrial] = []
    try:
        for number in range(runs):
            label, order = f"variant {number + 1} of {runs}", bench.order(number)
            trials.append(bench.trial(label, hsaco=hsaco, poisoned=poisoned, variables=order))
    except (ProgramFailed, TimedOut) as error:
        return _broken(hsaco, len(trials) + 1, error.cause), trials
    by_run = []
    for trial in trials:
        with trial.observe() as observed:
            by_run.append(compare(bench.memory, bench.buffers, observed, allowed))
        trial.discard()
    found = worst_of(by_run)
    equal = sum(not reports for reports in by_run)
    bad = [one for one in found if not one.passed]
    if bad:
        reason = (
            f"{', '.join(one.name for one in bad[:3])} differ{'s' if len(bad) == 1 else ''} from the original"
        )
    elif equal == runs:
        reason = f"{runs} of {runs} runs give what the original gave, byte for byte"
    else:
        reason = f"{equal} of {runs} runs are byte-equal, the others within the tolerances"
    missing: dict[str, str] = {}
    close, time = _time(bench, hsaco, iterations, bool(bad), missing)
    return VariantReport(
        origin="derived",
        missing=missing,
        hsaco=str(hsaco),
        runs=runs,
        byte_equal=equal,
        buffers=found,
        passed=not bad,
        reason=reason,
        fidelity=close,
        time=time,
    ), trials


def _broken(hsaco: Path, runs: int, cause: str) -> VariantReport:
    """A variant that faults or hangs gives no results to look at."""
    why = "it did not come to its end"
    return VariantReport(
        origin="derived",
        missing={"fidelity": why, "time": why},
        hsaco=str(hsaco),
        runs=runs,
        byte_equal=0,
        buffers=(),
        passed=False,
        reason=cause,
        fidelity=None,
        time=None,
    )


def _time(
    bench: ReplayBench, hsaco: Path, iterations: int, wrong: bool, missing: dict[str, str]
) -> tuple[Fidelity | None, TimeComparison | None]:
    """Under the first condition in which the original takes as long as in the program; else variants are not
    ranked."""
    if wrong or not iterations:
        why = "its results differ: how fast it is does not matter" if wrong else "no time was asked for"
        missing.update(fidelity=why, time=why)
        return None, None
    processes = 1 if bench.tool.virtual else FIRST_EXECUTIONS
    original = original_times(bench, iterations, processes)
    if original.why_not:
        missing["time"] = original.why_not
        return original.close, None
    variant = times_us(bench, hsaco, original.close.condition, iterations, processes)
    sides = [[one / 1e3 for one in values] for values in (original.values_us, variant)]
    return original.close, compare_times(*sides, origin=bench.tool.origin)
