"""stats_*.csv: the totals of code.json as a table, which is all there is where no folder was written."""

from __future__ import annotations

import csv
from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.thread_trace.rows import CodeLine

COLUMNS = ("CodeObj", "Vaddr", "Instruction", "Hitcount", "Latency", "Stall", "Idle", "Source")
_REMEDY = "name a stats_*.csv that rocprofv3 --att has written, whole"


def read_statistics(path: Path) -> tuple[CodeLine, ...]:
    """Lines in order of address, with their place in the table for a number."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if not set(COLUMNS) <= set(reader.fieldnames or ()):
                raise BadInput(f"{path} does not have the columns {', '.join(COLUMNS)}", _REMEDY)
            return tuple(_line(row, number, path) for number, row in enumerate(reader))
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}", "check its access rights") from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise BadInput(f"{path} is not a CSV table: {problem}", _REMEDY) from None


def _line(row: dict[str, str | None], number: int, path: Path) -> CodeLine:
    names = ("CodeObj", "Vaddr", "Hitcount", "Latency", "Stall", "Idle")
    try:
        code_object, address, *totals = (int(row[name] or "") for name in names)
    except ValueError:
        raise BadInput(f"{path}: row {number + 2} is cut short or has no numbers", _REMEDY) from None
    hits, latency, stall, idle = totals
    text, source = row["Instruction"] or "", row["Source"] or ""
    return CodeLine(number, text, source, code_object, address, hits, latency, stall, idle)
