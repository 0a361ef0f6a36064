"""Profiles a program, as ``rocm-perf profile`` does."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.profiling.progress import progress_of
from rocm_perf_lab.profiling.request import ProfileRequest

if TYPE_CHECKING:
    from rocm_perf_lab.profiling.profiled import Profiled
    from rocm_perf_lab.reporting.run_documents import RunDocuments as Documents


@keywords_of(ProfileRequest)
def profile(request: ProfileRequest) -> Run:
    """Run a program under rocprofv3 and say where its GPU time goes.

    Keywords are the options of ``rocm-perf profile``: ``runs`` timing passes after ``warmup`` runs that are
    not timed; ``roofline`` collects counters, ``focus_critical`` the critical path, ``deep_analysis`` the
    waves of the kernel that matters, each in further passes; ``kernel`` is a regular expression over names;
    ``rocprof=False`` takes the wall time of the process only; ``out`` is a new run folder (else one below
    ``.rocm-perf``); ``timeout`` is in seconds, of each pass; ``quiet`` skips checks of the documents and what
    only they need. What was collected before an error is in the folder that the error names (``collected``).
    """
    if request.rocprof:
        from rocm_perf_lab.profiling.measure import measure as take
    else:
        from rocm_perf_lab.profiling.wall_time import measure_wall_time as take
    with progress_of(request.progress) as reported:
        return _run_of(take(request, datetime.now(timezone.utc), reported))


def _run_of(profiled: Profiled) -> Run:
    def documents() -> Documents:
        from rocm_perf_lab.reporting.run_documents import read_run

        return read_run(profiled.folder)

    return Run(profiled.folder, profiled.profile, profiled.analysis, documents, profiled.text)
