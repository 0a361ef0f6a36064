BEGIN TRANSACTION;
CREATE TABLE "rocpd_arg_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "event_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_event_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "category_id" INTEGER,
    "stack_id" INTEGER,
    "parent_stack_id" INTEGER,
    "correlation_id" INTEGER,
    "call_stack" JSONB DEFAULT "{}" NOT NULL,
    "line_info" JSONB DEFAULT "{}" NOT NULL,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("category_id") REFERENCES "rocpd_string_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_agent_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "type" TEXT CHECK ("type" IN ('CPU', 'GPU')),
    "absolute_index" INTEGER,
    "logical_index" INTEGER,
    "type_index" INTEGER,
    "uuid" INTEGER,
    "name" TEXT,
    "model_name" TEXT,
    "vendor_name" TEXT,
    "product_name" TEXT,
    "user_name" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_code_object_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "agent_id" INTEGER,
    "uri" TEXT,
    "load_base" BIGINT,
    "load_size" BIGINT,
    "load_delta" BIGINT,
    "storage_type" TEXT CHECK ("storage_type" IN ('FILE', 'MEMORY')),
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_kernel_symbol_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "code_object_id" INTEGER NOT NULL,
    "kernel_name" TEXT,
    "display_name" TEXT,
    "kernel_object" INTEGER,
    "kernarg_segment_size" INTEGER,
    "kernarg_segment_alignment" INTEGER,
    "group_segment_size" INTEGER,
    "private_segment_size" INTEGER,
    "sgpr_count" INTEGER,
    "arch_vgpr_count" INTEGER,
    "accum_vgpr_count" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("code_object_id") REFERENCES "rocpd_info_code_object_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_node_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "hash" BIGINT NOT NULL UNIQUE,
    "machine_id" TEXT NOT NULL UNIQUE,
    "system_name" TEXT,
    "hostname" TEXT,
    "release" TEXT,
    "version" TEXT,
    "hardware_name" TEXT,
    "domain_name" TEXT
);
CREATE TABLE "rocpd_info_pmc_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "agent_id" INTEGER,
    "target_arch" TEXT CHECK ("target_arch" IN ('CPU', 'GPU')),
    "event_code" INT,
    "instance_id" INTEGER,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "description" TEXT,
    "long_description" TEXT DEFAULT "",
    "component" TEXT,
    "units" TEXT DEFAULT "",
    "value_type" TEXT CHECK ("value_type" IN ('ABS', 'ACCUM', 'RELATIVE')),
    "block" TEXT,
    "expression" TEXT,
    "is_constant" INTEGER,
    "is_derived" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_process_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "ppid" INTEGER,
    "pid" INTEGER NOT NULL,
    "init" BIGINT,
    "fini" BIGINT,
    "start" BIGINT,
    "end" BIGINT,
    "command" TEXT,
    "environment" JSONB DEFAULT "{}" NOT NULL,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_queue_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "name" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_stream_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "name" TEXT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_info_thread_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "ppid" INTEGER,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER NOT NULL,
    "name" TEXT,
    "start" BIGINT,
    "end" BIGINT,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_kernel_dispatch_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER,
    "agent_id" INTEGER NOT NULL,
    "kernel_id" INTEGER NOT NULL,
    "dispatch_id" INTEGER NOT NULL,
    "queue_id" INTEGER NOT NULL,
    "stream_id" INTEGER NOT NULL,
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "private_segment_size" INTEGER,
    "group_segment_size" INTEGER,
    "workgroup_size_x" INTEGER NOT NULL,
    "workgroup_size_y" INTEGER NOT NULL,
    "workgroup_size_z" INTEGER NOT NULL,
    "grid_size_x" INTEGER NOT NULL,
    "grid_size_y" INTEGER NOT NULL,
    "grid_size_z" INTEGER NOT NULL,
    "region_name_id" INTEGER,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("kernel_id") REFERENCES "rocpd_info_kernel_symbol_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("region_name_id") REFERENCES "rocpd_string_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_memory_allocate_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER,
    "agent_id" INTEGER,
    "type" TEXT CHECK ("type" IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM')),
    "level" TEXT CHECK ("level" IN ('REAL', 'VIRTUAL', 'SCRATCH')),
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "address" INTEGER,
    "size" INTEGER NOT NULL,
    "queue_id" INTEGER,
    "stream_id" INTEGER,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_memory_copy_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER,
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "name_id" INTEGER NOT NULL,
    "dst_agent_id" INTEGER,
    "dst_address" INTEGER,
    "src_agent_id" INTEGER,
    "src_address" INTEGER,
    "size" INTEGER NOT NULL,
    "queue_id" INTEGER,
    "stream_id" INTEGER,
    "region_name_id" INTEGER,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("name_id") REFERENCES "rocpd_string_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("dst_agent_id") REFERENCES "rocpd_info_agent_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("src_agent_id") REFERENCES "rocpd_info_agent_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("region_name_id") REFERENCES "rocpd_string_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_metadata_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tag" TEXT NOT NULL,
    "value" TEXT NOT NULL
);
CREATE TABLE "rocpd_pmc_event_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "event_id" INTEGER,
    "pmc_id" INTEGER NOT NULL,
    "value" REAL DEFAULT 0.0,
    "extdata" JSONB DEFAULT "{}",
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pmc_id") REFERENCES "rocpd_info_pmc_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_region_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER NOT NULL,
    "tid" INTEGER NOT NULL,
    "start" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    "name_id" INTEGER NOT NULL,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("name_id") REFERENCES "rocpd_string_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_sample_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "track_id" INTEGER NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "event_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("track_id") REFERENCES "rocpd_track_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("event_id") REFERENCES "rocpd_event_GUID" ("id") ON UPDATE CASCADE
);
CREATE TABLE "rocpd_string_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "string" TEXT NOT NULL UNIQUE ON CONFLICT ABORT
);
CREATE TABLE "rocpd_track_GUID" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guid" TEXT DEFAULT "GUID" NOT NULL,
    "nid" INTEGER NOT NULL,
    "pid" INTEGER,
    "tid" INTEGER,
    "name_id" INTEGER,
    "extdata" JSONB DEFAULT "{}" NOT NULL,
    FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_GUID" ("id") ON UPDATE CASCADE,
    FOREIGN KEY ("name_id") REFERENCES "rocpd_string_GUID" ("id") ON UPDATE CASCADE
);
CREATE VIEW "rocpd_metadata" AS SELECT * FROM "rocpd_metadata_GUID";
CREATE VIEW "rocpd_string" AS SELECT * FROM "rocpd_string_GUID";
CREATE VIEW "rocpd_info_node" AS SELECT * FROM "rocpd_info_node_GUID";
CREATE VIEW "rocpd_info_process" AS SELECT * FROM "rocpd_info_process_GUID";
CREATE VIEW "rocpd_info_thread" AS SELECT * FROM "rocpd_info_thread_GUID";
CREATE VIEW "rocpd_info_agent" AS SELECT * FROM "rocpd_info_agent_GUID";
CREATE VIEW "rocpd_info_queue" AS SELECT * FROM "rocpd_info_queue_GUID";
CREATE VIEW "rocpd_info_stream" AS SELECT * FROM "rocpd_info_stream_GUID";
CREATE VIEW "rocpd_info_pmc" AS SELECT * FROM "rocpd_info_pmc_GUID";
CREATE VIEW "rocpd_info_code_object" AS SELECT * FROM "rocpd_info_code_object_GUID";
CREATE VIEW "rocpd_info_kernel_symbol" AS SELECT * FROM "rocpd_info_kernel_symbol_GUID";
CREATE VIEW "rocpd_track" AS SELECT * FROM "rocpd_track_GUID";
CREATE VIEW "rocpd_event" AS SELECT * FROM "rocpd_event_GUID";
CREATE VIEW "rocpd_arg" AS SELECT * FROM "rocpd_arg_GUID";
CREATE VIEW "rocpd_pmc_event" AS SELECT * FROM "rocpd_pmc_event_GUID";
CREATE VIEW "rocpd_region" AS SELECT * FROM "rocpd_region_GUID";
CREATE VIEW "rocpd_sample" AS SELECT * FROM "rocpd_sample_GUID";
CREATE VIEW "rocpd_kernel_dispatch" AS SELECT * FROM "rocpd_kernel_dispatch_GUID";
CREATE VIEW "rocpd_memory_copy" AS SELECT * FROM "rocpd_memory_copy_GUID";
CREATE VIEW "rocpd_memory_allocate" AS SELECT * FROM "rocpd_memory_allocate_GUID";
CREATE VIEW "code_objects" AS SELECT c.id, c.guid, c.nid, p.pid, a.absolute_index AS agent_abs_index, c.uri, c.load_base, c.load_size,
       c.load_delta,
       c.storage_type AS storage_type_str,
       json_extract(c.extdata, '$.size') AS code_object_size, json_extract(c.extdata, '$.storage_type') AS storage_type, json_extract(c.extdata, '$.memory_base') AS memory_base, json_extract(c.extdata, '$.memory_size') AS memory_size
