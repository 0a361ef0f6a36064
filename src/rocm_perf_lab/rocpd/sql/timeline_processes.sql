-- The processes of a database: which it was, whose child, on which host.
SELECT process.guid, process.pid, process.ppid, node.hostname, process.init, process.fini
FROM rocpd_info_process AS process
LEFT JOIN rocpd_info_node AS node ON node.id = process.nid AND node.guid = process.guid
