-- Schema 3.0.3 and later. As counter_values.sql, without what was sampled while a kernel ran: sums over
-- samples and over instances are different things.
SELECT guid, event_id, pmc_id, value, extdata LIKE '%"extrapolated":true%' AS extrapolated
FROM rocpd_pmc_event
WHERE event_id IS NOT NULL AND value IS NOT NULL AND sample_id IS NULL
