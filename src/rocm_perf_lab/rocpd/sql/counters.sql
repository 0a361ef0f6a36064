-- The counters that were collected, by the id that counter_values.sql has.
SELECT guid, id, name FROM rocpd_info_pmc
