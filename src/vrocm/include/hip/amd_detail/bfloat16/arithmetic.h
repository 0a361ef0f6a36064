/* Arithmetic and comparison functions of __hip_bfloat16 and __hip_bfloat162. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_ARITHMETIC_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_ARITHMETIC_H

#include <hip/amd_detail/bfloat16/conversions.h>

namespace hip_detail {
VROCM_BOTH bool bfloat16_is_nan(__hip_bfloat16 x) { return (x.__x & 0x7fffu) > 0x7f80u; }
VROCM_BOTH __hip_bfloat16 bfloat16_saturated(__hip_bfloat16 x) {
    const float value = x.as_float();
    return value > 0.0f ? (value < 1.0f ? x : HIPRT_ONE_BF16) : HIPRT_ZERO_BF16;
}
VROCM_BOTH __hip_bfloat162 bfloat162_of(bool low, bool high) {
    return __hip_bfloat162(low ? HIPRT_ONE_BF16 : HIPRT_ZERO_BF16, high ? HIPRT_ONE_BF16 : HIPRT_ZERO_BF16);
}
}  // namespace hip_detail

#define VROCM_BFLOAT16_BINARY(name, op)                                                                       \
    VROCM_BOTH __hip_bfloat16 __h##name(__hip_bfloat16 a, __hip_bfloat16 b) { return a op b; }                \
    VROCM_BOTH_EXTRA __hip_bfloat16 __h##name##_rn(__hip_bfloat16 a, __hip_bfloat16 b) { return a op b; }     \
    VROCM_BOTH __hip_bfloat16 __h##name##_sat(__hip_bfloat16 a, __hip_bfloat16 b) {                           \
        return hip_detail::bfloat16_saturated(a op b);                                                        \
    }                                                                                                         \
    VROCM_BOTH __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b) { return a op b; }          \
    VROCM_BOTH_EXTRA __hip_bfloat162 __h##name##2_rn(__hip_bfloat162 a, __hip_bfloat162 b) { return a op b; } \
    VROCM_BOTH __hip_bfloat162 __h##name##2_sat(__hip_bfloat162 a, __hip_bfloat162 b) {                       \
        return __hip_bfloat162(__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y));                         \
    }
VROCM_BFLOAT16_BINARY(add, +)
VROCM_BFLOAT16_BINARY(sub, -)
VROCM_BFLOAT16_BINARY(mul, *)
#undef VROCM_BFLOAT16_BINARY
VROCM_BOTH __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b) { return a / b; }
VROCM_BOTH __hip_bfloat162 __h2div(__hip_bfloat162 a, __hip_bfloat162 b) { return a / b; }

VROCM_BOTH __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    return __float2bfloat16(__builtin_fmaf(a.as_float(), b.as_float(), c.as_float()));
}
VROCM_BOTH __hip_bfloat16 __hfma_sat(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    return hip_detail::bfloat16_saturated(__hfma(a, b, c));
}
VROCM_BOTH_EXTRA __hip_bfloat16 __hfma_relu(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    const __hip_bfloat16 result = __hfma(a, b, c);
    return result.as_float() < 0.0f ? HIPRT_ZERO_BF16 : result;
}
VROCM_BOTH __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    return __hip_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
VROCM_BOTH __hip_bfloat162 __hfma2_sat(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    return __hip_bfloat162(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
VROCM_BOTH_EXTRA __hip_bfloat162 __hfma2_relu(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    return __hip_bfloat162(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
VROCM_BOTH __hip_bfloat16 __hneg(__hip_bfloat16 x) { return -x; }
VROCM_BOTH __hip_bfloat16 __habs(__hip_bfloat16 x) { return __ushort_as_bfloat16(x.__x & 0x7fffu); }
VROCM_BOTH __hip_bfloat162 __hneg2(__hip_bfloat162 x) { return -x; }
VROCM_BOTH __hip_bfloat162 __habs2(__hip_bfloat162 x) { return __hip_bfloat162(__habs(x.x), __habs(x.y)); }

/* Comparisons: false with a NaN; those ending in u are true with a NaN. */
#define VROCM_BFLOAT16_COMPARISON(name, op)                                                \
    VROCM_BOTH bool __h##name(__hip_bfloat16 a, __hip_bfloat16 b) { return a op b; }       \
    VROCM_BOTH bool __h##name##u(__hip_bfloat16 a, __hip_bfloat16 b) {                     \
        return hip_detail::bfloat16_is_nan(a) || hip_detail::bfloat16_is_nan(b) || a op b; \
    }                                                                                      \
    VROCM_BOTH __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {        \
        return hip_detail::bfloat162_of(__h##name(a.x, b.x), __h##name(a.y, b.y));         \
    }                                                                                      \
    VROCM_BOTH __hip_bfloat162 __h##name##u2(__hip_bfloat162 a, __hip_bfloat162 b) {       \
        return hip_detail::bfloat162_of(__h##name##u(a.x, b.x), __h##name##u(a.y, b.y));   \
    }                                                                                      \
    VROCM_BOTH bool __hb##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {                  \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                 \
    }                                                                                      \
    VROCM_BOTH bool __hb##name##u2(__hip_bfloat162 a, __hip_bfloat162 b) {                 \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                           \
    }
