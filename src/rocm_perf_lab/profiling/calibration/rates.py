"""From the trace of a microkernel to the rate that it reached. No I/O."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.profiling.calibration.microkernel import Microkernel
from rocm_perf_lab.rocpd.rows import Trace

# Times of a trace are multiples of this on an Instinct GPU (its timestamps count at 100 MHz): a rate from the
# difference of two times is known to two of them.
TICK_NS = 10
_LAUNCH = re.compile(r"\b(\w+)<(?:\(Launch\))?(\d)>\(")
_SHORT, _LONG = "1", "2"  # enum Launch of microkernels/launch.h


@dataclass(frozen=True)
class Reached:
    ceiling: Ceiling
    resolution: float
    """How much of the value the clock of the trace cannot resolve."""


def rate_reached(one: Microkernel, trace: Trace, work: Mapping[str, tuple[float, float]]) -> Reached | str:
    """The rate of one microkernel; or why there is none. ``work``: of a short and of a long launch.

    Kernels that work in rounds give it by the difference of a long and a short launch, so that the start and
    the end of a kernel do not count. Those that stream through memory (no short work) give it by the mean.
    """
    if one.kernel not in work:
        return f"the program did not run {one.kernel}"
    short_work, long_work = work[one.kernel]
    if short_work:
        short, long = (_shortest(trace, one.kernel, kind) for kind in (_SHORT, _LONG))
        if short is None or long is None:
            return f"{one.kernel} is not in the trace"
        if long <= short:
            return f"{one.kernel}: more work took no longer ({short} and {long} ns)"
        span, done = float(long - short), long_work - short_work
        what = "bytes" if one.kind == "memory" else "operations"
        how = f"{done:.0f} {what} more in {span:.0f} ns more"
    else:
        launches = [each for each in trace.launches if _is(each.key.kernel, one.kernel, _LONG)]
        if not launches:
            return f"{one.kernel} is not in the trace"
        count = sum(each.count for each in launches)
        span, done = sum(each.total_ns for each in launches) / count, long_work
        how = f"{done:.0f} bytes in {span:.0f} ns, mean of {count}"
    ceiling = Ceiling(
        name=one.ceiling,
        figure=one.figure,
        kind=one.kind,
        value=done / span,
        unit=one.unit,
        origin="measured",
        source=f"microkernel {one.kernel}: {how}",
    )
    return Reached(ceiling, 2 * TICK_NS / span)


def best_possible(rates: Sequence[Reached], sheet: Sequence[Ceiling]) -> tuple[list[Ceiling], dict[str, str]]:
    """The highest rate for each ceiling, and what is wrong with those above the data sheet."""
    limits = {one.name: one for one in sheet}
    best: dict[str, Ceiling] = {}
    impossible: dict[str, str] = {}
    for reached in rates:
        found = reached.ceiling
        limit = limits.get(f"{found.name} (at most)") or limits.get(found.name)
        if limit and found.value > limit.value * (1 + reached.resolution):
            impossible[found.name] = (
                f"{found.value:.0f} {found.unit} ({found.source}) is above the data sheet's {limit.value:.0f}"
            )
        elif found.name not in best or found.value > best[found.name].value:
            best[found.name] = found
    return list(best.values()), impossible


def _is(name: str, kernel: str, kind: str) -> bool:
    found = _LAUNCH.search(name)
    return found is not None and found.groups() == (kernel, kind)


def _shortest(trace: Trace, kernel: str, kind: str) -> int | None:
    """The first launch of a kernel also fetches its code: the shortest is one without."""
    return min((each.min_ns for each in trace.launches if _is(each.key.kernel, kernel, kind)), default=None)
