/* Votes and shuffles between the lanes of a wave. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_WARP_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_WARP_FUNCTIONS_H

#include <hip/amd_detail/device/wave_builtins.h>
#include <vrocm/device/library_functions.h>

VROCM_DEVICE __attribute__((convergent)) unsigned long long __ballot(int predicate) {
    return __builtin_amdgcn_ballot_w64(predicate != 0);
}
VROCM_DEVICE __attribute__((convergent)) unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
VROCM_DEVICE __attribute__((convergent)) unsigned long long __activemask() { return __ballot(1); }
VROCM_DEVICE __attribute__((convergent)) int __any(int predicate) { return __ballot(predicate) != 0; }
VROCM_DEVICE __attribute__((convergent)) int __all(int predicate) { return __ballot(predicate == 0) == 0; }
VROCM_DEVICE __attribute__((convergent)) void __syncwarp() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

namespace hip_detail {

/* Fetches a value of any size from another lane, 32 bits at a time. */
template <class T>
VROCM_DEVICE __attribute__((convergent)) T value_of_lane(T value, int lane) {
    constexpr int words = (sizeof(T) + 3) / 4;
    int data[words] = {};
    __builtin_memcpy(data, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i) data[i] = __builtin_amdgcn_ds_bpermute(lane << 2, data[i]);
    __builtin_memcpy(&value, data, sizeof(T));
    return value;
}

/* The lane each shuffle reads from. Lanes form groups of `width`; a lane outside of the own group is never read. */
VROCM_DEVICE int source_lane(int lane, int width) {
    const int self = __lane_id();
    return (lane & (width - 1)) + (self & ~(width - 1));
}
VROCM_DEVICE int source_lane_up(unsigned int delta, int width) {
    const int self = __lane_id();
    const int lane = self - (int)delta;
    return lane < (self & ~(width - 1)) ? self : lane;
}
VROCM_DEVICE int source_lane_down(unsigned int delta, int width) {
    const int self = __lane_id();
    return (int)((self & (width - 1)) + delta) >= width ? self : self + (int)delta;
}
VROCM_DEVICE int source_lane_xor(int mask, int width) {
    const int self = __lane_id();
    const int lane = self ^ mask;
    return lane >= ((self + width) & ~(width - 1)) ? self : lane;
}

}  // namespace hip_detail

#define VROCM_SHUFFLES(T)                                                                                       \
    VROCM_DEVICE __attribute__((convergent)) T __shfl(T value, int lane, int width = warpSize) {                \
        return hip_detail::value_of_lane(value, hip_detail::source_lane(lane, width));                          \
    }                                                                                                           \
    VROCM_DEVICE __attribute__((convergent)) T __shfl_up(T value, unsigned int delta, int width = warpSize) {   \
        return hip_detail::value_of_lane(value, hip_detail::source_lane_up(delta, width));                      \
    }                                                                                                           \
    VROCM_DEVICE __attribute__((convergent)) T __shfl_down(T value, unsigned int delta, int width = warpSize) { \
        return hip_detail::value_of_lane(value, hip_detail::source_lane_down(delta, width));                    \
    }                                                                                                           \
    VROCM_DEVICE __attribute__((convergent)) T __shfl_xor(T value, int mask, int width = warpSize) {            \
        return hip_detail::value_of_lane(value, hip_detail::source_lane_xor(mask, width));                      \
    }
VROCM_SHUFFLES(int)
VROCM_SHUFFLES(unsigned int)
VROCM_SHUFFLES(long)
VROCM_SHUFFLES(unsigned long)
VROCM_SHUFFLES(long long)
VROCM_SHUFFLES(unsigned long long)
VROCM_SHUFFLES(float)
VROCM_SHUFFLES(double)
/* The half types define theirs with this macro. */

#endif
