"""Writes a run as one HTML file, as ``rocm-perf report`` does."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.api.kept_result import find_kept
from rocm_perf_lab.api.load_run import LATEST, load_run
from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.requests.values import AnyPath


def report(run: Run | AnyPath = LATEST, *, output: AnyPath | None = None) -> Path:
    """Write a run as one HTML file that needs nothing else, and say where it is.

    ``run`` is a run, a run folder, a trace, or the folder of an optimization or a tuning (without one, the
    last run of the working folder); the file is beside the documents unless ``output`` names another.
    """
    if isinstance(run, Run):
        return run.report(output)
    kept = find_kept(Path(run))
    if kept is None:
        return load_run(run).report(output)
    from rocm_perf_lab.reporting.whole_file import write_whole

    file = Path(output) if output is not None else kept.page
    write_whole(file, [kept.html().encode()])
    return file
