-- The processes that dispatched anything.
SELECT DISTINCT guid FROM rocpd_kernel_dispatch ORDER BY guid
