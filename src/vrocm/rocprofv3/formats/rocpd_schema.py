"""The rocpd schema, version 3: tables and views as rocprofv3 makes them.

Every table carries the database's guid in its name and has a view with the plain name; readers use the views.
"""

from __future__ import annotations

VERSION = "3"

_ID = '"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT'
_JSON = 'JSONB DEFAULT "{}" NOT NULL'
_KEY = "INTEGER NOT NULL"
_XYZ = ("x", "y", "z")

# Table -> columns after id and guid: name, declaration, and the table whose id it holds.
Column = tuple[str, str] | tuple[str, str, str]
TABLES: dict[str, list[Column]] = {
    "rocpd_metadata": [("tag", "TEXT NOT NULL"), ("value", "TEXT NOT NULL")],
    "rocpd_string": [("string", "TEXT NOT NULL UNIQUE ON CONFLICT ABORT")],
    "rocpd_info_node": [
        ("hash", "BIGINT NOT NULL UNIQUE"),
        ("machine_id", "TEXT NOT NULL UNIQUE"),
        *(
            (name, "TEXT")
            for name in ("system_name", "hostname", "release", "version", "hardware_name", "domain_name")
        ),
    ],
    "rocpd_info_process": [
        ("nid", _KEY, "rocpd_info_node"),
        ("ppid", "INTEGER"),
        ("pid", _KEY),
        *((name, "BIGINT") for name in ("init", "fini", "start", "end")),
        ("command", "TEXT"),
        ("environment", _JSON),
        ("extdata", _JSON),
    ],
    "rocpd_info_thread": [
        ("nid", _KEY, "rocpd_info_node"),
        ("ppid", "INTEGER"),
        ("pid", _KEY, "rocpd_info_process"),
        ("tid", _KEY),
        ("name", "TEXT"),
        ("start", "BIGINT"),
        ("end", "BIGINT"),
        ("extdata", _JSON),
    ],
    "rocpd_info_agent": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("type", "TEXT CHECK (\"type\" IN ('CPU', 'GPU'))"),
        *((name, "INTEGER") for name in ("absolute_index", "logical_index", "type_index", "uuid")),
        *((name, "TEXT") for name in ("name", "model_name", "vendor_name", "product_name", "user_name")),
        ("extdata", _JSON),
    ],
    "rocpd_info_queue": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("name", "TEXT"),
        ("extdata", _JSON),
    ],
    "rocpd_info_stream": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("name", "TEXT"),
        ("extdata", _JSON),
    ],
    "rocpd_info_pmc": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("agent_id", "INTEGER", "rocpd_info_agent"),
        ("target_arch", "TEXT CHECK (\"target_arch\" IN ('CPU', 'GPU'))"),
        ("event_code", "INT"),
        ("instance_id", "INTEGER"),
        ("name", "TEXT NOT NULL"),
        ("symbol", "TEXT NOT NULL"),
        ("description", "TEXT"),
        ("long_description", 'TEXT DEFAULT ""'),
        ("component", "TEXT"),
        ("units", 'TEXT DEFAULT ""'),
        ("value_type", "TEXT CHECK (\"value_type\" IN ('ABS', 'ACCUM', 'RELATIVE'))"),
        ("block", "TEXT"),
        ("expression", "TEXT"),
        ("is_constant", "INTEGER"),
        ("is_derived", "INTEGER"),
        ("extdata", _JSON),
    ],
    "rocpd_info_code_object": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("agent_id", "INTEGER", "rocpd_info_agent"),
        ("uri", "TEXT"),
        *((name, "BIGINT") for name in ("load_base", "load_size", "load_delta")),
        ("storage_type", "TEXT CHECK (\"storage_type\" IN ('FILE', 'MEMORY'))"),
        ("extdata", _JSON),
    ],
    "rocpd_info_kernel_symbol": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("code_object_id", _KEY, "rocpd_info_code_object"),
        ("kernel_name", "TEXT"),
        ("display_name", "TEXT"),
        *(
            (name, "INTEGER")
            for name in (
                "kernel_object",
                "kernarg_segment_size",
                "kernarg_segment_alignment",
                "group_segment_size",
                "private_segment_size",
                "sgpr_count",
                "arch_vgpr_count",
                "accum_vgpr_count",
            )
        ),
        ("extdata", _JSON),
    ],
    "rocpd_track": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", "INTEGER", "rocpd_info_process"),
        ("tid", "INTEGER", "rocpd_info_thread"),
        ("name_id", "INTEGER", "rocpd_string"),
        ("extdata", _JSON),
    ],
    "rocpd_event": [
        ("category_id", "INTEGER", "rocpd_string"),
        *((name, "INTEGER") for name in ("stack_id", "parent_stack_id", "correlation_id")),
        ("call_stack", _JSON),
        ("line_info", _JSON),
        ("extdata", _JSON),
    ],
    "rocpd_arg": [
        ("event_id", _KEY, "rocpd_event"),
        ("position", "INTEGER NOT NULL"),
        ("type", "TEXT NOT NULL"),
        ("name", "TEXT NOT NULL"),
        ("value", "TEXT"),
        ("extdata", _JSON),
    ],
    "rocpd_pmc_event": [
        ("event_id", "INTEGER", "rocpd_event"),
        ("pmc_id", _KEY, "rocpd_info_pmc"),
        ("value", "REAL DEFAULT 0.0"),
        ("extdata", 'JSONB DEFAULT "{}"'),
    ],
    "rocpd_region": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("tid", _KEY, "rocpd_info_thread"),
        ("start", "BIGINT NOT NULL"),
        ("end", "BIGINT NOT NULL"),
        ("name_id", _KEY, "rocpd_string"),
        ("event_id", "INTEGER", "rocpd_event"),
        ("extdata", _JSON),
    ],
    "rocpd_sample": [
        ("track_id", _KEY, "rocpd_track"),
        ("timestamp", "BIGINT NOT NULL"),
        ("event_id", "INTEGER", "rocpd_event"),
        ("extdata", _JSON),
    ],
    "rocpd_kernel_dispatch": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("tid", "INTEGER", "rocpd_info_thread"),
        ("agent_id", _KEY, "rocpd_info_agent"),
        ("kernel_id", _KEY, "rocpd_info_kernel_symbol"),
        ("dispatch_id", "INTEGER NOT NULL"),
        ("queue_id", _KEY, "rocpd_info_queue"),
        ("stream_id", _KEY, "rocpd_info_stream"),
        ("start", "BIGINT NOT NULL"),
        ("end", "BIGINT NOT NULL"),
        ("private_segment_size", "INTEGER"),
        ("group_segment_size", "INTEGER"),
        *((f"workgroup_size_{axis}", "INTEGER NOT NULL") for axis in _XYZ),
        *((f"grid_size_{axis}", "INTEGER NOT NULL") for axis in _XYZ),
        ("region_name_id", "INTEGER", "rocpd_string"),
        ("event_id", "INTEGER", "rocpd_event"),
        ("extdata", _JSON),
    ],
    "rocpd_memory_copy": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("tid", "INTEGER", "rocpd_info_thread"),
        ("start", "BIGINT NOT NULL"),
        ("end", "BIGINT NOT NULL"),
        ("name_id", _KEY, "rocpd_string"),
        ("dst_agent_id", "INTEGER", "rocpd_info_agent"),
        ("dst_address", "INTEGER"),
        ("src_agent_id", "INTEGER", "rocpd_info_agent"),
        ("src_address", "INTEGER"),
        ("size", "INTEGER NOT NULL"),
        ("queue_id", "INTEGER", "rocpd_info_queue"),
        ("stream_id", "INTEGER", "rocpd_info_stream"),
        ("region_name_id", "INTEGER", "rocpd_string"),
        ("event_id", "INTEGER", "rocpd_event"),
        ("extdata", _JSON),
    ],
    "rocpd_memory_allocate": [
        ("nid", _KEY, "rocpd_info_node"),
        ("pid", _KEY, "rocpd_info_process"),
        ("tid", "INTEGER", "rocpd_info_thread"),
        ("agent_id", "INTEGER", "rocpd_info_agent"),
        ("type", "TEXT CHECK (\"type\" IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM'))"),
        ("level", "TEXT CHECK (\"level\" IN ('REAL', 'VIRTUAL', 'SCRATCH'))"),
        ("start", "BIGINT NOT NULL"),
        ("end", "BIGINT NOT NULL"),
        ("address", "INTEGER"),
        ("size", "INTEGER NOT NULL"),
        ("queue_id", "INTEGER", "rocpd_info_queue"),
        ("stream_id", "INTEGER", "rocpd_info_stream"),
        ("event_id", "INTEGER", "rocpd_event"),
        ("extdata", _JSON),
    ],
}


def table_name(table: str, guid: str) -> str:
    return f"{table}_{guid.replace('-', '_')}"


def create_table(table: str, guid: str) -> str:
    lines = [_ID]
    if table != "rocpd_metadata":
        lines.append(f'"guid" TEXT DEFAULT "{guid}" NOT NULL')
    columns = TABLES[table]
    lines += [f'"{column[0]}" {column[1]}' for column in columns]
    lines += [
        f'FOREIGN KEY ("{column[0]}") REFERENCES "{table_name(column[2], guid)}" ("id") ON UPDATE CASCADE'
        for column in columns
        if len(column) == 3
    ]
    return f'CREATE TABLE "{table_name(table, guid)}" (\n    ' + ",\n    ".join(lines) + "\n)"


def create_plain_view(table: str, guid: str) -> str:
    return f'CREATE VIEW "{table}" AS SELECT * FROM "{table_name(table, guid)}"'