VROCM_BFLOAT16_COMPARISON(eq, ==)
VROCM_BFLOAT16_COMPARISON(lt, <)
VROCM_BFLOAT16_COMPARISON(le, <=)
VROCM_BFLOAT16_COMPARISON(gt, >)
VROCM_BFLOAT16_COMPARISON(ge, >=)
#undef VROCM_BFLOAT16_COMPARISON
VROCM_BOTH bool __hne(__hip_bfloat16 a, __hip_bfloat16 b) {
    return !hip_detail::bfloat16_is_nan(a) && !hip_detail::bfloat16_is_nan(b) && a != b;
}
VROCM_BOTH bool __hneu(__hip_bfloat16 a, __hip_bfloat16 b) { return a != b; }
VROCM_BOTH __hip_bfloat162 __hne2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return hip_detail::bfloat162_of(__hne(a.x, b.x), __hne(a.y, b.y));
}
VROCM_BOTH __hip_bfloat162 __hneu2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return hip_detail::bfloat162_of(__hneu(a.x, b.x), __hneu(a.y, b.y));
}
VROCM_BOTH bool __hbne2(__hip_bfloat162 a, __hip_bfloat162 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
VROCM_BOTH bool __hbneu2(__hip_bfloat162 a, __hip_bfloat162 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }

VROCM_BOTH bool __hisnan(__hip_bfloat16 x) { return hip_detail::bfloat16_is_nan(x); }
VROCM_BOTH int __hisinf(__hip_bfloat16 x) { return x.__x == 0x7f80u ? 1 : x.__x == 0xff80u ? -1 : 0; }
VROCM_BOTH __hip_bfloat162 __hisnan2(__hip_bfloat162 x) {
    return hip_detail::bfloat162_of(__hisnan(x.x), __hisnan(x.y));
}

/* Minimum and maximum: a number wins against a NaN, except in the _nan forms. */
#define VROCM_BFLOAT16_MIN_MAX(name, compare, zero)                                           \
    VROCM_BOTH __hip_bfloat16 __h##name(__hip_bfloat16 a, __hip_bfloat16 b) {                 \
        if (__hisnan(a)) return b;                                                            \
        if (__hisnan(b)) return a;                                                            \
        /* -0 counts as less than +0. */                                                      \
        if (a.__x == (b.__x ^ 0x8000u) && (a.__x & 0x7fffu) == 0) return zero;                \
        return a compare b ? a : b;                                                           \
    }                                                                                         \
    VROCM_BOTH __hip_bfloat16 __h##name##_nan(__hip_bfloat16 a, __hip_bfloat16 b) {           \
        return __hisnan(a) || __hisnan(b) ? HIPRT_NAN_BF16 : __h##name(a, b);                 \
    }                                                                                         \
    VROCM_BOTH __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {           \
        return __hip_bfloat162(__h##name(a.x, b.x), __h##name(a.y, b.y));                     \
    }                                                                                         \
    VROCM_BOTH_EXTRA __hip_bfloat162 __h##name##2_nan(__hip_bfloat162 a, __hip_bfloat162 b) { \
        return __hip_bfloat162(__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y));         \
    }
VROCM_BFLOAT16_MIN_MAX(min, <, HIPRT_NEG_ZERO_BF16)
VROCM_BFLOAT16_MIN_MAX(max, >, HIPRT_ZERO_BF16)
#undef VROCM_BFLOAT16_MIN_MAX

#endif
