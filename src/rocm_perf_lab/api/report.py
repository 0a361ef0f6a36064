"""Writes a run as one HTML file, as ``rocm-perf report`` does."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.api.arguments import AnyPath
from rocm_perf_lab.api.load_run import LATEST, load_run
from rocm_perf_lab.api.run import Run


def report(run: Run | AnyPath = LATEST, *, output: AnyPath | None = None) -> Path:
    """Write a run as one HTML file that needs nothing else, and say where it is.

    ``run`` is a run, a run folder or a trace (without one, the last run of the working folder); the file is
    ``report.html`` in the run folder unless ``output`` names another.
    """
    return (run if isinstance(run, Run) else load_run(run)).report(output)
