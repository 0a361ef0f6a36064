"""A comparison for the terminal: the verdict, a table of kernels, what else differs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument, TimeComparison
from rocm_perf_lab.reporting.words.compare_figures import change, interval, resource_changes, verdict
from rocm_perf_lab.reporting.words.figures import count, duration
from rocm_perf_lab.reporting.words.kernel_names import short_names

WIDTH = 100
NAME = 34
MOST_KERNELS = 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def render(document: ComparisonDocument) -> str:
    """Kernel names are foreign text: what would steer the terminal is shown as a question mark."""
    return "".join(_CONTROL.sub("?", line).rstrip() + "\n" for line in _lines(document))


def _lines(document: ComparisonDocument) -> Iterator[str]:
    simulated = "SIMULATED  " if document.origin == "simulated" else ""
    yield f"{simulated}base {document.base}"
    yield f"{' ' * len(simulated)}new  {document.new}"
    yield ""
    yield _row("", "base", "new", "change", "interval", "verdict")
    what = "GPU time" if document.figure == "gpu-time" else "wall time"
    yield _time(what, document.total)
    shown = document.kernels[:MOST_KERNELS]
    for name, kernel in zip(short_names([one.name for one in shown], NAME - 3), shown, strict=True):
        if kernel.time is not None:
            yield _time(f"  {name}", kernel.time, " REGRESSION" if kernel.regression else "")
        else:
            before = duration(kernel.base_ms) if kernel.base_ms is not None else "-"
            after = duration(kernel.new_ms) if kernel.new_ms is not None else "-"
            yield _row(f"  {name}", before, after, "", "", verdict(kernel))
        yield from (f"      {found}" for found in resource_changes(kernel))
    if len(document.kernels) > len(shown):
        yield f"  and {count(len(document.kernels) - len(shown), 'kernel')} more (--json has all of them)"
    yield ""
    yield f"total: {document.total.verdict} ({document.total.reason})"
    for one in document.differences:
        yield f"allowed: {one.what}: {one.base} and {one.new}"
    for note in document.notes:
        yield f"note: {note}"
    if document.fail_on_regression is not None:
        limit = f"{document.fail_on_regression:.2%}"
        names = ", ".join(document.regressions)
        yield f"regressions beyond {limit}: {names}" if names else f"no regression beyond {limit}"


def _time(name: str, time: TimeComparison, ending: str = "") -> str:
    return _row(
        name,
        duration(time.base_ms),
        duration(time.new_ms),
        change(time),
        interval(time),
        time.verdict + ending,
    )


def _row(name: str, base: str, new: str, changed: str, within: str, ending: str) -> str:
    return f"{name:<{NAME}}{base:>10}{new:>11}{changed:>9}  {within:<20}{ending}"
