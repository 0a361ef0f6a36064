// Barriers over a whole grid and over all grids of a multi-device launch.
#include "runtime_abi_device.h"

namespace {

INLINE GLOBAL vrocm_grid_sync* grid() { return hidden_pointer<vrocm_grid_sync>(VROCM_IMPLICITARG_MULTIGRID_SYNC); }

INLINE bool first_thread_of_workgroup() {
    return (__builtin_amdgcn_workitem_id_x() | __builtin_amdgcn_workitem_id_y() | __builtin_amdgcn_workitem_id_z()) ==
           0;
}

// Adds one arrival; the last of `expected` opens the barrier for the next phase, the others wait for that.
INLINE void arrive_and_wait(GLOBAL vrocm_u32* arrived, GLOBAL vrocm_u32* phase, u32 expected) {
    u32 before = __scoped_atomic_load_n(phase, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
    if (__scoped_atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_SYSTEM) + 1 == expected) {
        __scoped_atomic_store_n(arrived, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
        __scoped_atomic_fetch_add(phase, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
        return;
    }
    while (__scoped_atomic_load_n(phase, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) == before) {
        __builtin_amdgcn_s_sleep(2);
    }
}

INLINE void workgroup_barrier() {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

}  // namespace

EXPORT i32 __ockl_grid_is_valid() { return grid() != nullptr; }

EXPORT void __ockl_grid_sync() {
    workgroup_barrier();
    if (first_thread_of_workgroup()) {
        auto g = grid();
        if (g == nullptr) __builtin_trap();  // not a cooperative launch: the barrier could never open
        arrive_and_wait(&g->arrived, &g->phase, g->workgroups);
    }
    workgroup_barrier();
}

EXPORT i32 __ockl_multi_grid_is_valid() {
    auto g = grid();
    return g != nullptr && g->multigrid != 0;
}

EXPORT u32 __ockl_multi_grid_num_grids() { return grid()->num_grids; }

EXPORT u32 __ockl_multi_grid_grid_rank() { return grid()->grid_rank; }

EXPORT u32 __ockl_multi_grid_size() { return (u32)grid()->threads_total; }

EXPORT u32 __ockl_multi_grid_thread_rank() {
    u32 size_x = __builtin_amdgcn_workgroup_size_x(), size_y = __builtin_amdgcn_workgroup_size_y();
    u32 size_z = __builtin_amdgcn_workgroup_size_z();
    u32 groups_x = __builtin_amdgcn_grid_size_x() / size_x, groups_y = __builtin_amdgcn_grid_size_y() / size_y;
    u32 group = (__builtin_amdgcn_workgroup_id_z() * groups_y + __builtin_amdgcn_workgroup_id_y()) * groups_x +
                __builtin_amdgcn_workgroup_id_x();
    u32 thread = (__builtin_amdgcn_workitem_id_z() * size_y + __builtin_amdgcn_workitem_id_y()) * size_x +
                 __builtin_amdgcn_workitem_id_x();
    return (u32)grid()->threads_before + group * (size_x * size_y * size_z) + thread;
}

EXPORT void __ockl_multi_grid_sync() {
    workgroup_barrier();
    auto g = grid();
    if (first_thread_of_workgroup()) {
        if (g == nullptr) __builtin_trap();
        u32 before = __scoped_atomic_load_n(&g->phase, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
        if (__scoped_atomic_fetch_add(&g->arrived, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_SYSTEM) + 1 == g->workgroups) {
            // Last of this grid: wait for the other grids, then let this one go on.
            __scoped_atomic_store_n(&g->arrived, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
            auto all = (GLOBAL vrocm_multigrid_barrier*)g->multigrid;
            if (all != nullptr) arrive_and_wait(&all->arrived, &all->phase, all->grids);
            __scoped_atomic_fetch_add(&g->phase, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
        } else {
            while (__scoped_atomic_load_n(&g->phase, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) == before) {
                __builtin_amdgcn_s_sleep(2);
            }
        }
    }
    workgroup_barrier();
}
