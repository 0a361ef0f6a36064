-- What calls were given of streams, events, devices and flags: of those calls whose events are in the temporary
-- table wanted_events, in one pass over a table that has no index. Some tracers write the id of the stream
-- beside its handle.
SELECT argument.event_id, argument.name, argument.value, json_extract(argument.extdata, '$.stream_id')
FROM rocpd_arg AS argument
WHERE argument.event_id IN (SELECT id FROM wanted_events)
  AND argument.name IN ('event', 'stream', 'hStream', 'hEvent', 'deviceId', 'flags')
  AND argument.guid = ?