FROM rocpd_info_code_object AS c
JOIN rocpd_info_agent AS a ON a.id = c.agent_id AND a.guid = c.guid
JOIN rocpd_info_process AS p ON p.id = c.pid AND p.guid = c.guid;
CREATE VIEW "kernel_symbols" AS SELECT k.id, k.guid, k.nid, p.pid, k.code_object_id, k.kernel_name, k.display_name, k.kernel_object,
       k.kernarg_segment_size, k.kernarg_segment_alignment, k.group_segment_size, k.private_segment_size,
       k.sgpr_count, k.arch_vgpr_count, k.accum_vgpr_count,
       json_extract(k.extdata, '$.size') AS kernel_symbol_size, json_extract(k.extdata, '$.kernel_id') AS kernel_id, json_extract(k.extdata, '$.kernel_code_entry_byte_offset') AS kernel_code_entry_byte_offset, json_extract(k.extdata, '$.formatted_kernel_name') AS formatted_kernel_name, json_extract(k.extdata, '$.demangled_kernel_name') AS demangled_kernel_name, json_extract(k.extdata, '$.truncated_kernel_name') AS truncated_kernel_name, json_extract(k.extdata, '$.kernel_address.handle') AS kernel_address
FROM rocpd_info_kernel_symbol AS k
JOIN rocpd_info_process AS p ON p.id = k.pid AND p.guid = k.guid;
CREATE VIEW "processes" AS SELECT n.id AS nid, n.machine_id, n.system_name, n.hostname, n.release AS system_release, n.version AS system_version, p.guid, p.ppid, p.pid, p.init, p.start, p.end, p.fini, p.command
FROM rocpd_info_process AS p
JOIN rocpd_info_node AS n ON n.id = p.nid AND n.guid = p.guid;
CREATE VIEW "threads" AS SELECT n.id AS nid, n.machine_id, n.system_name, n.hostname, n.release AS system_release, n.version AS system_version, p.guid, p.ppid, p.pid, t.tid, t.start, t.end, t.name
FROM rocpd_info_thread AS t
JOIN rocpd_info_process AS p ON p.id = t.pid AND p.guid = t.guid
JOIN rocpd_info_node AS n ON n.id = t.nid AND n.guid = t.guid;
CREATE VIEW "regions" AS SELECT r.id, r.guid, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category, s.string AS name, r.nid, p.pid, t.tid,
       r.start, r.end, r.end - r.start AS duration, r.event_id, e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id, e.extdata, e.call_stack, e.line_info
