"""How long the processes of a trace lived, as the tracer saw it: from its own start in them to their end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.rocpd.database import open_database, query
from rocm_perf_lab.rocpd.layout import find_layout


def process_span_ns(databases: Sequence[Path]) -> int | None:
    """From the first process's start to the last one's end; None where the trace does not have it."""
    starts: list[int] = []
    ends: list[int] = []
    for path in databases:
        with open_database(path) as database:
            if not find_layout(database, path).has("rocpd_info_process", "rocpd_info_node"):
                return None
            for _, _, _, _, start, end in database.execute(query("timeline_processes")):
                if not start or not end or end <= start:
                    return None
                starts.append(start)
                ends.append(end)
    return max(ends) - min(starts) if starts else None
