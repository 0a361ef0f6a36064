/* Conversions of __half and __half2. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HALF_CONVERSIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HALF_CONVERSIONS_H

#include <hip/amd_detail/half/types.h>

#include <limits>

#define HIPRT_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define HIPRT_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define HIPRT_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define HIPRT_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define HIPRT_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define HIPRT_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define HIPRT_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)

#define VROCM_BOTH static inline __host__ __device__
/* For what AMD's headers do not have: a program's own function of the same name is the better match. */
#define VROCM_BOTH_EXTRA    \
    template <class = void> \
    VROCM_BOTH

/* Bits. */
VROCM_BOTH short __half_as_short(__half x) { return static_cast<short>(x.__x); }
VROCM_BOTH unsigned short __half_as_ushort(__half x) { return x.__x; }
VROCM_BOTH __half __short_as_half(short x) { return hip_detail::half_raw(static_cast<unsigned short>(x)); }
VROCM_BOTH __half __ushort_as_half(unsigned short x) { return hip_detail::half_raw(x); }

/* Float and double. */
VROCM_BOTH float __half2float(__half x) { return hip_detail::float_from_half_bits(x.__x); }
VROCM_BOTH __half __float2half(float x) { return hip_detail::half_raw(hip_detail::half_bits_from(x)); }
VROCM_BOTH __half __float2half_rn(float x) { return __float2half(x); }
VROCM_BOTH __half __float2half_rd(float x) { return hip_detail::half_raw(hip_detail::half_bits_rounded_down(x)); }
VROCM_BOTH __half __float2half_ru(float x) { return hip_detail::half_raw(hip_detail::half_bits_rounded_up(x)); }
VROCM_BOTH __half __float2half_rz(float x) { return hip_detail::half_raw(hip_detail::half_bits_rounded_to_zero(x)); }
VROCM_BOTH __half __double2half(double x) { return hip_detail::half_raw(hip_detail::half_bits_from(x)); }

/* Pairs. */
VROCM_BOTH __half2 make_half2(__half x, __half y) { return __half2(x, y); }
VROCM_BOTH __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
VROCM_BOTH __half2 __half2half2(__half x) { return __half2(x, x); }
VROCM_BOTH __half __low2half(__half2 x) { return x.x; }
VROCM_BOTH __half __high2half(__half2 x) { return x.y; }
VROCM_BOTH __half2 __low2half2(__half2 x) { return __half2(x.x, x.x); }
VROCM_BOTH __half2 __high2half2(__half2 x) { return __half2(x.y, x.y); }
VROCM_BOTH __half2 __lows2half2(__half2 x, __half2 y) { return __half2(x.x, y.x); }
VROCM_BOTH __half2 __highs2half2(__half2 x, __half2 y) { return __half2(x.y, y.y); }
VROCM_BOTH __half2 __lowhigh2highlow(__half2 x) { return __half2(x.y, x.x); }
VROCM_BOTH float __low2float(__half2 x) { return __half2float(x.x); }
VROCM_BOTH float __high2float(__half2 x) { return __half2float(x.y); }
VROCM_BOTH float2 __half22float2(__half2 x) { return float2(__half2float(x.x), __half2float(x.y)); }
VROCM_BOTH __half2 __float2half2_rn(float x) { return __half2half2(__float2half(x)); }
VROCM_BOTH __half2 __floats2half2_rn(float x, float y) { return __half2(__float2half(x), __float2half(y)); }
VROCM_BOTH __half2 __float22half2_rn(float2 x) { return __floats2half2_rn(x.x, x.y); }

/* Integers. Values out of range saturate, a NaN is 0. */
namespace hip_detail {
template <class I>
VROCM_BOTH I whole_from_float(float x) {
    if (x != x) return 0;
    /* 65504 is the largest half: only infinity can be out of range of the wide types. */
    if (x >= static_cast<float>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
    if (x <= static_cast<float>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
    return static_cast<I>(x);
}
VROCM_BOTH float rounded_down(float x) { return __builtin_floorf(x); }
VROCM_BOTH float rounded_up(float x) { return __builtin_ceilf(x); }
VROCM_BOTH float rounded_to_even(float x) { return __builtin_rintf(x); }
}  // namespace hip_detail
#define VROCM_HALF_INTEGER(I, name)                                                                        \
    VROCM_BOTH I __half2##name##_rn(__half x) {                                                            \
        return hip_detail::whole_from_float<I>(hip_detail::rounded_to_even(__half2float(x)));              \
    }                                                                                                      \
    VROCM_BOTH I __half2##name##_rd(__half x) {                                                            \
        return hip_detail::whole_from_float<I>(hip_detail::rounded_down(__half2float(x)));                 \
    }                                                                                                      \
    VROCM_BOTH I __half2##name##_ru(__half x) {                                                            \
        return hip_detail::whole_from_float<I>(hip_detail::rounded_up(__half2float(x)));                   \
    }                                                                                                      \
    VROCM_BOTH I __half2##name##_rz(__half x) { return hip_detail::whole_from_float<I>(__half2float(x)); } \
    VROCM_BOTH __half __##name##2half_rn(I x) {                                                            \
        return hip_detail::half_raw(hip_detail::half_bits_from(static_cast<double>(x)));                   \
    }                                                                                                      \
    VROCM_BOTH __half __##name##2half_rd(I x) {                                                            \
        return hip_detail::half_raw(hip_detail::half_bits_rounded_down(static_cast<double>(x)));           \
    }                                                                                                      \
    VROCM_BOTH __half __##name##2half_ru(I x) {                                                            \
        return hip_detail::half_raw(hip_detail::half_bits_rounded_up(static_cast<double>(x)));             \
    }                                                                                                      \
    VROCM_BOTH __half __##name##2half_rz(I x) {                                                            \
        return hip_detail::half_raw(hip_detail::half_bits_rounded_to_zero(static_cast<double>(x)));        \
    }
VROCM_HALF_INTEGER(int, int)
VROCM_HALF_INTEGER(unsigned int, uint)
VROCM_HALF_INTEGER(short, short)
VROCM_HALF_INTEGER(unsigned short, ushort)
VROCM_HALF_INTEGER(long long, ll)
VROCM_HALF_INTEGER(unsigned long long, ull)
#undef VROCM_HALF_INTEGER
VROCM_BOTH_EXTRA signed char __half2char_rz(__half x) {
    return hip_detail::whole_from_float<signed char>(__half2float(x));
}
VROCM_BOTH_EXTRA unsigned char __half2uchar_rz(__half x) {
    return hip_detail::whole_from_float<unsigned char>(__half2float(x));
}

#endif
