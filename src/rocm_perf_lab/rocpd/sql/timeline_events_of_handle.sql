-- Every event of a call that was given one stream handle.
SELECT argument.event_id
FROM rocpd_arg AS argument
WHERE argument.guid = ? AND argument.name IN ('stream', 'hStream') AND argument.value = ?
