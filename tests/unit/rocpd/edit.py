"""Changes databases of the generator, as damage or another version of the tracer would."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def run(path: Path, *statements: str) -> None:
    """Executes statements; {guid} in them is the suffix of the tables."""
    connection = sqlite3.connect(path)
    try:
        with connection:
            guid = suffix(connection)
            for statement in statements:
                connection.execute(statement.replace("{guid}", guid))
    finally:
        connection.close()


def suffix(connection: sqlite3.Connection) -> str:
    names = connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'rocpd_kernel_dispatch_%'")
    return str(names.fetchone()[0]).removeprefix("rocpd_kernel_dispatch_")


_SAME = """kernel_id, dispatch_id, private_segment_size, group_segment_size,
    workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, event_id"""
_TRACKS = "DENSE_RANK() OVER (ORDER BY tid, agent_id, queue_id, stream_id)"


def to_schema_4(path: Path, *, timestamps: bool) -> None:
    """Lays dispatches out as version 4.0 (times in a table of their own) or 4.1 does."""
    start, end = ("id * 2", "id * 2 + 1") if timestamps else ("start", '"end"')
    names = ("start_id", "end_id") if timestamps else ("start", '"end"')
    steps = [
        f"CREATE TABLE copy AS SELECT *, {_TRACKS} AS track FROM rocpd_kernel_dispatch",
        *(f'DROP VIEW "{view}"' for view in ("rocpd_kernel_dispatch", "rocpd_track")),
        'DROP TABLE "rocpd_track_{guid}"',
        'DROP TABLE "rocpd_kernel_dispatch_{guid}"',
        'CREATE TABLE "rocpd_track_{guid}" AS SELECT DISTINCT track AS id, guid, nid, pid, tid, agent_id, '
        "queue_id, stream_id FROM copy",
        'CREATE VIEW rocpd_track AS SELECT * FROM "rocpd_track_{guid}"',
        f'CREATE TABLE "rocpd_kernel_dispatch_{{guid}}" AS SELECT id, guid, track AS track_id, '
        f"{start} AS {names[0]}, {end} AS {names[1]}, {_SAME} FROM copy",
        'CREATE VIEW rocpd_kernel_dispatch AS SELECT * FROM "rocpd_kernel_dispatch_{guid}"',
        "UPDATE \"rocpd_metadata_{guid}\" SET value = '4' WHERE tag = 'schema_version'",
    ]
    if timestamps:
        steps += [
            'CREATE TABLE "rocpd_timestamp_{guid}" (id INTEGER PRIMARY KEY, guid TEXT, value BIGINT, '
            "phase INTEGER, track_id INTEGER)",
            'INSERT INTO "rocpd_timestamp_{guid}" SELECT id * 2, guid, start, 1, track FROM copy',
            'INSERT INTO "rocpd_timestamp_{guid}" SELECT id * 2 + 1, guid, "end", 2, track FROM copy',
            'CREATE VIEW rocpd_timestamp AS SELECT * FROM "rocpd_timestamp_{guid}"',
        ]
    run(path, *steps, "DROP TABLE copy")
