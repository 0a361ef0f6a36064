// Where a work-item is in its grid, which lane of its wave it is, and clocks.
#include "common/hardware.h"

EXPORT u64 __ockl_get_local_id(u32 dimension) {
    switch (dimension) {
        case 0:
            return __builtin_amdgcn_workitem_id_x();
        case 1:
            return __builtin_amdgcn_workitem_id_y();
        case 2:
            return __builtin_amdgcn_workitem_id_z();
        default:
            return 0;
    }
}

EXPORT u64 __ockl_get_group_id(u32 dimension) {
    switch (dimension) {
        case 0:
            return __builtin_amdgcn_workgroup_id_x();
        case 1:
            return __builtin_amdgcn_workgroup_id_y();
        case 2:
            return __builtin_amdgcn_workgroup_id_z();
        default:
            return 0;
    }
}

EXPORT u64 __ockl_get_local_size(u32 dimension) {
    switch (dimension) {
        case 0:
            return __builtin_amdgcn_workgroup_size_x();
        case 1:
            return __builtin_amdgcn_workgroup_size_y();
        case 2:
            return __builtin_amdgcn_workgroup_size_z();
        default:
            return 1;
    }
}

EXPORT u64 __ockl_get_global_size(u32 dimension) {
    switch (dimension) {
        case 0:
            return __builtin_amdgcn_grid_size_x();
        case 1:
            return __builtin_amdgcn_grid_size_y();
        case 2:
            return __builtin_amdgcn_grid_size_z();
        default:
            return 1;
    }
}

// Whole and partial groups: the first hidden kernel arguments (code object V5) count the whole ones and
// give the size of the remainder.
EXPORT u64 __ockl_get_num_groups(u32 dimension) {
    if (dimension > 2) return 1;
    auto hidden = (const CONSTANT char*)__builtin_amdgcn_implicitarg_ptr();
    u32 whole = ((const CONSTANT u32*)hidden)[dimension];
    u32 remainder = ((const CONSTANT u16*)(hidden + 18))[dimension];
    return whole + (remainder != 0);
}

EXPORT u64 __ockl_get_global_offset(u32 dimension) {
    if (dimension > 2) return 0;
    auto hidden = (const CONSTANT char*)__builtin_amdgcn_implicitarg_ptr();
    return ((const CONSTANT u64*)(hidden + 40))[dimension];
}

EXPORT u64 __ockl_get_global_id(u32 dimension) {
    if (dimension > 2) return 0;
    return __ockl_get_group_id(dimension) * __ockl_get_local_size(dimension) + __ockl_get_local_id(dimension) +
           __ockl_get_global_offset(dimension);
}

EXPORT u64 __ockl_get_local_linear_id() {
    return (__builtin_amdgcn_workitem_id_z() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y()) *
               __builtin_amdgcn_workgroup_size_x() +
           __builtin_amdgcn_workitem_id_x();
}

EXPORT u32 __ockl_get_work_dim() {
    return *(const CONSTANT u16*)((const CONSTANT char*)__builtin_amdgcn_implicitarg_ptr() + 64);
}

EXPORT u32 __ockl_lane_u32() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }

// How many active lanes precede this one.
EXPORT u32 __ockl_activelane_u32() {
    u64 active = __builtin_amdgcn_read_exec();
    return __builtin_amdgcn_mbcnt_hi((u32)(active >> 32), __builtin_amdgcn_mbcnt_lo((u32)active, 0));
}

EXPORT u64 __ockl_steadyctr_u64() { return __builtin_readsteadycounter(); }

EXPORT u64 __ockl_cyclectr_u64() { return __builtin_readcyclecounter(); }
