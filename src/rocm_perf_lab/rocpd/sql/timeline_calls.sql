-- Schema 3. The host's calls of one process (guid) whose names match a pattern (GLOB).
SELECT COALESCE(region.tid, -1), region.name_id, COALESCE(CAST(region.start AS INTEGER), -1),
       COALESCE(CAST(region."end" AS INTEGER), -2), COALESCE(event.stack_id, -1), COALESCE(region.event_id, -1)
FROM rocpd_region AS region
LEFT JOIN rocpd_event AS event ON event.id = region.event_id AND event.guid = region.guid
WHERE region.guid = :guid
  AND region.name_id IN (SELECT id FROM rocpd_string WHERE guid = :guid AND string GLOB :names)
