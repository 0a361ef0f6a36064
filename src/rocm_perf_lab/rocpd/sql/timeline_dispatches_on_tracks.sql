-- Schema 4.1. As timeline_dispatches.sql, with agent, queue and stream in the dispatch's track.
SELECT COALESCE(dispatch.kernel_id, -1), COALESCE(track.agent_id, -1), COALESCE(track.queue_id, -1),
       COALESCE(track.stream_id, -1), COALESCE(dispatch.dispatch_id, dispatch.id),
       COALESCE(CAST(dispatch.start AS INTEGER), -1), COALESCE(CAST(dispatch."end" AS INTEGER), -2),
       COALESCE(event.stack_id, -1), COALESCE(event.parent_stack_id, -1)
FROM rocpd_kernel_dispatch AS dispatch
LEFT JOIN rocpd_track AS track ON track.id = dispatch.track_id AND track.guid = dispatch.guid
LEFT JOIN rocpd_event AS event ON event.id = dispatch.event_id AND event.guid = dispatch.guid
WHERE dispatch.guid = ?
