-- Whether anything was counted.
SELECT EXISTS (SELECT 1 FROM rocpd_pmc_event)
