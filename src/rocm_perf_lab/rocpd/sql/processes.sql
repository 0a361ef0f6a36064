-- The processes and the hosts they ran on. Their environments are left out: they are nobody's business.
SELECT process.guid, process.pid, process.command, node.hostname
FROM rocpd_info_process AS process
LEFT JOIN rocpd_info_node AS node ON node.id = process.nid AND node.guid = process.guid
