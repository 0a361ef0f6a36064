"""Reads the traces of one execution, or of several, from whatever rocprofv3 wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.rocpd.rocpd_database import read_database
from rocm_perf_lab.rocpd.rows import Trace
from rocm_perf_lab.rocpd.trace_builder import TraceBuilder


def read_trace(paths: Sequence[Path], *, medians: bool = True, kernels: str | None = None) -> Trace:
    """One execution of a program: all files together, one or more processes.

    Each path is a database or a folder with databases. ``kernels`` is a regular expression that a kernel's
    demangled name must match somewhere.
    """
    builder = TraceBuilder(medians=medians, kernels=kernels)
    for path in paths:
        for file in find_databases(path) if path.is_dir() else [path]:
            read_database(file, builder)
    return builder.build()


def find_databases(folder: Path) -> list[Path]:
    """The databases below a folder, in the order of their names."""
    return sorted(path for path in folder.rglob("*.db") if path.is_file())
