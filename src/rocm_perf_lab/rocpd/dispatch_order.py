"""The dispatches of one kernel in their order: which of them has which shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rocm_perf_lab.rocpd.database import open_database, query
from rocm_perf_lab.rocpd.kernel_names import kernel_name
from rocm_perf_lab.rocpd.layout import find_layout


class Shape(NamedTuple):
    """How a kernel is launched, on whatever GPU."""

    grid: tuple[int, int, int]  # work-items
    workgroup: tuple[int, int, int]
    lds_bytes: int  # per workgroup, static and dynamic


@dataclass(frozen=True)
class DatabaseDispatch:
    database: Path
    number: int  # as rocprofv3 counts the dispatches of a process
    iteration: int  # of this kernel in its process, from 1
    shape: Shape


def dispatches_of(kernel: str, databases: Sequence[Path]) -> Iterator[DatabaseDispatch]:
    """Those of the kernel with this (demangled) name, process after process."""
    for path in databases:
        with open_database(path) as database:
            find_layout(database, path)  # or refuses; tables without their view get one
            database.text_factory = lambda text: text.decode("utf-8", "replace")
            for guid, number in database.execute(query("dispatched_kernels")).fetchall():
                if _name(database.execute(query("kernel"), (guid, number)).fetchone()) != kernel:
                    continue
                rows = database.execute(query("dispatches_in_order"), (guid, number))
                for iteration, (dispatch, gx, gy, gz, wx, wy, wz, lds) in enumerate(rows, 1):
                    yield DatabaseDispatch(
                        path, dispatch, iteration, Shape((gx, gy, gz), (wx, wy, wz), lds or 0)
                    )


def _name(row: tuple[Any, ...] | None) -> str | None:
    if row is None:
        return None
    symbol, display_name, extdata, *_ = row
    try:
        names = json.loads(extdata or "{}")
    except (TypeError, ValueError, RecursionError):
        names = {}
    return kernel_name(symbol, display_name, names if isinstance(names, dict) else {})
