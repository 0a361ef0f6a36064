/* Arithmetic and comparison functions of __half and __half2. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HALF_ARITHMETIC_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HALF_ARITHMETIC_H

#include <hip/amd_detail/half/conversions.h>

namespace hip_detail {
/* a * b + c rounded once. The product of two halves is exact in float, and a sum of such in double. */
VROCM_BOTH __half half_fma(__half a, __half b, __half c) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __half_raw{__builtin_fmaf16(a.data, b.data, c.data)};
#else
    const double product = static_cast<double>(__half2float(a)) * static_cast<double>(__half2float(b));
    return __double2half(product + static_cast<double>(__half2float(c)));
#endif
}
VROCM_BOTH __half half_saturated(__half x) {
    const float value = __half2float(x);
    return value > 0.0f ? (value < 1.0f ? x : __ushort_as_half(0x3c00)) : __ushort_as_half(0);
}
VROCM_BOTH __half2 half2_of(bool low, bool high) {
    return __half2(__ushort_as_half(low ? 0x3c00 : 0), __ushort_as_half(high ? 0x3c00 : 0));
}
VROCM_BOTH bool half_is_nan(__half x) { return (x.__x & 0x7fffu) > 0x7c00u; }
/* Operators that exist even when a program turns off those of the class. */
VROCM_BOTH __half half_add(__half a, __half b) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __half_raw{static_cast<_Float16>(a.data + b.data)};
#else
    return __float2half(__half2float(a) + __half2float(b));
#endif
}
VROCM_BOTH __half half_sub(__half a, __half b) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __half_raw{static_cast<_Float16>(a.data - b.data)};
#else
    return __float2half(__half2float(a) - __half2float(b));
#endif
}
VROCM_BOTH __half half_mul(__half a, __half b) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __half_raw{static_cast<_Float16>(a.data * b.data)};
#else
    return __float2half(__half2float(a) * __half2float(b));
#endif
}
VROCM_BOTH __half half_div(__half a, __half b) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __half_raw{static_cast<_Float16>(a.data / b.data)};
#else
    return __float2half(__half2float(a) / __half2float(b));
#endif
}
}  // namespace hip_detail

#if defined(__HIP_DEVICE_COMPILE__)
#define VROCM_HALF2_BINARY(op, function, a, b) __half2((a).data op(b).data)
#else
#define VROCM_HALF2_BINARY(op, function, a, b) __half2(function((a).x, (b).x), function((a).y, (b).y))
#endif
#define VROCM_HALF_BINARY(name, function, op)                                                         \
    VROCM_BOTH __half __h##name(__half a, __half b) { return hip_detail::function(a, b); }            \
    VROCM_BOTH_EXTRA __half __h##name##_rn(__half a, __half b) { return hip_detail::function(a, b); } \
    VROCM_BOTH __half __h##name##_sat(__half a, __half b) {                                           \
        return hip_detail::half_saturated(hip_detail::function(a, b));                                \
    }                                                                                                 \
    VROCM_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                                           \
        return VROCM_HALF2_BINARY(op, hip_detail::function, a, b);                                    \
    }                                                                                                 \
    VROCM_BOTH_EXTRA __half2 __h##name##2_rn(__half2 a, __half2 b) { return __h##name##2(a, b); }     \
    VROCM_BOTH __half2 __h##name##2_sat(__half2 a, __half2 b) {                                       \
        return __half2(__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y));                         \
    }
VROCM_HALF_BINARY(add, half_add, +)
VROCM_HALF_BINARY(sub, half_sub, -)
VROCM_HALF_BINARY(mul, half_mul, *)
#undef VROCM_HALF_BINARY
VROCM_BOTH __half __hdiv(__half a, __half b) { return hip_detail::half_div(a, b); }
VROCM_BOTH __half2 __h2div(__half2 a, __half2 b) { return VROCM_HALF2_BINARY(/, hip_detail::half_div, a, b); }
#undef VROCM_HALF2_BINARY

VROCM_BOTH __half __hfma(__half a, __half b, __half c) { return hip_detail::half_fma(a, b, c); }
VROCM_BOTH __half __hfma_sat(__half a, __half b, __half c) {
    return hip_detail::half_saturated(hip_detail::half_fma(a, b, c));
}
VROCM_BOTH_EXTRA __half __hfma_relu(__half a, __half b, __half c) {
    const __half result = hip_detail::half_fma(a, b, c);
    return __half2float(result) < 0.0f ? __ushort_as_half(0) : result;
}
VROCM_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __half2(__builtin_elementwise_fma(a.data, b.data, c.data));
#else
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}
VROCM_BOTH __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
    return __half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
