/* Warp operations with an explicit mask of participating lanes.
 *
 * Every lane named in the mask must be active and must call with the same mask; a lane outside of it must not call.
 */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_WARP_SYNC_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_WARP_SYNC_FUNCTIONS_H

#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)

#include <hip/amd_detail/amd_warp_functions.h>

#include <type_traits>

#define VROCM_CHECK_MASK(Mask) \
    static_assert(std::is_integral<Mask>::value && sizeof(Mask) == 8, "The mask must be a 64-bit integer.")

template <class Mask>
VROCM_DEVICE __attribute__((convergent)) void __syncwarp(Mask) {
    VROCM_CHECK_MASK(Mask);
    __syncwarp();
}
template <class Mask>
VROCM_DEVICE __attribute__((convergent)) unsigned long long __ballot_sync(Mask mask, int predicate) {
    VROCM_CHECK_MASK(Mask);
    return __ballot(predicate) & (unsigned long long)mask;
}
template <class Mask>
VROCM_DEVICE __attribute__((convergent)) int __all_sync(Mask mask, int predicate) {
    VROCM_CHECK_MASK(Mask);
    return __ballot_sync(mask, predicate) == ((unsigned long long)mask & __activemask());
}
template <class Mask>
VROCM_DEVICE __attribute__((convergent)) int __any_sync(Mask mask, int predicate) {
    VROCM_CHECK_MASK(Mask);
    return __ballot_sync(mask, predicate) != 0;
}
template <class Mask, class T>
VROCM_DEVICE __attribute__((convergent)) T __shfl_sync(Mask, T value, int lane, int width = warpSize) {
    VROCM_CHECK_MASK(Mask);
    return __shfl(value, lane, width);
}
template <class Mask, class T>
VROCM_DEVICE __attribute__((convergent)) T __shfl_up_sync(Mask, T value, unsigned int delta, int width = warpSize) {
    VROCM_CHECK_MASK(Mask);
    return __shfl_up(value, delta, width);
}
template <class Mask, class T>
VROCM_DEVICE __attribute__((convergent)) T __shfl_down_sync(Mask, T value, unsigned int delta, int width = warpSize) {
    VROCM_CHECK_MASK(Mask);
    return __shfl_down(value, delta, width);
}
template <class Mask, class T>
VROCM_DEVICE __attribute__((convergent)) T __shfl_xor_sync(Mask, T value, int lane_mask, int width = warpSize) {
    VROCM_CHECK_MASK(Mask);
    return __shfl_xor(value, lane_mask, width);
}

namespace hip_detail {

/* Value of the first lane in the mask, in every lane. */
template <class T>
VROCM_DEVICE __attribute__((convergent)) T value_of_first(T value, unsigned long long mask) {
    return value_of_lane(value, __builtin_ctzll(mask));
}

template <class T, class F>
VROCM_DEVICE __attribute__((convergent)) T reduce_lanes(unsigned long long mask, T value, F combine) {
    T result = value_of_first(value, mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) result = combine(result, value_of_first(value, mask));
    return result;
}

/* Lanes of the mask whose value has the same bits. */
template <class T>
VROCM_DEVICE __attribute__((convergent)) unsigned long long lanes_with_same_value(unsigned long long mask, T value) {
    unsigned long long mine = 0;
    while (mask != 0) {
        const T candidate = value_of_first(value, mask);
        const bool same = __builtin_memcmp(&candidate, &value, sizeof(T)) == 0;
        const unsigned long long group = __ballot(same) & mask;
        if (same) mine = group;
        mask &= ~group;
    }
    return mine;
}

}  // namespace hip_detail

template <class T>
VROCM_DEVICE __attribute__((convergent)) unsigned long long __match_any(T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_any takes 4-byte or 8-byte types");
    return hip_detail::lanes_with_same_value(__activemask(), value);
}
template <class Mask, class T>
VROCM_DEVICE __attribute__((convergent)) unsigned long long __match_any_sync(Mask mask, T value) {
    VROCM_CHECK_MASK(Mask);
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_any_sync takes 4-byte or 8-byte types");
    return hip_detail::lanes_with_same_value((unsigned long long)mask & __activemask(), value);
}
template <class Mask, class T>
VROCM_DEVICE __attribute__((convergent)) unsigned long long __match_all_sync(Mask mask, T value, int* all_same) {
    VROCM_CHECK_MASK(Mask);
    const unsigned long long lanes = (unsigned long long)mask & __activemask();
    const T first = hip_detail::value_of_first(value, lanes);
    const bool same = __builtin_memcmp(&first, &value, sizeof(T)) == 0;
    *all_same = (__ballot(!same) & lanes) == 0;
    return *all_same ? lanes : 0;
}
template <class T>
VROCM_DEVICE __attribute__((convergent)) unsigned long long __match_all(T value, int* all_same) {
    return __match_all_sync(__activemask(), value, all_same);
}

#define VROCM_WARP_REDUCTION(name, expression)                                              \
    template <class Mask, class T>                                                          \
    VROCM_DEVICE __attribute__((convergent)) T __reduce_##name##_sync(Mask mask, T value) { \
        VROCM_CHECK_MASK(Mask);                                                             \
        return hip_detail::reduce_lanes((unsigned long long)mask & __activemask(), value,   \
                                        [](T a, T b) -> T { return expression; });          \
    }
VROCM_WARP_REDUCTION(add, a + b)
VROCM_WARP_REDUCTION(min, b < a ? b : a)
VROCM_WARP_REDUCTION(max, a < b ? b : a)
VROCM_WARP_REDUCTION(and, a& b)
VROCM_WARP_REDUCTION(or, a | b)
VROCM_WARP_REDUCTION(xor, a ^ b)
#undef VROCM_WARP_REDUCTION
#undef VROCM_CHECK_MASK

#endif
#endif
