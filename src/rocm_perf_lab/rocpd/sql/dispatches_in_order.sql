-- The dispatches of one kernel in one process, in the order in which they were made, with their shapes.
SELECT COALESCE(dispatch_id, id),
       grid_size_x, grid_size_y, grid_size_z, workgroup_size_x, workgroup_size_y, workgroup_size_z,
       group_segment_size
FROM rocpd_kernel_dispatch
WHERE guid = ? AND kernel_id = ?
ORDER BY 1