FROM rocpd_region AS r
JOIN rocpd_event AS e ON e.id = r.event_id AND e.guid = r.guid
JOIN rocpd_string AS s ON s.id = r.name_id AND s.guid = r.guid
JOIN rocpd_info_process AS p ON p.id = r.pid AND p.guid = r.guid
JOIN rocpd_info_thread AS t ON t.id = r.tid AND t.guid = r.guid;
CREATE VIEW "region_args" AS SELECT r.id, r.guid, r.nid, p.pid, a.type, a.name, a.value
FROM rocpd_region AS r
JOIN rocpd_event AS e ON e.id = r.event_id AND e.guid = r.guid
JOIN rocpd_arg AS a ON a.event_id = e.id AND a.guid = r.guid
JOIN rocpd_info_process AS p ON p.id = r.pid AND p.guid = r.guid;
CREATE VIEW "samples" AS SELECT m.id, m.guid, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category,
       (SELECT text.string FROM rocpd_string AS text WHERE text.id = k.name_id AND text.guid = k.guid) AS name,
       k.nid, p.pid, t.tid, m.timestamp, m.event_id, e.stack_id AS stack_id, e.parent_stack_id AS parent_stack_id,
       e.correlation_id AS corr_id, e.extdata AS extdata, e.call_stack AS call_stack, e.line_info AS line_info
