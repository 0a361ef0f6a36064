"""Recognises a rocpd database and which of the published table layouts it has.

The layout is decided by the tables themselves, because the version that a database states does not always
tell them apart: version 4 has been used for times in a table of their own (4.0), for times in the dispatches
(4.1) and for compressed columns.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.database import query

_GUID = r"[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}"
_TABLE = re.compile(rf"(rocpd_[a-z_]+?)_+({_GUID})", re.IGNORECASE)
_AGAIN = "trace again with rocprofv3 --output-format rocpd of ROCm 7, or write CSV (--output-format csv)"


@dataclass(frozen=True)
class DatabaseLayout:
    version: str  # as the database states it
    guids: tuple[str, ...]  # one per process
    tables: frozenset[str]  # plain names
    dispatches: str  # name of the query
    counter_values: str  # name of the query
    tracks: bool  # whether dispatches name a track instead of an agent

    def has(self, *tables: str) -> bool:
        return self.tables.issuperset(tables)


def find_layout(database: sqlite3.Connection, path: Path) -> DatabaseLayout:
    tables = _plain_views(database)
    if "rocpd_metadata" not in tables:
        raise BadInput(
            f"{path} is a SQLite database, but not one of rocprofv3: it has no rocpd_metadata",
            "give the …_results.db that rocprofv3 writes with --output-format rocpd",
        )
    metadata: dict[str, list[str]] = defaultdict(list)
    for tag, value in database.execute(query("metadata")):
        metadata[str(tag)].append(str(value))
    version = ", ".join(sorted(set(metadata["schema_version"]))) or "(not stated)"
    if metadata["compression"]:
        raise BadInput(f"{path} is compressed ({metadata['compression'][0]}), which cannot be read", _AGAIN)
    for table in ("rocpd_kernel_dispatch", "rocpd_info_kernel_symbol"):
        if table not in tables:
            raise BadInput(f"{path} (rocpd schema {version}) has no {table}", _AGAIN)
    columns = _columns(database, "rocpd_kernel_dispatch")
    if {"agent_id", "start", "end"} <= columns:
        dispatches = "dispatches"
    elif {"track_id", "start", "end"} <= columns:
        dispatches = "dispatches_on_tracks"
    elif {"track_id", "start_id", "end_id"} <= columns and "rocpd_timestamp" in tables:
        dispatches = "dispatches_with_timestamps"
    else:
        raise BadInput(f"{path} has version {version} of the rocpd schema, which cannot be read", _AGAIN)
    sampled = "rocpd_pmc_event" in tables and "sample_id" in _columns(database, "rocpd_pmc_event")
    return DatabaseLayout(
        version=version,
        guids=tuple(metadata["guid"]),
        tables=frozenset(tables),
        dispatches=dispatches,
        counter_values="counter_values_not_sampled" if sampled else "counter_values",
        tracks=dispatches != "dispatches",
    )


def _plain_views(database: sqlite3.Connection) -> set[str]:
    """The names that can be queried. Tables without their view get one, in memory only."""
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type != 'index'")]
    plain = {name for name in names if not _TABLE.fullmatch(name)}
    parts: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if match := _TABLE.fullmatch(name):
            parts[match[1]].append(name)
    for table in sorted(parts.keys() - plain):
        rows = " UNION ALL ".join(f'SELECT * FROM "{name}"' for name in sorted(parts[table]))
        database.execute(f'CREATE TEMP VIEW "{table}" AS {rows}')
    return plain | parts.keys()


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in database.execute("SELECT name FROM pragma_table_info(?)", (table,))}
