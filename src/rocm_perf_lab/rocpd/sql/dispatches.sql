-- Schema 3. Every dispatch: what makes it like others (guid to private_segment_size), when it ran, and its
-- event, which counters refer to. No join and no order, so that a trace is read once from front to back;
-- names are found by id afterwards, once per kernel.
SELECT guid, kernel_id, agent_id,
       grid_size_x, grid_size_y, grid_size_z, workgroup_size_x, workgroup_size_y, workgroup_size_z,
       group_segment_size, private_segment_size,
       start, "end", event_id
FROM rocpd_kernel_dispatch
