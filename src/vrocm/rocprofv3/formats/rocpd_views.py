"""The data views of a rocpd database: what people query."""

from __future__ import annotations


def _join(table: str, alias: str, column: str, guid: str, kind: str = "JOIN") -> str:
    """Joins the row of a table whose id is in the column, within the same database."""
    return f"{kind} {table} AS {alias} ON {alias}.id = {column} AND {alias}.guid = {guid}"


def _string(column: str, guid: str) -> str:
    """The text behind a string id, or NULL."""
    return f"(SELECT text.string FROM rocpd_string AS text WHERE text.id = {column} AND text.guid = {guid})"


def _agent_columns(alias: str, prefix: str = "agent") -> str:
    return (
        f"{alias}.absolute_index AS {prefix}_abs_index, {alias}.logical_index AS {prefix}_log_index, "
        f"{alias}.type_index AS {prefix}_type_index, {alias}.type AS {prefix}_type"
    )


def _extdata(alias: str, **columns: str) -> str:
    return ", ".join(f"json_extract({alias}.extdata, '$.{path}') AS {name}" for name, path in columns.items())


_MACHINE = (
    "n.id AS nid, n.machine_id, n.system_name, n.hostname, "
    "n.release AS system_release, n.version AS system_version"
)
_STACK = "e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id"
_DISPATCHES = "SELECT agent_id, guid, start, end FROM rocpd_kernel_dispatch"
_COPIES = "SELECT dst_agent_id AS agent_id, guid, start, end FROM rocpd_memory_copy"

CODE_OBJECTS = f"""
SELECT c.id, c.guid, c.nid, p.pid, a.absolute_index AS agent_abs_index, c.uri, c.load_base, c.load_size,
       c.load_delta,
       c.storage_type AS storage_type_str,
       {
    _extdata(
        "c",
        code_object_size="size",
        storage_type="storage_type",
        memory_base="memory_base",
        memory_size="memory_size",
    )
}
FROM rocpd_info_code_object AS c
{_join("rocpd_info_agent", "a", "c.agent_id", "c.guid")}
{_join("rocpd_info_process", "p", "c.pid", "c.guid")}
"""

KERNEL_SYMBOLS = f"""
SELECT k.id, k.guid, k.nid, p.pid, k.code_object_id, k.kernel_name, k.display_name, k.kernel_object,
       k.kernarg_segment_size, k.kernarg_segment_alignment, k.group_segment_size, k.private_segment_size,
       k.sgpr_count, k.arch_vgpr_count, k.accum_vgpr_count,
       {
    _extdata(
        "k",
        kernel_symbol_size="size",
        kernel_id="kernel_id",
        kernel_code_entry_byte_offset="kernel_code_entry_byte_offset",
        formatted_kernel_name="formatted_kernel_name",
        demangled_kernel_name="demangled_kernel_name",
        truncated_kernel_name="truncated_kernel_name",
        kernel_address="kernel_address.handle",
    )
}
FROM rocpd_info_kernel_symbol AS k
{_join("rocpd_info_process", "p", "k.pid", "k.guid")}
"""

PROCESSES = f"""
SELECT {_MACHINE}, p.guid, p.ppid, p.pid, p.init, p.start, p.end, p.fini, p.command
FROM rocpd_info_process AS p
{_join("rocpd_info_node", "n", "p.nid", "p.guid")}
"""

THREADS = f"""
SELECT {_MACHINE}, p.guid, p.ppid, p.pid, t.tid, t.start, t.end, t.name
FROM rocpd_info_thread AS t
{_join("rocpd_info_process", "p", "t.pid", "t.guid")}
{_join("rocpd_info_node", "n", "t.nid", "t.guid")}
"""

REGIONS = f"""
SELECT r.id, r.guid, {_string("e.category_id", "e.guid")} AS category, s.string AS name, r.nid, p.pid, t.tid,
       r.start, r.end, r.end - r.start AS duration, r.event_id, {_STACK}, e.extdata, e.call_stack, e.line_info
FROM rocpd_region AS r
{_join("rocpd_event", "e", "r.event_id", "r.guid")}
{_join("rocpd_string", "s", "r.name_id", "r.guid")}
{_join("rocpd_info_process", "p", "r.pid", "r.guid")}
{_join("rocpd_info_thread", "t", "r.tid", "r.guid")}
"""

REGION_ARGS = f"""
SELECT r.id, r.guid, r.nid, p.pid, a.type, a.name, a.value
FROM rocpd_region AS r
{_join("rocpd_event", "e", "r.event_id", "r.guid")}
JOIN rocpd_arg AS a ON a.event_id = e.id AND a.guid = r.guid
{_join("rocpd_info_process", "p", "r.pid", "r.guid")}
"""


