-- Schema 4.1. As dispatches.sql, but a dispatch names its track, and the track (tracks.sql) its agent.
SELECT guid, kernel_id, track_id,
       grid_size_x, grid_size_y, grid_size_z, workgroup_size_x, workgroup_size_y, workgroup_size_z,
       group_segment_size, private_segment_size,
       start, "end", event_id
FROM rocpd_kernel_dispatch
