"""Says where the waves of a kernel spend their time, from saved thread traces, as ``rocm-perf att`` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.values import AnyPath, paths_of

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.att import AttDocument


def att(folders: AnyPath | Sequence[AnyPath]) -> AttDocument:
    """Say where the waves of a kernel spend their time, from saved thread traces; needs no GPU and no ROCm.

    ``folders`` are what ``rocprofv3 --att`` has written, folders with some of that, tables ``stats_….csv``,
    or run folders of ``profile(…, deep_analysis=True)``.
    """
    from rocm_perf_lab.profiling.documents.thread_traces import analyze_traces

    paths = paths_of(folders)
    if not paths:
        raise UsageProblem("no thread trace is given", "name a folder of rocprofv3 --att")
    return analyze_traces(paths)