def _samples(times: str) -> str:
    return f"""
SELECT m.id, m.guid, {_string("e.category_id", "e.guid")} AS category,
       {_string("k.name_id", "k.guid")} AS name,
       k.nid, p.pid, t.tid, {times}, m.event_id, e.stack_id AS stack_id, e.parent_stack_id AS parent_stack_id,
       e.correlation_id AS corr_id, e.extdata AS extdata, e.call_stack AS call_stack, e.line_info AS line_info
FROM rocpd_sample AS m
{_join("rocpd_track", "k", "m.track_id", "m.guid")}
{_join("rocpd_event", "e", "m.event_id", "m.guid")}
{_join("rocpd_info_process", "p", "k.pid", "k.guid")}
{_join("rocpd_info_thread", "t", "k.tid", "k.guid")}
"""


SAMPLES = _samples("m.timestamp")
SAMPLE_REGIONS = _samples("m.timestamp AS start, m.timestamp AS END, 0 AS duration")
REGIONS_AND_SAMPLES = "SELECT * FROM regions UNION ALL SELECT * FROM sample_regions"

KERNELS = f"""
SELECT d.id, d.guid, t.tid, {_string("e.category_id", "e.guid")} AS category, r.string AS region,
       k.display_name AS name, d.nid, p.pid, {_agent_columns("a")}, k.code_object_id AS code_object_id,
       d.kernel_id,
       d.dispatch_id, d.stream_id, d.queue_id, q.name AS queue, s.name AS stream,
       d.start, d.end, d.end - d.start AS duration,
       d.grid_size_x AS grid_x, d.grid_size_y AS grid_y, d.grid_size_z AS grid_z,
       d.workgroup_size_x AS workgroup_x, d.workgroup_size_y AS workgroup_y,
       d.workgroup_size_z AS workgroup_z,
       d.group_segment_size AS lds_size, d.private_segment_size AS scratch_size,
       k.arch_vgpr_count AS vgpr_count, k.accum_vgpr_count, k.sgpr_count,
       k.group_segment_size AS static_lds_size, k.private_segment_size AS static_scratch_size, {_STACK}
FROM rocpd_kernel_dispatch AS d
{_join("rocpd_info_agent", "a", "d.agent_id", "d.guid")}
{_join("rocpd_event", "e", "d.event_id", "d.guid")}
{_join("rocpd_string", "r", "d.region_name_id", "d.guid")}
{_join("rocpd_info_kernel_symbol", "k", "d.kernel_id", "d.guid")}
{_join("rocpd_info_stream", "s", "d.stream_id", "d.guid", "LEFT JOIN")}
{_join("rocpd_info_queue", "q", "d.queue_id", "d.guid", "LEFT JOIN")}
{_join("rocpd_info_process", "p", "q.pid", "q.guid")}
{_join("rocpd_info_thread", "t", "d.tid", "d.guid")}
"""

PMC_INFO = f"""
SELECT i.id, i.guid, i.nid, p.pid, a.absolute_index AS agent_abs_index, i.is_constant, i.is_derived, i.name,
       i.description, i.block, i.expression
FROM rocpd_info_pmc AS i
{_join("rocpd_info_agent", "a", "i.agent_id", "i.guid")}
{_join("rocpd_info_process", "p", "i.pid", "i.guid")}
"""

_COUNTED = f"""
FROM rocpd_pmc_event AS v
{_join("rocpd_info_pmc", "i", "v.pmc_id", "v.guid")}
{_join("rocpd_event", "e", "v.event_id", "v.guid")}
JOIN rocpd_kernel_dispatch AS d ON d.event_id = v.event_id AND d.guid = v.guid
{_join("rocpd_info_process", "p", "d.pid", "d.guid")}
"""

PMC_EVENTS = f"""
SELECT v.id, v.guid, v.pmc_id, e.id AS event_id, {_string("e.category_id", "e.guid")} AS category,
       (SELECT k.display_name FROM rocpd_info_kernel_symbol AS k
        WHERE k.id = d.kernel_id AND k.guid = d.guid) AS name,
       d.nid, p.pid, d.dispatch_id, d.start, d.end, d.end - d.start AS duration, i.name AS counter_name,
       v.value AS counter_value
{_COUNTED}
"""

EVENTS_ARGS = f"""
SELECT e.id AS event_id, {_string("e.category_id", "e.guid")} AS category, e.stack_id, e.parent_stack_id,
       e.correlation_id, a.position AS arg_position, a.type AS arg_type, a.name AS arg_name,
       a.value AS arg_value,
       e.call_stack, e.line_info, a.extdata
FROM rocpd_event AS e
JOIN rocpd_arg AS a ON a.event_id = e.id AND a.guid = e.guid
"""

