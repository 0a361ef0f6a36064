-- Where the code objects of the kernels came from.
SELECT DISTINCT uri FROM rocpd_info_code_object WHERE uri IS NOT NULL ORDER BY uri
