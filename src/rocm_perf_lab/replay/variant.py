"""A variant of the kernel in the place of the original: does it give the same, and is it faster?"""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.analysis.compare_times import compare_times
from rocm_perf_lab.contracts.comparison import TimeComparison
from rocm_perf_lab.contracts.replay import Fidelity
from rocm_perf_lab.contracts.validation import VariantReport
from rocm_perf_lab.replay.fidelity import fidelity
from rocm_perf_lab.replay.native_document import values_us
from rocm_perf_lab.replay.observed_differences import Allowed, compare, worst_of
from rocm_perf_lab.replay.run import Replay, replay
from rocm_perf_lab.replay.trial import Bench, Poisoned, Trial

# Iterations of which the first ones find caches and clocks not settled.
WARMUP = 2


def judge(
    bench: Bench, hsaco: Path, runs: int, poisoned: Poisoned | None, allowed: Allowed, iterations: int
) -> tuple[VariantReport, list[Trial]]:
    """``iterations`` of the timing; 0: no time is taken."""
    bench.progress.plan(runs)
    trials = [
        bench.trial(
            f"variant {number + 1} of {runs}", hsaco=hsaco, poisoned=poisoned, variables=bench.order(number)
        )
        for number in range(runs)
    ]
    by_run = []
    for trial in trials:
        with trial.observe() as observed:
            by_run.append(compare(bench.memory, bench.buffers, observed, allowed))
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


def _time(
    bench: Bench, hsaco: Path, iterations: int, wrong: bool, missing: dict[str, str]
) -> tuple[Fidelity | None, TimeComparison | None]:
    if wrong or not iterations:
        why = "its results differ: how fast it is does not matter" if wrong else "no time was asked for"
        missing.update(fidelity=why, time=why)
        return None, None
    bench.progress.plan(2)
    measured = []
    for label, code in (("time of the original", None), ("time of the variant", hsaco)):
        bench.progress.begin(label)
        wish = Replay(
            bench.capture.path, iterations=iterations, warmup=WARMUP, timeout_s=bench.timeout_s, hsaco=code
        )
        measured.append(values_us(replay(bench.tool, wish, tick=bench.progress.ticker)))
    original, variant = measured
    origin = bench.tool.origin
    in_app = bench.capture.dispatch.time.in_app_ns
    close = fidelity(None if in_app is None else in_app / 1e3, original, origin)
    if not close.faithful:
        missing["time"] = f"variants are not ranked: {close.reason}"
        return close, None
    return close, compare_times(
        [one / 1e3 for one in original], [one / 1e3 for one in variant], origin=origin
    )
