-- Schema 4.0. As timeline_dispatches_on_tracks.sql, with start and end in a table of all times.
SELECT COALESCE(dispatch.kernel_id, -1), COALESCE(track.agent_id, -1), COALESCE(track.queue_id, -1),
       COALESCE(track.stream_id, -1), COALESCE(dispatch.dispatch_id, dispatch.id),
       COALESCE(CAST(started.value AS INTEGER), -1), COALESCE(CAST(ended.value AS INTEGER), -2),
       COALESCE(event.stack_id, -1), COALESCE(event.parent_stack_id, -1)
FROM rocpd_kernel_dispatch AS dispatch
LEFT JOIN rocpd_timestamp AS started ON started.id = dispatch.start_id AND started.guid = dispatch.guid
LEFT JOIN rocpd_timestamp AS ended ON ended.id = dispatch.end_id AND ended.guid = dispatch.guid
LEFT JOIN rocpd_track AS track ON track.id = dispatch.track_id AND track.guid = dispatch.guid
LEFT JOIN rocpd_event AS event ON event.id = dispatch.event_id AND event.guid = dispatch.guid
WHERE dispatch.guid = ?
