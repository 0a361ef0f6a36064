"""How rocprofv3 names its CSV tables: the files of a process begin alike."""

from __future__ import annotations

import re
from pathlib import Path

TRACE, COUNTERS, AGENTS = "kernel_trace.csv", "counter_collection.csv", "agent_info.csv"


def is_table(path: Path) -> bool:
    """Whether the table has launches."""
    return path.name.endswith((TRACE, COUNTERS))


def table_base(path: Path) -> str:
    """What the files of one process have in common."""
    return re.sub(rf"_?({TRACE}|{COUNTERS}|{AGENTS})$", "", str(path))


def table_file(base: str, kind: str) -> Path | None:
    """The file of that kind, if there is one."""
    found = Path(f"{base}{kind}" if base.endswith("/") else f"{base}_{kind}")
    return found if found.is_file() or found.is_symlink() else None
