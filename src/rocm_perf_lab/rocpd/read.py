"""Reads the traces of one execution, or of several, from whatever rocprofv3 wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.rocpd.executions import find_executions
from rocm_perf_lab.rocpd.rows import Trace
from rocm_perf_lab.rocpd.sources import find_databases, read_source
from rocm_perf_lab.rocpd.trace_builder import TraceBuilder

__all__ = ["find_databases", "read_executions", "read_trace"]


def read_trace(paths: Sequence[Path], *, medians: bool = True, kernels: str | None = None) -> Trace:
    """One execution of a program: all files together, one or more processes.

    Each path is a database, a CSV table, a JSON file, or a folder with such files. ``kernels`` is a regular
    expression that a kernel's demangled name must match somewhere.
    """
    builder = TraceBuilder(medians=medians, kernels=kernels)
    for path in paths:
        read_source(path, builder)
    return builder.build()


def read_executions(
    paths: Sequence[Path], *, medians: bool = True, kernels: str | None = None
) -> list[Trace]:
    """The executions that ``paths`` hold: see ``executions.find_executions`` for which files belong together.

    Those that were made to count have counters in their launches.
    """
    return [
        read_trace(execution, medians=medians, kernels=kernels)
        for path in paths
        for execution in find_executions(path)
    ]
