"""Thread traces on disk, read and analyzed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rocm_perf_lab.analysis.att.analyze import Known, analyze
from rocm_perf_lab.contracts.att import AttAnalysis, AttDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.thread_trace.folder import find_traces, open_trace, read_waves
from rocm_perf_lab.thread_trace.source_files import read_lines


def analyze_trace(path: Path, known: Known | None = None) -> AttAnalysis:
    """What is found in one trace folder, or in one table of statistics."""
    trace = open_trace(path)
    files = {name: read_lines(copy) for name, copy in trace.sources.items()}
    return analyze(trace, read_waves(trace), replace(known or Known(), source_files=files))


def analyze_traces(paths: Sequence[Path]) -> AttDocument:
    """All traces at or below some paths."""
    return document_of([analyze_trace(found) for path in paths for found in find_traces(path)])


def document_of(dispatches: Sequence[AttAnalysis], warnings: Sequence[str] = ()) -> AttDocument:
    origin: Origin = "simulated" if any(one.origin == "simulated" for one in dispatches) else "measured"
    return AttDocument(origin=origin, dispatches=tuple(dispatches), warnings=tuple(warnings))
