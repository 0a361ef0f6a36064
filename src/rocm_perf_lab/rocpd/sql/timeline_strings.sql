-- A name by its id.
SELECT string FROM rocpd_string WHERE guid = ? AND id = ?
