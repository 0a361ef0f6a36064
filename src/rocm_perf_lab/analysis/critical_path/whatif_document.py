"""The document of a prediction."""

from __future__ import annotations

import math

from rocm_perf_lab.analysis.critical_path.graph import Graph
from rocm_perf_lab.analysis.critical_path.summary import inferred_share, unknown
from rocm_perf_lab.analysis.critical_path.whatif import Change, predict, rank_kernels
from rocm_perf_lab.contracts.profiling.dag import RankedKernel, WhatIfDocument

_ALWAYS = (
    "All other durations and delays stay as they were; what shared a GPU gets no faster for having it alone."
)
_SYNC = "At best: that nothing the host did after a wait needed the results is not known."
_COPIES = "At best: that no kernel needed the copied data, and no copy a kernel's result, is not known."


def whatif_document(graph: Graph, change: Change, *, rank: bool) -> WhatIfDocument:
    """``rank``: no change is named; every kernel is made faster by ``change.speedup``, each by itself."""
    ranking: tuple[RankedKernel, ...] = ()
    ranking_speedup = change.speedup
    if rank:
        ranking = tuple(
            RankedKernel(
                origin="derived",
                missing={} if item.gain_ns is not None else {"gain_ns": "not replayed: others gain more"},
                name=item.name,
                launches=item.launches,
                total_ns=item.total_ns,
                on_path_ns=item.on_path_ns,
                gain_ns=item.gain_ns,
                at_most_ns=item.at_most_ns,
            )
            for item in rank_kernels(graph, speedup=change.speedup)
        )
        change = Change()
    prediction = predict(graph, change)
    return WhatIfDocument(
        origin="derived",
        missing={} if rank else {"ranking_speedup": "kernels were not ranked"},
        databases=graph.timeline.sources,
        changes=described(change),
        affected=prediction.affected,
        span_ns=prediction.span_ns,
        predicted_ns=prediction.predicted_ns,
        gain_ns=prediction.gain_ns,
        speedup=prediction.span_ns / max(1, prediction.predicted_ns),
        on_path_ns=prediction.on_path_ns,
        inferred_share=inferred_share(graph),
        ranking=ranking,
        ranking_speedup=ranking_speedup if rank else None,
        assumptions=assumptions(graph, change),
    )


def described(change: Change) -> tuple[str, ...]:
    told = []
    if change.kernel is not None:
        faster = "taking no time" if math.isinf(change.speedup) else f"{change.speedup:g} times as fast"
        told.append(f"kernels that match {change.kernel.pattern!r} {faster}")
    if change.remove_sync:
        told.append("no waits of the host for streams, events or the device")
    if change.overlap_copies:
        told.append("copies beside everything else")
    return tuple(told)


def assumptions(graph: Graph, change: Change) -> tuple[str, ...]:
    told = [_ALWAYS]
    if change.remove_sync:
        told.append(_SYNC)
    if change.overlap_copies:
        told.append(_COPIES)
    return (*told, *unknown(graph))