FROM rocpd_sample AS m
JOIN rocpd_track AS k ON k.id = m.track_id AND k.guid = m.guid
JOIN rocpd_event AS e ON e.id = m.event_id AND e.guid = m.guid
JOIN rocpd_info_process AS p ON p.id = k.pid AND p.guid = k.guid
JOIN rocpd_info_thread AS t ON t.id = k.tid AND t.guid = k.guid;
CREATE VIEW "sample_regions" AS SELECT m.id, m.guid, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category,
       (SELECT text.string FROM rocpd_string AS text WHERE text.id = k.name_id AND text.guid = k.guid) AS name,
       k.nid, p.pid, t.tid, m.timestamp AS start, m.timestamp AS END, 0 AS duration, m.event_id, e.stack_id AS stack_id, e.parent_stack_id AS parent_stack_id,
       e.correlation_id AS corr_id, e.extdata AS extdata, e.call_stack AS call_stack, e.line_info AS line_info
FROM rocpd_sample AS m
JOIN rocpd_track AS k ON k.id = m.track_id AND k.guid = m.guid
JOIN rocpd_event AS e ON e.id = m.event_id AND e.guid = m.guid
JOIN rocpd_info_process AS p ON p.id = k.pid AND p.guid = k.guid
JOIN rocpd_info_thread AS t ON t.id = k.tid AND t.guid = k.guid;
CREATE VIEW "regions_and_samples" AS SELECT * FROM regions UNION ALL SELECT * FROM sample_regions;
CREATE VIEW "kernels" AS SELECT d.id, d.guid, t.tid, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category, r.string AS region,
       k.display_name AS name, d.nid, p.pid, a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index, a.type_index AS agent_type_index, a.type AS agent_type, k.code_object_id AS code_object_id,
       d.kernel_id,
       d.dispatch_id, d.stream_id, d.queue_id, q.name AS queue, s.name AS stream,
       d.start, d.end, d.end - d.start AS duration,
       d.grid_size_x AS grid_x, d.grid_size_y AS grid_y, d.grid_size_z AS grid_z,
       d.workgroup_size_x AS workgroup_x, d.workgroup_size_y AS workgroup_y,
       d.workgroup_size_z AS workgroup_z,
       d.group_segment_size AS lds_size, d.private_segment_size AS scratch_size,
       k.arch_vgpr_count AS vgpr_count, k.accum_vgpr_count, k.sgpr_count,
       k.group_segment_size AS static_lds_size, k.private_segment_size AS static_scratch_size, e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id
FROM rocpd_kernel_dispatch AS d
JOIN rocpd_info_agent AS a ON a.id = d.agent_id AND a.guid = d.guid
JOIN rocpd_event AS e ON e.id = d.event_id AND e.guid = d.guid
JOIN rocpd_string AS r ON r.id = d.region_name_id AND r.guid = d.guid
JOIN rocpd_info_kernel_symbol AS k ON k.id = d.kernel_id AND k.guid = d.guid
LEFT JOIN rocpd_info_stream AS s ON s.id = d.stream_id AND s.guid = d.guid
LEFT JOIN rocpd_info_queue AS q ON q.id = d.queue_id AND q.guid = d.guid
JOIN rocpd_info_process AS p ON p.id = q.pid AND p.guid = q.guid
JOIN rocpd_info_thread AS t ON t.id = d.tid AND t.guid = d.guid;
CREATE VIEW "pmc_info" AS SELECT i.id, i.guid, i.nid, p.pid, a.absolute_index AS agent_abs_index, i.is_constant, i.is_derived, i.name,
       i.description, i.block, i.expression
