/* Half-precision math, shuffles and atomics: device only. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HALF_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HALF_DEVICE_FUNCTIONS_H

#include <hip/hip_runtime.h>

#include <hip/amd_detail/half/arithmetic.h>
#include <hip/amd_detail/hip_fp16_math_fwd.h>

#define VROCM_HALF_UNARY(name, function)                                                     \
    VROCM_DEVICE __half h##name(__half x) { return __half_raw{(_Float16)function(x.data)}; } \
    VROCM_DEVICE __half2 h2##name(__half2 x) { return __half2(h##name(x.x), h##name(x.y)); }
VROCM_HALF_UNARY(ceil, __builtin_ceilf16)
VROCM_HALF_UNARY(floor, __builtin_floorf16)
VROCM_HALF_UNARY(rint, __builtin_rintf16)
VROCM_HALF_UNARY(sqrt, __builtin_sqrtf16)
VROCM_HALF_UNARY(trunc, __builtin_truncf16)
VROCM_HALF_UNARY(rcp, __builtin_amdgcn_rcph)
VROCM_HALF_UNARY(cos, __ocml_cos_f16)
VROCM_HALF_UNARY(exp, __ocml_exp_f16)
VROCM_HALF_UNARY(exp10, __ocml_exp10_f16)
VROCM_HALF_UNARY(exp2, __ocml_exp2_f16)
VROCM_HALF_UNARY(log, __ocml_log_f16)
VROCM_HALF_UNARY(log10, __ocml_log10_f16)
VROCM_HALF_UNARY(log2, __ocml_log2_f16)
VROCM_HALF_UNARY(rsqrt, __ocml_rsqrt_f16)
VROCM_HALF_UNARY(sin, __ocml_sin_f16)
#undef VROCM_HALF_UNARY
VROCM_DEVICE_EXTRA __half htanh(__half x) { return __half_raw{__ocml_tanh_f16(x.data)}; }
VROCM_DEVICE_EXTRA __half2 h2tanh(__half2 x) { return __half2(htanh(x.x), htanh(x.y)); }

VROCM_SHUFFLES(__half)
VROCM_SHUFFLES(__half2)

/* a.x * b.x + a.y * b.y + c */
VROCM_DEVICE float amd_mixed_dot(__half2 a, __half2 b, float c, bool saturate) {
    return saturate ? __builtin_amdgcn_fdot2(a.data, b.data, c, true)
                    : __builtin_amdgcn_fdot2(a.data, b.data, c, false);
}

/* The whole pair at once; half of it for a single value. */
VROCM_DEVICE __half2 vrocm_atomic_half2_add(__half2* address, __half2 value, bool low, bool high) {
    unsigned int* word = (unsigned int*)address;
    unsigned int before = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (true) {
        const __half2 old = __builtin_bit_cast(__half2, before);
        const __half2 sum = __half2(low ? __hadd(old.x, value.x) : old.x, high ? __hadd(old.y, value.y) : old.y);
        if (__hip_atomic_compare_exchange_strong(word, &before, __builtin_bit_cast(unsigned int, sum), __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
            return old;
    }
}
VROCM_DEVICE __half2 atomicAdd(__half2* address, __half2 value) {
    return vrocm_atomic_half2_add(address, value, true, true);
}
VROCM_DEVICE __half atomicAdd(__half* address, __half value) {
    const bool high = ((unsigned long)address & 2) != 0;
    const __half2 before =
        vrocm_atomic_half2_add((__half2*)((unsigned long)address & ~3ul), __half2(value, value), !high, high);
    return high ? before.y : before.x;
}
VROCM_DEVICE __half2 safeAtomicAdd(__half2* address, __half2 value) { return atomicAdd(address, value); }
VROCM_DEVICE __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
    return __half2(__builtin_amdgcn_flat_atomic_fadd_v2f16((_Float16_2*)address, value.data));
}

#endif