VROCM_BOTH_EXTRA __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c) {
    return __half2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
VROCM_BOTH __half __hneg(__half x) { return __ushort_as_half(x.__x ^ 0x8000u); }
VROCM_BOTH __half __habs(__half x) { return __ushort_as_half(x.__x & 0x7fffu); }
VROCM_BOTH __half2 __hneg2(__half2 x) { return __half2(__hneg(x.x), __hneg(x.y)); }
VROCM_BOTH __half2 __habs2(__half2 x) { return __half2(__habs(x.x), __habs(x.y)); }

/* Comparisons: false with a NaN; those ending in u are true with a NaN. */
#define VROCM_HALF_COMPARISON(name, op)                                                                               \
    VROCM_BOTH bool __h##name(__half a, __half b) { return __half2float(a) op __half2float(b); }                      \
    VROCM_BOTH bool __h##name##u(__half a, __half b) {                                                                \
        return hip_detail::half_is_nan(a) || hip_detail::half_is_nan(b) || __half2float(a) op __half2float(b);        \
    }                                                                                                                 \
    VROCM_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                                                           \
        return hip_detail::half2_of(__h##name(a.x, b.x), __h##name(a.y, b.y));                                        \
    }                                                                                                                 \
    VROCM_BOTH __half2 __h##name##u2(__half2 a, __half2 b) {                                                          \
        return hip_detail::half2_of(__h##name##u(a.x, b.x), __h##name##u(a.y, b.y));                                  \
    }                                                                                                                 \
    VROCM_BOTH bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }        \
    VROCM_BOTH bool __hb##name##u2(__half2 a, __half2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); } \
    VROCM_BOTH_EXTRA unsigned int __h##name##2_mask(__half2 a, __half2 b) {                                           \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                       \
    }
VROCM_HALF_COMPARISON(eq, ==)
VROCM_HALF_COMPARISON(lt, <)
VROCM_HALF_COMPARISON(le, <=)
VROCM_HALF_COMPARISON(gt, >)
VROCM_HALF_COMPARISON(ge, >=)
#undef VROCM_HALF_COMPARISON
VROCM_BOTH bool __hne(__half a, __half b) {
    return !hip_detail::half_is_nan(a) && !hip_detail::half_is_nan(b) && __half2float(a) != __half2float(b);
}
VROCM_BOTH bool __hneu(__half a, __half b) { return __half2float(a) != __half2float(b); }
VROCM_BOTH __half2 __hne2(__half2 a, __half2 b) { return hip_detail::half2_of(__hne(a.x, b.x), __hne(a.y, b.y)); }
VROCM_BOTH __half2 __hneu2(__half2 a, __half2 b) { return hip_detail::half2_of(__hneu(a.x, b.x), __hneu(a.y, b.y)); }
VROCM_BOTH bool __hbne2(__half2 a, __half2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
VROCM_BOTH bool __hbneu2(__half2 a, __half2 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }

VROCM_BOTH bool __hisnan(__half x) { return hip_detail::half_is_nan(x); }
VROCM_BOTH int __hisinf(__half x) { return x.__x == 0x7c00u ? 1 : x.__x == 0xfc00u ? -1 : 0; }
VROCM_BOTH __half2 __hisnan2(__half2 x) { return hip_detail::half2_of(__hisnan(x.x), __hisnan(x.y)); }
VROCM_BOTH bool __hisinf2(__half2 x) { return __hisinf(x.x) && __hisinf(x.y); }

/* Minimum and maximum: a number wins against a NaN, except in the _nan forms. */
#define VROCM_HALF_MIN_MAX(name, compare, zero)                                                  \
    VROCM_BOTH __half __h##name(__half a, __half b) {                                            \
        if (__hisnan(a)) return b;                                                               \
        if (__hisnan(b)) return a;                                                               \
        /* -0 counts as less than +0. */                                                         \
        if (a.__x == (b.__x ^ 0x8000u) && (a.__x & 0x7fffu) == 0) return __ushort_as_half(zero); \
        return __half2float(a) compare __half2float(b) ? a : b;                                  \
    }                                                                                            \
    VROCM_BOTH __half __h##name##_nan(__half a, __half b) {                                      \
        return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fff) : __h##name(a, b);          \
    }                                                                                            \
    VROCM_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                                      \
        return __half2(__h##name(a.x, b.x), __h##name(a.y, b.y));                                \
    }                                                                                            \
    VROCM_BOTH_EXTRA __half2 __h##name##2_nan(__half2 a, __half2 b) {                            \
        return __half2(__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y));                    \
    }
VROCM_HALF_MIN_MAX(min, <, 0x8000u)
VROCM_HALF_MIN_MAX(max, >, 0u)
#undef VROCM_HALF_MIN_MAX

#endif
