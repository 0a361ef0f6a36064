-- What the calls were given of streams, events, devices and flags: of all calls except those (launches) that a
-- program makes by the million. Some tracers write the id of the stream beside its handle.
SELECT argument.event_id, argument.name, argument.value, json_extract(argument.extdata, '$.stream_id')
FROM rocpd_arg AS argument
WHERE argument.guid = :guid
  AND argument.name IN ('event', 'stream', 'hStream', 'hEvent', 'deviceId', 'flags', 'stop')
  AND argument.event_id IN (
      SELECT event_id FROM rocpd_region
      WHERE guid = :guid AND name_id IN (
          SELECT id FROM rocpd_string
          WHERE guid = :guid AND (string GLOB 'hipEvent*' OR string GLOB 'hipStream*'
                                  OR string GLOB 'hipSetDevice*')))
