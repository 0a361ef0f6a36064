"""Reads a rocpd database of whichever schema version it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.database import open_database, tables_and_views
from rocm_perf_lab.rocpd.queries import query
from rocm_perf_lab.rocpd.schema3 import read_schema3
from rocm_perf_lab.rocpd.trace_builder import TraceBuilder


def read_database(path: Path, builder: TraceBuilder) -> None:
    with open_database(path) as database:
        version = _schema_version(database, path)
        if version != "3":
            raise BadInput(
                f"{path} has version {version} of the rocpd schema; version 3 can be read",
                "trace again with rocprofv3 of ROCm 7, or write CSV: --output-format csv",
            )
        builder.add_source(path)
        read_schema3(database, path, builder)


def _schema_version(database: sqlite3.Connection, path: Path) -> str:
    names = tables_and_views(database)
    if "rocpd_metadata" not in names:
        raise BadInput(
            f"{path} is a SQLite database, but not one of rocprofv3: it has no rocpd_metadata",
            "give the …_results.db that rocprofv3 writes with --output-format rocpd",
        )
    metadata = dict(database.execute(query("metadata")))
    if "rocpd_timestamp" in names:
        return "4"
    return str(metadata.get("schema_version", "(none)"))
