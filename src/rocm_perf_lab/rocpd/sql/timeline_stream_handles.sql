-- Every stream handle that calls other than those of streams and events were given (launches and copies, mostly),
-- with the first and the last of their events.
SELECT argument.value, MIN(argument.event_id), MAX(argument.event_id)
FROM rocpd_arg AS argument
WHERE argument.guid = :guid AND argument.name IN ('stream', 'hStream')
  AND argument.event_id NOT IN (
      SELECT event_id FROM rocpd_region
      WHERE guid = :guid AND name_id IN (
          SELECT id FROM rocpd_string
          WHERE guid = :guid AND (string GLOB 'hipEvent*' OR string GLOB 'hipStream*' OR string GLOB '__hip*')))
GROUP BY argument.value
