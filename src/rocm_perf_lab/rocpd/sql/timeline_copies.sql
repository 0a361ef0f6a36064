-- Schema 3. The copies of one process (guid). queue_id is mostly not given: copies have engines of their own.
SELECT COALESCE(copy.name_id, -1), COALESCE(copy.src_agent_id, -1), COALESCE(copy.dst_agent_id, -1),
       COALESCE(copy.stream_id, -1), copy.id, COALESCE(CAST(copy.start AS INTEGER), -1),
       COALESCE(CAST(copy."end" AS INTEGER), -2), COALESCE(copy.size, 0),
       COALESCE(event.stack_id, -1), COALESCE(event.parent_stack_id, -1)
FROM rocpd_memory_copy AS copy
LEFT JOIN rocpd_event AS event ON event.id = copy.event_id AND event.guid = copy.guid
WHERE copy.guid = ?
