-- Which kernels each process dispatched.
SELECT DISTINCT guid, kernel_id
FROM rocpd_kernel_dispatch
