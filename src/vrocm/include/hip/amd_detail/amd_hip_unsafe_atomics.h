/* Floating-point atomics with a stated trade: unsafe ones use the hardware's instructions, which do not work on
 * fine-grained memory; safe ones work everywhere. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_UNSAFE_ATOMICS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_UNSAFE_ATOMICS_H

#include <vrocm/device/library_functions.h>

#define VROCM_UNSAFE_ATOMIC(T, name, function)                                              \
    VROCM_DEVICE T unsafeAtomic##name(T* address, T value) {                                \
        T before;                                                                           \
        [[clang::atomic(no_fine_grained_memory, no_remote_memory, ignore_denormal_mode)]] { \
            before = function(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);  \
        }                                                                                   \
        return before;                                                                      \
    }                                                                                       \
    VROCM_DEVICE T safeAtomic##name(T* address, T value) {                                  \
        T before;                                                                           \
        [[clang::atomic(fine_grained_memory, remote_memory, no_ignore_denormal_mode)]] {    \
            before = function(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);  \
        }                                                                                   \
        return before;                                                                      \
    }
VROCM_UNSAFE_ATOMIC(float, Add, __hip_atomic_fetch_add)
VROCM_UNSAFE_ATOMIC(float, Min, __hip_atomic_fetch_min)
VROCM_UNSAFE_ATOMIC(float, Max, __hip_atomic_fetch_max)
VROCM_UNSAFE_ATOMIC(double, Add, __hip_atomic_fetch_add)
VROCM_UNSAFE_ATOMIC(double, Min, __hip_atomic_fetch_min)
VROCM_UNSAFE_ATOMIC(double, Max, __hip_atomic_fetch_max)
#undef VROCM_UNSAFE_ATOMIC

#endif