STREAM_ARGS = f"""
SELECT a.id AS argument_id, a.event_id AS event_id, a.position AS arg_position, a.type AS arg_type,
       a.value AS arg_value, json_extract(a.extdata, '$.stream_id') AS stream_id, s.nid, p.pid,
       s.name AS stream_name, s.extdata AS extdata
FROM rocpd_arg AS a
JOIN rocpd_info_stream AS s ON s.id = json_extract(a.extdata, '$.stream_id') AND s.guid = a.guid
{_join("rocpd_info_process", "p", "s.pid", "s.guid")}
WHERE a.name = 'stream'
"""

MEMORY_COPIES = f"""
SELECT m.id, m.guid, {_string("e.category_id", "e.guid")} AS category, m.nid, p.pid, t.tid,
       m.start, m.end, m.end - m.start AS duration, s.string AS name, r.string AS region_name, m.stream_id,
       m.queue_id,
       st.name AS stream_name, q.name AS queue_name, m.size,
       target.name AS dst_device, {_agent_columns("target", "dst_agent")}, m.dst_address,
       source.name AS src_device, {_agent_columns("source", "src_agent")}, m.src_address, {_STACK}
FROM rocpd_memory_copy AS m
{_join("rocpd_string", "s", "m.name_id", "m.guid")}
{_join("rocpd_string", "r", "m.region_name_id", "m.guid", "LEFT JOIN")}
{_join("rocpd_info_agent", "target", "m.dst_agent_id", "m.guid")}
{_join("rocpd_info_agent", "source", "m.src_agent_id", "m.guid")}
{_join("rocpd_info_queue", "q", "m.queue_id", "m.guid", "LEFT JOIN")}
{_join("rocpd_info_stream", "st", "m.stream_id", "m.guid", "LEFT JOIN")}
{_join("rocpd_event", "e", "m.event_id", "m.guid")}
{_join("rocpd_info_process", "p", "m.pid", "m.guid")}
{_join("rocpd_info_thread", "t", "m.tid", "m.guid")}
"""

_ALLOCATED = f"""
FROM rocpd_memory_allocate AS m
{_join("rocpd_info_agent", "a", "m.agent_id", "m.guid", "LEFT JOIN")}
{_join("rocpd_info_queue", "q", "m.queue_id", "m.guid", "LEFT JOIN")}
{_join("rocpd_info_stream", "s", "m.stream_id", "m.guid", "LEFT JOIN")}
{_join("rocpd_event", "e", "m.event_id", "m.guid")}
{_join("rocpd_info_process", "p", "m.pid", "m.guid")}
{_join("rocpd_info_thread", "t", "m.tid", "m.guid")}
"""

MEMORY_ALLOCATIONS = f"""
SELECT m.id, m.guid, {_string("e.category_id", "e.guid")} AS category, m.nid, p.pid, t.tid,
       m.start, m.end, m.end - m.start AS duration, m.type, m.level, a.name AS agent_name,
       {_agent_columns("a")},
       m.address, m.size, m.queue_id, q.name AS queue_name, m.stream_id, s.name AS stream_name, {_STACK}
{_ALLOCATED}
"""

SCRATCH_MEMORY = f"""
SELECT m.id, m.guid, m.nid, p.pid, m.type AS operation, a.name AS agent_name, {_agent_columns("a")},
       m.queue_id, t.tid,
       json_extract(m.extdata, '$.flags') AS alloc_flags, m.start, m.end, m.end - m.start AS duration, m.size,
       m.address, e.correlation_id, {_STACK}, {_string("e.category_id", "e.guid")} AS category,
       e.extdata AS event_extdata
{_ALLOCATED}
WHERE m.level = 'SCRATCH'
ORDER BY m.start
"""

