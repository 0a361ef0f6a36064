"""One CSV table of rocprofv3: how its file is called, its columns by name, and its rows one at a time."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.readable import check_readable

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


@dataclass
class CsvTable:
    path: Path
    columns: dict[str, int]
    _rows: Iterator[list[str]]
    broken: int = 0  # rows that were not whole

    def column(self, *names: str) -> int | None:
        """Where the first of these columns is that the table has: generations have different names."""
        return next((self.columns[name] for name in names if name in self.columns), None)

    def needed(self, *names: str) -> int:
        found = self.column(*names)
        if found is None:
            raise BadInput(
                f"{self.path} has no column {' or '.join(names)}",
                "give the tables that rocprofv3 writes with --output-format csv, unchanged",
            )
        return found

    def rows(self) -> Iterator[list[str]]:
        """The rows that have all columns; the last one of a killed tracer may not."""
        width = len(self.columns)
        for row in self._rows:
            if len(row) == width:
                yield row
            else:
                self.broken += 1


@contextmanager
def open_table(path: Path) -> Iterator[CsvTable]:
    check_readable(path)
    try:
        with path.open(newline="", encoding="utf-8", errors="replace") as file:
            rows = csv.reader(file)
            heading = next(rows, None)
            if not heading:
                raise BadInput(f"{path} is empty", "trace again and let the tracer end by itself")
            yield CsvTable(path, {name.strip(): place for place, name in enumerate(heading)}, rows)
    except csv.Error as problem:
        raise BadInput(f"{path} is not a CSV table: {problem}", "copy it again, or trace again") from None
