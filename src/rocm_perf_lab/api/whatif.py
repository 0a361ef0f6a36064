"""Predicts what a change would mean for the whole, as ``rocm-perf whatif`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import NoKernels, UsageProblem
from rocm_perf_lab.requests.values import AnyPath, kernel_pattern, paths_of

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.dag import WhatIfDocument
    from rocm_perf_lab.rocpd.timeline.rows import Timeline


def whatif(
    run: Run | AnyPath | Sequence[AnyPath],
    *,
    kernel: str | None = None,
    speedup: float | None = None,
    remove_sync: bool = False,
    overlap_copies: bool = False,
) -> WhatIfDocument:
    """Predict the end-to-end time of a run with a change; without one, rank kernels by what they would gain.

    ``run`` is best made with ``profile(…, focus_critical=True)``; a folder of rocprofv3 or the databases of
    the processes of one execution will do. Kernels whose name matches ``kernel`` are ``speedup`` times as
    fast (2 unless given); ``remove_sync``: the host does not wait; ``overlap_copies``: copies run beside
    everything else.
    """
    if speedup is not None and not speedup > 0:  # also false of what is no number
        raise UsageProblem("--speedup must be more than 0", "2 means: half the time")
    pattern = kernel_pattern(kernel)
    named = pattern is not None or remove_sync or overlap_copies
    if speedup is not None and pattern is None and named:
        raise UsageProblem("--speedup is of kernels, and none is named", "add --kernel REGEX")

    from rocm_perf_lab.analysis.critical_path.graph import build_graph
    from rocm_perf_lab.analysis.critical_path.whatif import Change
    from rocm_perf_lab.analysis.critical_path.whatif_document import whatif_document
    from rocm_perf_lab.profiling.documents.critical_path import read_execution

    timeline = read_execution(_paths(run))
    if pattern is not None and not any(pattern.search(name) for name in _kernel_names(timeline)):
        raise NoKernels(f"no kernel's name matches {kernel!r}", "leave out --kernel: that lists them")
    change = Change(pattern, speedup or 2.0, remove_sync=remove_sync, overlap_copies=overlap_copies)
    return whatif_document(build_graph(timeline), change, rank=not named)


def _paths(run: Run | AnyPath | Sequence[AnyPath]) -> tuple[Path, ...]:
    return (run.documents.folder,) if isinstance(run, Run) else paths_of(run)


def _kernel_names(timeline: Timeline) -> set[str]:
    works = timeline.works
    return {timeline.names[number] for number in set(works.name[~works.copy].tolist())}
