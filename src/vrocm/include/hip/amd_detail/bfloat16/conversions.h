/* Conversions of __hip_bfloat16 and __hip_bfloat162. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_CONVERSIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_CONVERSIONS_H

#include <hip/amd_detail/bfloat16/types.h>

#include <limits>

#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)

#ifndef VROCM_BOTH
#define VROCM_BOTH static inline __host__ __device__
#define VROCM_BOTH_EXTRA    \
    template <class = void> \
    VROCM_BOTH
#endif

/* Bits. */
VROCM_BOTH short __bfloat16_as_short(__hip_bfloat16 x) { return static_cast<short>(x.__x); }
VROCM_BOTH unsigned short __bfloat16_as_ushort(__hip_bfloat16 x) { return x.__x; }
VROCM_BOTH __hip_bfloat16 __short_as_bfloat16(short x) {
    return hip_detail::bfloat16_raw(static_cast<unsigned short>(x));
}
VROCM_BOTH __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) { return hip_detail::bfloat16_raw(x); }

/* Float and double. */
VROCM_BOTH float __bfloat162float(__hip_bfloat16 x) { return x.as_float(); }
VROCM_BOTH __hip_bfloat16 __float2bfloat16(float x) {
    return hip_detail::bfloat16_raw(hip_detail::bfloat16_bits_from(x));
}
VROCM_BOTH_EXTRA __hip_bfloat16 __float2bfloat16_rn(float x) { return __float2bfloat16(x); }
VROCM_BOTH_EXTRA __hip_bfloat16 __float2bfloat16_rz(float x) {
    return hip_detail::bfloat16_raw(hip_detail::bfloat16_bits_rounded_to_zero(x));
}
VROCM_BOTH_EXTRA __hip_bfloat16 __float2bfloat16_rd(float x) {
    return hip_detail::bfloat16_raw(hip_detail::bfloat16_bits_rounded_away(x, true));
}
VROCM_BOTH_EXTRA __hip_bfloat16 __float2bfloat16_ru(float x) {
    return hip_detail::bfloat16_raw(hip_detail::bfloat16_bits_rounded_away(x, false));
}
VROCM_BOTH __hip_bfloat16 __double2bfloat16(double x) {
    return hip_detail::bfloat16_raw(hip_detail::bfloat16_bits_from(x));
}

/* Pairs. */
VROCM_BOTH_EXTRA __hip_bfloat162 make_bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) { return __hip_bfloat162(x, y); }
VROCM_BOTH __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) { return __hip_bfloat162(x, y); }
VROCM_BOTH __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 x) { return __hip_bfloat162(x, x); }
VROCM_BOTH __hip_bfloat16 __low2bfloat16(__hip_bfloat162 x) { return x.x; }
VROCM_BOTH __hip_bfloat16 __high2bfloat16(__hip_bfloat162 x) { return x.y; }
VROCM_BOTH __hip_bfloat162 __low2bfloat162(__hip_bfloat162 x) { return __hip_bfloat162(x.x, x.x); }
VROCM_BOTH __hip_bfloat162 __high2bfloat162(__hip_bfloat162 x) { return __hip_bfloat162(x.y, x.y); }
VROCM_BOTH __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 x, __hip_bfloat162 y) { return __hip_bfloat162(x.x, y.x); }
VROCM_BOTH __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 x, __hip_bfloat162 y) { return __hip_bfloat162(x.y, y.y); }
VROCM_BOTH __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162 x) { return __hip_bfloat162(x.y, x.x); }
VROCM_BOTH float __low2float(__hip_bfloat162 x) { return x.x.as_float(); }
VROCM_BOTH float __high2float(__hip_bfloat162 x) { return x.y.as_float(); }
VROCM_BOTH float2 __bfloat1622float2(__hip_bfloat162 x) { return float2(x.x.as_float(), x.y.as_float()); }
VROCM_BOTH_EXTRA __hip_bfloat162 __float2bfloat162_rn(float x) { return __bfloat162bfloat162(__float2bfloat16(x)); }
VROCM_BOTH_EXTRA __hip_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return __hip_bfloat162(__float2bfloat16(x), __float2bfloat16(y));
}
VROCM_BOTH __hip_bfloat162 __float22bfloat162_rn(float2 x) { return __floats2bfloat162_rn(x.x, x.y); }

/* Integers. Values out of range saturate, a NaN is 0. */
namespace hip_detail {
template <class I>
VROCM_BOTH I whole_from_bfloat16(float x) {
    if (x != x) return 0;
    /* The largest integer rounds up to a power of two, which is already out of range. */
    if (x >= static_cast<float>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
    if (x <= static_cast<float>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
    return static_cast<I>(x);
}
}  // namespace hip_detail
#define VROCM_BFLOAT16_INTEGER(I, name)                                            \
    VROCM_BOTH_EXTRA I __bfloat162##name##_rn(__hip_bfloat16 x) {                  \
        return hip_detail::whole_from_bfloat16<I>(__builtin_rintf(x.as_float()));  \
    }                                                                              \
    VROCM_BOTH_EXTRA I __bfloat162##name##_rd(__hip_bfloat16 x) {                  \
        return hip_detail::whole_from_bfloat16<I>(__builtin_floorf(x.as_float())); \
    }                                                                              \
    VROCM_BOTH_EXTRA I __bfloat162##name##_ru(__hip_bfloat16 x) {                  \
        return hip_detail::whole_from_bfloat16<I>(__builtin_ceilf(x.as_float()));  \
    }                                                                              \
    VROCM_BOTH_EXTRA I __bfloat162##name##_rz(__hip_bfloat16 x) {                  \
        return hip_detail::whole_from_bfloat16<I>(x.as_float());                   \
    }                                                                              \
    VROCM_BOTH_EXTRA __hip_bfloat16 __##name##2bfloat16_rn(I x) { return __double2bfloat16(static_cast<double>(x)); }
VROCM_BFLOAT16_INTEGER(int, int)
VROCM_BFLOAT16_INTEGER(unsigned int, uint)
VROCM_BFLOAT16_INTEGER(short, short)
VROCM_BFLOAT16_INTEGER(unsigned short, ushort)
VROCM_BFLOAT16_INTEGER(long long, ll)
VROCM_BFLOAT16_INTEGER(unsigned long long, ull)
#undef VROCM_BFLOAT16_INTEGER

#endif