FROM rocpd_info_pmc AS i
JOIN rocpd_info_agent AS a ON a.id = i.agent_id AND a.guid = i.guid
JOIN rocpd_info_process AS p ON p.id = i.pid AND p.guid = i.guid;
CREATE VIEW "pmc_events" AS SELECT v.id, v.guid, v.pmc_id, e.id AS event_id, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category,
       (SELECT k.display_name FROM rocpd_info_kernel_symbol AS k
        WHERE k.id = d.kernel_id AND k.guid = d.guid) AS name,
       d.nid, p.pid, d.dispatch_id, d.start, d.end, d.end - d.start AS duration, i.name AS counter_name,
       v.value AS counter_value

FROM rocpd_pmc_event AS v
JOIN rocpd_info_pmc AS i ON i.id = v.pmc_id AND i.guid = v.guid
JOIN rocpd_event AS e ON e.id = v.event_id AND e.guid = v.guid
JOIN rocpd_kernel_dispatch AS d ON d.event_id = v.event_id AND d.guid = v.guid
JOIN rocpd_info_process AS p ON p.id = d.pid AND p.guid = d.guid;
CREATE VIEW "events_args" AS SELECT e.id AS event_id, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category, e.stack_id, e.parent_stack_id,
       e.correlation_id, a.position AS arg_position, a.type AS arg_type, a.name AS arg_name,
       a.value AS arg_value,
       e.call_stack, e.line_info, a.extdata
FROM rocpd_event AS e
JOIN rocpd_arg AS a ON a.event_id = e.id AND a.guid = e.guid;
CREATE VIEW "stream_args" AS SELECT a.id AS argument_id, a.event_id AS event_id, a.position AS arg_position, a.type AS arg_type,
       a.value AS arg_value, json_extract(a.extdata, '$.stream_id') AS stream_id, s.nid, p.pid,
       s.name AS stream_name, s.extdata AS extdata
FROM rocpd_arg AS a
JOIN rocpd_info_stream AS s ON s.id = json_extract(a.extdata, '$.stream_id') AND s.guid = a.guid
JOIN rocpd_info_process AS p ON p.id = s.pid AND p.guid = s.guid
WHERE a.name = 'stream';
CREATE VIEW "memory_copies" AS SELECT m.id, m.guid, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category, m.nid, p.pid, t.tid,
       m.start, m.end, m.end - m.start AS duration, s.string AS name, r.string AS region_name, m.stream_id,
       m.queue_id,
       st.name AS stream_name, q.name AS queue_name, m.size,
       target.name AS dst_device, target.absolute_index AS dst_agent_abs_index, target.logical_index AS dst_agent_log_index, target.type_index AS dst_agent_type_index, target.type AS dst_agent_type, m.dst_address,
       source.name AS src_device, source.absolute_index AS src_agent_abs_index, source.logical_index AS src_agent_log_index, source.type_index AS src_agent_type_index, source.type AS src_agent_type, m.src_address, e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id
FROM rocpd_memory_copy AS m
JOIN rocpd_string AS s ON s.id = m.name_id AND s.guid = m.guid
LEFT JOIN rocpd_string AS r ON r.id = m.region_name_id AND r.guid = m.guid
JOIN rocpd_info_agent AS target ON target.id = m.dst_agent_id AND target.guid = m.guid
JOIN rocpd_info_agent AS source ON source.id = m.src_agent_id AND source.guid = m.guid
LEFT JOIN rocpd_info_queue AS q ON q.id = m.queue_id AND q.guid = m.guid
LEFT JOIN rocpd_info_stream AS st ON st.id = m.stream_id AND st.guid = m.guid
JOIN rocpd_event AS e ON e.id = m.event_id AND e.guid = m.guid
JOIN rocpd_info_process AS p ON p.id = m.pid AND p.guid = m.guid
JOIN rocpd_info_thread AS t ON t.id = m.tid AND t.guid = m.guid;
CREATE VIEW "memory_allocations" AS SELECT m.id, m.guid, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category, m.nid, p.pid, t.tid,
       m.start, m.end, m.end - m.start AS duration, m.type, m.level, a.name AS agent_name,
       a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index, a.type_index AS agent_type_index, a.type AS agent_type,
       m.address, m.size, m.queue_id, q.name AS queue_name, m.stream_id, s.name AS stream_name, e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id

