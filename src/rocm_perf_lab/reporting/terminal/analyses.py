"""Many traces, each analysed by itself, for the terminal: a line for each, and why some failed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rocm_perf_lab.contracts.profiling.analyses import AnalysedTrace, AnalysesDocument
from rocm_perf_lab.reporting.terminal.lines import as_text, labelled
from rocm_perf_lab.reporting.words.figures import count, cut_middle, duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name

NAME, KERNEL = 32, 30


def render(document: AnalysesDocument, folder: Path) -> str:
    return as_text(_lines(document, folder))


def _lines(document: AnalysesDocument, folder: Path) -> Iterator[str]:
    failed = f", {document.failed} FAILED" if document.failed else ""
    yield f"{count(len(document.traces), 'trace')}: {document.analysed} analysed{failed}"
    yield ""
    yield f"{'trace':<{NAME}}{'runs':>5}{'GPU time':>12}{'kernels':>9}  {'hottest':<{KERNEL}}{'share':>7}"
    for trace in document.traces:
        yield _row(trace)
    for trace in document.traces:
        if trace.unfinished:
            yield ""
            yield f"UNFINISHED {trace.trace}"
            yield from labelled("    ", "; ".join(trace.unfinished), 4)
        if trace.error is not None:
            yield ""
            yield f"FAILED {trace.trace}"
            yield from labelled("    ", trace.error.cause, 4)
            if trace.error.remedy:
                yield from labelled("    ", f"try: {trace.error.remedy}", 4)
    yield ""
    yield f"{folder} has the documents of each, and analyses.json; rocm-perf report shows one of them"


def _row(trace: AnalysedTrace) -> str:
    name = cut_middle(Path(trace.trace).name, NAME - 2)
    if trace.error is not None:
        return f"{name:<{NAME}}FAILED"
    took = duration(trace.gpu_time_ms) if trace.gpu_time_ms is not None else "-"
    kernel = short_name(trace.hottest, KERNEL - 2) if trace.hottest is not None else "-"
    share = percent(trace.share) if trace.share is not None else ""
    simulated = "  SIMULATED" if trace.origin == "simulated" else ""
    runs = "-" if trace.runs is None else str(trace.runs)
    return (
        f"{name:<{NAME}}{runs:>5}{took:>12}{trace.kernels or 0:>9}  {kernel:<{KERNEL}}{share:>7}{simulated}"
    )
