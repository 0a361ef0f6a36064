/* Barriers of a block, memory fences, clocks. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_SYNCHRONIZATION_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_SYNCHRONIZATION_FUNCTIONS_H

#include <hip/amd_detail/device/thread_coordinates.h>

VROCM_DEVICE __attribute__((convergent)) void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
VROCM_DEVICE __attribute__((convergent)) void __barrier(int) { __syncthreads(); }

/* How many threads of the block see a predicate that is not zero. */
static __device__ inline __attribute__((convergent)) int __syncthreads_count(int predicate) {
    __shared__ int total;
    const bool first = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
    __syncthreads(); /* an earlier call may still be reading */
    if (first) total = 0;
    __syncthreads();
    const unsigned long lanes = __builtin_amdgcn_ballot_w64(predicate != 0);
    const unsigned long active = __builtin_amdgcn_ballot_w64(true);
    const unsigned lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    if (lane == (unsigned)__builtin_ctzl(active))
        __hip_atomic_fetch_add(&total, __builtin_popcountl(lanes), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    __syncthreads();
    return total;
}
static __device__ inline __attribute__((convergent)) int __syncthreads_and(int predicate) {
    return __syncthreads_count(predicate == 0) == 0;
}
static __device__ inline __attribute__((convergent)) int __syncthreads_or(int predicate) {
    return __syncthreads_count(predicate) != 0;
}

VROCM_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
VROCM_DEVICE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
VROCM_DEVICE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

/* Cycles of this compute unit; and a clock that all compute units share, at a fixed rate. */
VROCM_DEVICE long long __clock64() { return (long long)__builtin_readcyclecounter(); }
VROCM_DEVICE long long __clock() { return __clock64(); }
VROCM_DEVICE long long clock64() { return __clock64(); }
VROCM_DEVICE long long clock() { return __clock64(); }
VROCM_DEVICE long long wall_clock64() { return (long long)__builtin_readsteadycounter(); }

VROCM_DEVICE void __named_sync() { __builtin_amdgcn_s_barrier(); }
VROCM_DEVICE_EXTRA void __trap() { __builtin_trap(); }

/* Which compute unit runs this wave: HW_ID of gfx9 has CU_ID in bits 11:8, SH_ID in 12, SE_ID in 15:13. */
VROCM_DEVICE unsigned __smid() {
    const unsigned hardware_id = __builtin_amdgcn_s_getreg(4 | (0 << 6) | (31 << 11));
    return ((hardware_id >> 8) & 0xf) | (((hardware_id >> 12) & 0xf) << 4);
}

#endif
