"""A prediction for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.profiling.dag import WhatIfDocument
from rocm_perf_lab.reporting.words.figures import count, cut, duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_names

_NAME = 44
_RANKED = 15


def render(document: WhatIfDocument) -> str:
    return "\n".join(_lines(document)) + "\n"


def _lines(document: WhatIfDocument) -> Iterator[str]:
    span = duration(document.span_ns / 1e6)
    if document.ranking_speedup is not None:
        faster = f"{document.ranking_speedup:g} times as fast"
        yield f"end to end {span}; what it would gain if one kernel were {faster}:"
        yield from _ranking(document)
    else:
        for change in document.changes:
            yield f"what if: {cut(change, 90)}"
        yield f"  end to end  {span} -> {duration(document.predicted_ns / 1e6)}"
        share = document.gain_ns / max(1, document.span_ns)
        faster = f"{percent(share)}, {document.speedup:.3f} times as fast"
        yield f"  gain        {duration(document.gain_ns / 1e6)} ({faster})"
        yield (
            f"  concerned   {count(document.affected, 'launch, copy or wait', 'launches, copies or waits')}, "
            f"{duration(document.on_path_ns / 1e6)} of the critical path"
        )
    if document.inferred_share:
        yield f"  {percent(document.inferred_share)} of the dependencies are inferred"
    for assumption in document.assumptions:
        yield f"note: {assumption}"


def _ranking(document: WhatIfDocument) -> Iterator[str]:
    shown = document.ranking[:_RANKED]
    yield f"  {'kernel':<{_NAME}} {'launches':>9} {'total':>10} {'on path':>10} {'gain':>10}"
    for kernel, name in zip(shown, short_names([one.name for one in shown], _NAME), strict=True):
        gain = "?" if kernel.gain_ns is None else duration(kernel.gain_ns / 1e6)
        yield (
            f"  {name:<{_NAME}} {kernel.launches:>9} {duration(kernel.total_ns / 1e6):>10} "
            f"{duration(kernel.on_path_ns / 1e6):>10} {gain:>10}"
        )
    if len(document.ranking) > len(shown):
        yield f"  and {len(document.ranking) - len(shown)} more (--json has all)"