FROM rocpd_memory_allocate AS m
LEFT JOIN rocpd_info_agent AS a ON a.id = m.agent_id AND a.guid = m.guid
LEFT JOIN rocpd_info_queue AS q ON q.id = m.queue_id AND q.guid = m.guid
LEFT JOIN rocpd_info_stream AS s ON s.id = m.stream_id AND s.guid = m.guid
JOIN rocpd_event AS e ON e.id = m.event_id AND e.guid = m.guid
JOIN rocpd_info_process AS p ON p.id = m.pid AND p.guid = m.guid
JOIN rocpd_info_thread AS t ON t.id = m.tid AND t.guid = m.guid;
CREATE VIEW "scratch_memory" AS SELECT m.id, m.guid, m.nid, p.pid, m.type AS operation, a.name AS agent_name, a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index, a.type_index AS agent_type_index, a.type AS agent_type,
       m.queue_id, t.tid,
       json_extract(m.extdata, '$.flags') AS alloc_flags, m.start, m.end, m.end - m.start AS duration, m.size,
       m.address, e.correlation_id, e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id, (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category,
       e.extdata AS event_extdata

FROM rocpd_memory_allocate AS m
LEFT JOIN rocpd_info_agent AS a ON a.id = m.agent_id AND a.guid = m.guid
LEFT JOIN rocpd_info_queue AS q ON q.id = m.queue_id AND q.guid = m.guid
LEFT JOIN rocpd_info_stream AS s ON s.id = m.stream_id AND s.guid = m.guid
JOIN rocpd_event AS e ON e.id = m.event_id AND e.guid = m.guid
JOIN rocpd_info_process AS p ON p.id = m.pid AND p.guid = m.guid
JOIN rocpd_info_thread AS t ON t.id = m.tid AND t.guid = m.guid

WHERE m.level = 'SCRATCH'
ORDER BY m.start;
CREATE VIEW "counters_collection" AS SELECT MIN(v.id) AS id, v.guid, d.dispatch_id, d.kernel_id, e.id AS event_id, e.correlation_id, e.stack_id,
       e.parent_stack_id, p.pid, t.tid, d.agent_id, a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index, a.type_index AS agent_type_index, a.type AS agent_type, d.queue_id,
       d.grid_size_x AS grid_size_x, d.grid_size_y AS grid_size_y, d.grid_size_z AS grid_size_z,
       d.grid_size_x * d.grid_size_y * d.grid_size_z AS grid_size, k.display_name AS kernel_name,
       (SELECT text.string FROM rocpd_string AS text WHERE text.id = d.region_name_id AND text.guid = d.guid) AS kernel_region,
       d.workgroup_size_x AS workgroup_size_x, d.workgroup_size_y AS workgroup_size_y,
       d.workgroup_size_z AS workgroup_size_z,
       d.workgroup_size_x * d.workgroup_size_y * d.workgroup_size_z AS workgroup_size,
       d.group_segment_size AS lds_block_size, d.private_segment_size AS scratch_size,
       k.arch_vgpr_count AS vgpr_count,
       k.accum_vgpr_count, k.sgpr_count, i.name AS counter_name, i.symbol AS counter_symbol, i.component,
       i.description, i.block, i.expression, i.value_type, i.id AS counter_id, SUM(v.value) AS value,
       d.start, d.end,
       i.is_constant, i.is_derived, d.end - d.start AS duration,
       (SELECT text.string FROM rocpd_string AS text WHERE text.id = e.category_id AND text.guid = e.guid) AS category, d.nid, e.extdata, k.code_object_id

FROM rocpd_pmc_event AS v
JOIN rocpd_info_pmc AS i ON i.id = v.pmc_id AND i.guid = v.guid
JOIN rocpd_event AS e ON e.id = v.event_id AND e.guid = v.guid
JOIN rocpd_kernel_dispatch AS d ON d.event_id = v.event_id AND d.guid = v.guid
JOIN rocpd_info_process AS p ON p.id = d.pid AND p.guid = d.guid

JOIN rocpd_info_agent AS a ON a.id = d.agent_id AND a.guid = d.guid
JOIN rocpd_info_kernel_symbol AS k ON k.id = d.kernel_id AND k.guid = d.guid
JOIN rocpd_info_thread AS t ON t.id = d.tid AND t.guid = d.guid
GROUP BY v.guid, d.dispatch_id, i.name, d.agent_id;
CREATE VIEW "top_kernels" AS SELECT k.display_name AS name, COUNT(d.kernel_id) AS total_calls,
       SUM(d.end - d.start) / 1000.0 AS total_duration,
       SUM(d.end - d.start) / COUNT(d.kernel_id) / 1000.0 AS average,
       SUM(d.end - d.start) * 100.0
       / (SELECT SUM(b.end - b.start) FROM rocpd_kernel_dispatch AS b) AS percentage
FROM rocpd_kernel_dispatch AS d
JOIN rocpd_info_kernel_symbol AS k ON k.id = d.kernel_id AND k.guid = d.guid
GROUP BY name
ORDER BY total_duration DESC;
CREATE VIEW "busy" AS SELECT used.agent_id, a.type, used.GpuTime, span.WallTime, used.GpuTime * 1.0 / span.WallTime AS Busy
FROM (SELECT agent_id, guid, SUM(end - start) AS GpuTime FROM (SELECT agent_id, guid, start, end FROM rocpd_kernel_dispatch UNION ALL SELECT dst_agent_id AS agent_id, guid, start, end FROM rocpd_memory_copy)
      GROUP BY agent_id, guid) AS used
CROSS JOIN (SELECT MAX(end) - MIN(start) AS WallTime FROM (SELECT agent_id, guid, start, end FROM rocpd_kernel_dispatch UNION ALL SELECT dst_agent_id AS agent_id, guid, start, end FROM rocpd_memory_copy)) AS span
JOIN rocpd_info_agent AS a ON a.id = used.agent_id AND a.guid = used.guid;
CREATE VIEW "top" AS SELECT name, COUNT(*) AS total_calls, SUM(duration) / 1000.0 AS total_duration,
       SUM(duration) / COUNT(*) / 1000.0 AS average,
       SUM(duration) * 100.0 / (SELECT SUM(duration) FROM (
SELECT k.display_name AS name, d.end - d.start AS duration FROM rocpd_kernel_dispatch AS d
JOIN rocpd_info_kernel_symbol AS k ON k.id = d.kernel_id AND k.guid = d.guid
UNION ALL
SELECT s.string, m.end - m.start FROM rocpd_memory_copy AS m
JOIN rocpd_string AS s ON s.id = m.name_id AND s.guid = m.guid
UNION ALL
SELECT s.string, r.end - r.start FROM rocpd_region AS r
JOIN rocpd_string AS s ON s.id = r.name_id AND s.guid = r.guid
)) AS percentage
FROM (
SELECT k.display_name AS name, d.end - d.start AS duration FROM rocpd_kernel_dispatch AS d
JOIN rocpd_info_kernel_symbol AS k ON k.id = d.kernel_id AND k.guid = d.guid
UNION ALL
SELECT s.string, m.end - m.start FROM rocpd_memory_copy AS m
JOIN rocpd_string AS s ON s.id = m.name_id AND s.guid = m.guid
UNION ALL
SELECT s.string, r.end - r.start FROM rocpd_region AS r
JOIN rocpd_string AS s ON s.id = r.name_id AND s.guid = r.guid
)
GROUP BY name
ORDER BY total_duration DESC;
DELETE FROM "sqlite_sequence";
COMMIT;
