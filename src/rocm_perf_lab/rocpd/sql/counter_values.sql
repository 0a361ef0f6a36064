-- Every value that was counted: of one dispatch (by its event) in one hardware instance. The sum over
-- instances is the dispatch's. Values of the virtual GPU may be extrapolated from a sample of workgroups.
SELECT guid, event_id, pmc_id, value, extdata LIKE '%"extrapolated":true%' AS extrapolated
FROM rocpd_pmc_event
WHERE event_id IS NOT NULL AND value IS NOT NULL
