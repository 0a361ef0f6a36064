-- The kernels that could be launched, with their names and what they take of a compute unit.
SELECT guid, id, kernel_name, display_name, extdata,
       arch_vgpr_count, accum_vgpr_count, sgpr_count, group_segment_size, private_segment_size
FROM rocpd_info_kernel_symbol
