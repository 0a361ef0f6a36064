/* bfloat16 math, shuffles and atomics: device only. Math functions are those of float, rounded. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_DEVICE_FUNCTIONS_H

#include <hip/hip_runtime.h>

#include <hip/amd_detail/bfloat16/arithmetic.h>

#define VROCM_BFLOAT16_UNARY(name, function)                                                                   \
    VROCM_DEVICE __hip_bfloat16 h##name(__hip_bfloat16 x) { return __float2bfloat16(function(x.as_float())); } \
    VROCM_DEVICE __hip_bfloat162 h2##name(__hip_bfloat162 x) { return __hip_bfloat162(h##name(x.x), h##name(x.y)); }
VROCM_BFLOAT16_UNARY(ceil, __builtin_ceilf)
VROCM_BFLOAT16_UNARY(floor, __builtin_floorf)
VROCM_BFLOAT16_UNARY(rint, __builtin_rintf)
VROCM_BFLOAT16_UNARY(sqrt, __builtin_sqrtf)
VROCM_BFLOAT16_UNARY(trunc, __builtin_truncf)
VROCM_BFLOAT16_UNARY(rcp, 1.0f /)
VROCM_BFLOAT16_UNARY(cos, __ocml_cos_f32)
VROCM_BFLOAT16_UNARY(exp, __ocml_exp_f32)
VROCM_BFLOAT16_UNARY(exp10, __ocml_exp10_f32)
VROCM_BFLOAT16_UNARY(exp2, __ocml_exp2_f32)
VROCM_BFLOAT16_UNARY(log, __ocml_log_f32)
VROCM_BFLOAT16_UNARY(log10, __ocml_log10_f32)
VROCM_BFLOAT16_UNARY(log2, __ocml_log2_f32)
VROCM_BFLOAT16_UNARY(rsqrt, __ocml_rsqrt_f32)
VROCM_BFLOAT16_UNARY(sin, __ocml_sin_f32)
#undef VROCM_BFLOAT16_UNARY
VROCM_DEVICE_EXTRA __hip_bfloat16 htanh(__hip_bfloat16 x) { return __float2bfloat16(__ocml_tanh_f32(x.as_float())); }
VROCM_DEVICE_EXTRA __hip_bfloat162 h2tanh(__hip_bfloat162 x) { return __hip_bfloat162(htanh(x.x), htanh(x.y)); }

VROCM_SHUFFLES(__hip_bfloat16)
VROCM_SHUFFLES(__hip_bfloat162)

/* The whole pair at once; half of it for a single value. */
VROCM_DEVICE __hip_bfloat162 vrocm_atomic_bfloat162_add(__hip_bfloat162* address, __hip_bfloat162 value, bool low,
                                                        bool high) {
    unsigned int* word = (unsigned int*)address;
    unsigned int before = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (true) {
        const __hip_bfloat162 old = __builtin_bit_cast(__hip_bfloat162, before);
        const __hip_bfloat162 sum(low ? old.x + value.x : old.x, high ? old.y + value.y : old.y);
        if (__hip_atomic_compare_exchange_strong(word, &before, __builtin_bit_cast(unsigned int, sum), __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
            return old;
    }
}
VROCM_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
    return vrocm_atomic_bfloat162_add(address, value, true, true);
}
VROCM_DEVICE __hip_bfloat16 atomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
    const bool high = ((unsigned long)address & 2) != 0;
    const __hip_bfloat162 before = vrocm_atomic_bfloat162_add((__hip_bfloat162*)((unsigned long)address & ~3ul),
                                                              __hip_bfloat162(value, value), !high, high);
    return high ? before.y : before.x;
}
VROCM_DEVICE __hip_bfloat162 safeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
    return atomicAdd(address, value);
}
VROCM_DEVICE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
#if defined(__gfx942__) || defined(__gfx950__)
    typedef short packed __attribute__((ext_vector_type(2)));
    return __builtin_bit_cast(
        __hip_bfloat162, __builtin_amdgcn_flat_atomic_fadd_v2bf16((packed*)address, __builtin_bit_cast(packed, value)));
#else
    return atomicAdd(address, value);
#endif
}

#endif
