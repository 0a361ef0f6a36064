"""A variant of the kernel in the place of the original: does it give the same, and is it faster?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rocm_perf_lab.analysis.compare_times import compare_times
from rocm_perf_lab.contracts.comparison import TimeComparison
from rocm_perf_lab.contracts.replay import Condition, Fidelity
from rocm_perf_lab.contracts.validation import VariantReport
from rocm_perf_lab.errors import ProgramFailed, TimedOut
from rocm_perf_lab.replay.fidelity import fidelity
from rocm_perf_lab.replay.native_document import values_us
from rocm_perf_lab.replay.observed_differences import Allowed, compare, worst_of
from rocm_perf_lab.replay.run import Replay, replay
from rocm_perf_lab.replay.trial import Bench, Poisoned, Trial

# Iterations of which the first ones find caches and clocks not settled.
WARMUP = 2
# Processes that each give one first execution; a simulated one repeats.
FIRST_EXECUTIONS = 5
CONDITIONS: tuple[Condition, ...] = ("warm caches", "cold caches", "first execution")


def judge(
    bench: Bench, hsaco: Path, runs: int, poisoned: Poisoned | None, allowed: Allowed, iterations: int
) -> tuple[VariantReport, list[Trial]]:
    """``iterations`` of the timing; 0: no time is taken."""
    bench.progress.plan(runs)
    trials: list[Trial] = []
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
    bench: Bench, hsaco: Path, iterations: int, wrong: bool, missing: dict[str, str]
) -> tuple[Fidelity | None, TimeComparison | None]:
    """Under the first condition in which the original takes as long as in the program; else variants are not
    ranked."""
    if wrong or not iterations:
        why = "its results differ: how fast it is does not matter" if wrong else "no time was asked for"
        missing.update(fidelity=why, time=why)
        return None, None
    in_app = bench.capture.dispatch.time.in_app_ns
    tried: list[Fidelity] = []
    for condition in CONDITIONS:
        original = _values(bench, None, condition, iterations)
        close = fidelity(None if in_app is None else in_app / 1e3, original, bench.tool.origin, condition)
        tried.append(close)
        if close.faithful:
            variant = _values(bench, hsaco, condition, iterations)
            sides = [[one / 1e3 for one in values] for values in (original, variant)]
            return close, compare_times(*sides, origin=bench.tool.origin)
        if close.gap is None:
            break
    nearest = min(tried, key=lambda one: abs(one.gap or 0.0))
    missing["time"] = f"variants are not ranked: {nearest.reason}"
    return nearest, None


def _values(bench: Bench, hsaco: Path | None, condition: Condition, iterations: int) -> list[float]:
    """Microseconds of executions that count."""
    what = "original" if hsaco is None else "variant"
    wish = Replay(bench.capture.path, timeout_s=bench.timeout_s, hsaco=hsaco)
    if condition == "first execution":
        processes = 1 if bench.tool.virtual else FIRST_EXECUTIONS
        wishes = [wish] * processes
    else:
        wishes = [replace(wish, iterations=iterations, warmup=WARMUP, cold=condition == "cold caches")]
    bench.progress.plan(len(wishes))
    found: list[float] = []
    for one in wishes:
        bench.progress.begin(f"time of the {what}, {condition}")
        found += values_us(replay(bench.tool, one, tick=bench.progress.ticker))
    return found
