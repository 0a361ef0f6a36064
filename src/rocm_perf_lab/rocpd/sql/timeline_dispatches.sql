-- Schema 3. The dispatches of one process (guid): what, where, when, and the call that caused each (stack id).
SELECT COALESCE(dispatch.kernel_id, -1), COALESCE(dispatch.agent_id, -1), COALESCE(dispatch.queue_id, -1),
       COALESCE(dispatch.stream_id, -1), COALESCE(dispatch.dispatch_id, dispatch.id),
       COALESCE(CAST(dispatch.start AS INTEGER), -1), COALESCE(CAST(dispatch."end" AS INTEGER), -2),
       COALESCE(event.stack_id, -1), COALESCE(event.parent_stack_id, -1)
FROM rocpd_kernel_dispatch AS dispatch
LEFT JOIN rocpd_event AS event ON event.id = dispatch.event_id AND event.guid = dispatch.guid
WHERE dispatch.guid = ?
