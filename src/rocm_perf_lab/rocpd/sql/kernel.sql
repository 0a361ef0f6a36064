-- One kernel, with its names and what it takes of a compute unit. Asked once for every kernel that was
-- dispatched: programs load many thousands that never are.
SELECT kernel_name, display_name, extdata,
       arch_vgpr_count, accum_vgpr_count, sgpr_count, group_segment_size, private_segment_size
FROM rocpd_info_kernel_symbol
WHERE guid = ? AND id = ?