COUNTERS_COLLECTION = f"""
SELECT MIN(v.id) AS id, v.guid, d.dispatch_id, d.kernel_id, e.id AS event_id, e.correlation_id, e.stack_id,
       e.parent_stack_id, p.pid, t.tid, d.agent_id, {_agent_columns("a")}, d.queue_id,
       d.grid_size_x AS grid_size_x, d.grid_size_y AS grid_size_y, d.grid_size_z AS grid_size_z,
       d.grid_size_x * d.grid_size_y * d.grid_size_z AS grid_size, k.display_name AS kernel_name,
       {_string("d.region_name_id", "d.guid")} AS kernel_region,
       d.workgroup_size_x AS workgroup_size_x, d.workgroup_size_y AS workgroup_size_y,
       d.workgroup_size_z AS workgroup_size_z,
       d.workgroup_size_x * d.workgroup_size_y * d.workgroup_size_z AS workgroup_size,
       d.group_segment_size AS lds_block_size, d.private_segment_size AS scratch_size,
       k.arch_vgpr_count AS vgpr_count,
       k.accum_vgpr_count, k.sgpr_count, i.name AS counter_name, i.symbol AS counter_symbol, i.component,
       i.description, i.block, i.expression, i.value_type, i.id AS counter_id, SUM(v.value) AS value,
       d.start, d.end,
       i.is_constant, i.is_derived, d.end - d.start AS duration,
       {_string("e.category_id", "e.guid")} AS category, d.nid, e.extdata, k.code_object_id
{_COUNTED}
{_join("rocpd_info_agent", "a", "d.agent_id", "d.guid")}
{_join("rocpd_info_kernel_symbol", "k", "d.kernel_id", "d.guid")}
{_join("rocpd_info_thread", "t", "d.tid", "d.guid")}
GROUP BY v.guid, d.dispatch_id, i.name, d.agent_id
"""

# Totals are microseconds; the average drops fractions of nanoseconds first, as rocprofv3's view does.
TOP_KERNELS = f"""
SELECT k.display_name AS name, COUNT(d.kernel_id) AS total_calls,
       SUM(d.end - d.start) / 1000.0 AS total_duration,
       SUM(d.end - d.start) / COUNT(d.kernel_id) / 1000.0 AS average,
       SUM(d.end - d.start) * 100.0
       / (SELECT SUM(b.end - b.start) FROM rocpd_kernel_dispatch AS b) AS percentage
FROM rocpd_kernel_dispatch AS d
{_join("rocpd_info_kernel_symbol", "k", "d.kernel_id", "d.guid")}
GROUP BY name
ORDER BY total_duration DESC
"""

BUSY = f"""
SELECT used.agent_id, a.type, used.GpuTime, span.WallTime, used.GpuTime * 1.0 / span.WallTime AS Busy
FROM (SELECT agent_id, guid, SUM(end - start) AS GpuTime FROM ({_DISPATCHES} UNION ALL {_COPIES})
      GROUP BY agent_id, guid) AS used
CROSS JOIN (SELECT MAX(end) - MIN(start) AS WallTime FROM ({_DISPATCHES} UNION ALL {_COPIES})) AS span
{_join("rocpd_info_agent", "a", "used.agent_id", "used.guid")}
"""

_OPERATIONS = f"""
SELECT k.display_name AS name, d.end - d.start AS duration FROM rocpd_kernel_dispatch AS d
{_join("rocpd_info_kernel_symbol", "k", "d.kernel_id", "d.guid")}
UNION ALL
SELECT s.string, m.end - m.start FROM rocpd_memory_copy AS m
{_join("rocpd_string", "s", "m.name_id", "m.guid")}
UNION ALL
SELECT s.string, r.end - r.start FROM rocpd_region AS r
{_join("rocpd_string", "s", "r.name_id", "r.guid")}
"""

TOP = f"""
SELECT name, COUNT(*) AS total_calls, SUM(duration) / 1000.0 AS total_duration,
       SUM(duration) / COUNT(*) / 1000.0 AS average,
       SUM(duration) * 100.0 / (SELECT SUM(duration) FROM ({_OPERATIONS})) AS percentage
FROM ({_OPERATIONS})
GROUP BY name
ORDER BY total_duration DESC
"""

VIEWS = {
    "code_objects": CODE_OBJECTS,
    "kernel_symbols": KERNEL_SYMBOLS,
    "processes": PROCESSES,
    "threads": THREADS,
    "regions": REGIONS,
    "region_args": REGION_ARGS,
    "samples": SAMPLES,
    "sample_regions": SAMPLE_REGIONS,
    "regions_and_samples": REGIONS_AND_SAMPLES,
    "kernels": KERNELS,
    "pmc_info": PMC_INFO,
    "pmc_events": PMC_EVENTS,
    "events_args": EVENTS_ARGS,
    "stream_args": STREAM_ARGS,
    "memory_copies": MEMORY_COPIES,
    "memory_allocations": MEMORY_ALLOCATIONS,
    "scratch_memory": SCRATCH_MEMORY,
    "counters_collection": COUNTERS_COLLECTION,
    "top_kernels": TOP_KERNELS,
    "busy": BUSY,
    "top": TOP,
}


def create_view(name: str) -> str:
    return f'CREATE VIEW "{name}" AS {VIEWS[name].strip()}'
