-- Schema 4.0. As dispatches_on_tracks.sql, but start and end are rows of a table of all times.
SELECT dispatch.guid, dispatch.kernel_id, dispatch.track_id,
       dispatch.grid_size_x, dispatch.grid_size_y, dispatch.grid_size_z,
       dispatch.workgroup_size_x, dispatch.workgroup_size_y, dispatch.workgroup_size_z,
       dispatch.group_segment_size, dispatch.private_segment_size,
       started.value, ended.value, dispatch.event_id
FROM rocpd_kernel_dispatch AS dispatch
LEFT JOIN rocpd_timestamp AS started ON started.id = dispatch.start_id AND started.guid = dispatch.guid
LEFT JOIN rocpd_timestamp AS ended ON ended.id = dispatch.end_id AND ended.guid = dispatch.guid
