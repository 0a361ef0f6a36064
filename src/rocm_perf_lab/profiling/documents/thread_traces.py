"""Thread traces on disk, read and analyzed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rocm_perf_lab.analysis.att.analyze import TraceContext, analyze
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.thread_trace.folder import find_traces, open_trace, read_waves
from rocm_perf_lab.thread_trace.source_files import read_lines


def analyze_trace(path: Path, known: TraceContext | None = None) -> AttAnalysis:
    """What is found in one trace folder, or in one table of statistics."""
    trace = open_trace(path)
    files = {name: read_lines(copy) for name, copy in trace.sources.items()}
    return analyze(trace, read_waves(trace), replace(known or TraceContext(), source_files=files))


def analyze_traces(paths: Sequence[Path]) -> AttDocument:
    """All traces at or below some paths. A run folder has them analyzed, and knows more of them."""
    dispatches: list[AttAnalysis] = []
    warnings: list[str] = []
    for path in paths:
        recorded = _recorded(path)
        if recorded:
            dispatches += recorded.dispatches
            warnings += recorded.warnings
        else:
            dispatches += [analyze_trace(found) for found in find_traces(path)]
    return document_of(dispatches, warnings)


def _recorded(path: Path) -> AttDocument | None:
    """att.json of a run folder, if it is of this version."""
    file = path / "att.json"
    if not file.is_file():
        return None
    from rocm_perf_lab.contracts.documents import from_json

    try:
        return from_json(AttDocument, file.read_bytes(), str(file))
    except (BadInput, OSError):
        return None


def document_of(dispatches: Sequence[AttAnalysis], warnings: Sequence[str] = ()) -> AttDocument:
    origin: Origin = "simulated" if any(one.origin == "simulated" for one in dispatches) else "measured"
    return AttDocument(origin=origin, dispatches=tuple(dispatches), warnings=tuple(warnings))
