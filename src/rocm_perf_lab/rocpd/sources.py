"""Which files of a folder hold the trace, and what kind each is."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.csv_files.table import is_table, table_base
from rocm_perf_lab.rocpd.database import is_database
from rocm_perf_lab.rocpd.readable import check_readable
from rocm_perf_lab.rocpd.rocpd_database import read_database
from rocm_perf_lab.rocpd.trace_builder import TraceBuilder


def find_databases(folder: Path) -> list[Path]:
    """The databases anywhere below a folder, in the order of their names: those that are named as rocprofv3
    names them, else all."""
    found = sorted(path for path in folder.rglob("*.db") if path.is_file())
    return [path for path in found if path.name.endswith("_results.db")] or found


def find_files(folder: Path) -> list[Path]:
    """The files of a folder that hold its trace, each process once.

    rocprofv3 can write the same trace in several formats at once; the one that says most is taken:
    databases, else JSON, else CSV.
    """
    if found := find_databases(folder):
        return found
    if found := sorted(path for path in folder.rglob("*_results.json") if path.is_file()):
        return found
    tables = {table_base(path): path for path in sorted(folder.rglob("*.csv")) if is_table(path)}
    return list(tables.values())


def read_source(path: Path, builder: TraceBuilder) -> None:
    """Reads a file or all of a folder."""
    if path.is_dir():
        files = _listed(path)
        if not files:
            raise BadInput(
                f"{path} has no trace: no *.db, no *_results.json, no *_kernel_trace.csv",
                "give the folder that rocprofv3 wrote into (its -d option), or a file",
            )
        for file in files:
            read_source(file, builder)
        return
    check_readable(path)
    # Most traces are databases: what the other formats need is imported for them only.
    if is_table(path):
        from rocm_perf_lab.rocpd.csv_files.tables import read_tables

        read_tables(table_base(path), builder)
    elif path.suffix == ".csv":
        raise BadInput(
            f"{path} is not a table of launches", "give …_kernel_trace.csv or …_counter_collection.csv"
        )
    elif path.suffix == ".json" and not is_database(path):
        from rocm_perf_lab.rocpd.json_results import read_json

        read_json(path, builder)
    else:
        read_database(path, builder)


def _listed(folder: Path) -> list[Path]:
    try:
        next(folder.iterdir(), None)
        return find_files(folder)
    except PermissionError:
        raise BadInput(f"{folder} may not be read", f"chmod u+rx '{folder}', or ask its owner") from None
