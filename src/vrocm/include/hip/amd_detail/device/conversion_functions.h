/* Conversions with a stated rounding, and reinterpretation of bits. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_CONVERSION_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_CONVERSION_FUNCTIONS_H

#include <vrocm/device/library_functions.h>

/* Bits. */
VROCM_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
VROCM_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
VROCM_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
VROCM_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
VROCM_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
VROCM_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
VROCM_DEVICE int __double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
VROCM_DEVICE int __double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
VROCM_DEVICE double __hiloint2double(int hi, int lo) {
    return __builtin_bit_cast(double, ((unsigned long long)(unsigned)hi << 32) | (unsigned)lo);
}

/* Floating point to integer. The hardware saturates; in C++ a value out of range is undefined, so ask for it. */
template <class I, class F>
VROCM_DEVICE I vrocm_saturating_cast(F x) {
    if (__builtin_isnan(x)) return 0;
    const I lowest = (I)-1 < 0 ? (I)((unsigned long long)1 << (sizeof(I) * 8 - 1)) : 0;
    const I highest = (I)~lowest;
    /* 2^(bits) is exact in both float types; comparing against it decides what fits. */
    const F limit = (I)-1 < 0 ? (F)(1ull << (sizeof(I) * 8 - 1)) : (F)(1ull << (sizeof(I) * 8 - 1)) * 2;
    if (x >= limit) return highest;
    if (x <= (F)lowest) return lowest;
    return (I)x;
}
#define VROCM_TO_INTEGER(name, F, I)                                                                           \
    VROCM_DEVICE I __##name##_rd(F x) { return vrocm_saturating_cast<I>(__builtin_elementwise_floor(x)); }     \
    VROCM_DEVICE I __##name##_rn(F x) { return vrocm_saturating_cast<I>(__builtin_elementwise_roundeven(x)); } \
    VROCM_DEVICE I __##name##_ru(F x) { return vrocm_saturating_cast<I>(__builtin_elementwise_ceil(x)); }      \
    VROCM_DEVICE I __##name##_rz(F x) { return vrocm_saturating_cast<I>(x); }
VROCM_TO_INTEGER(float2int, float, int)
VROCM_TO_INTEGER(float2uint, float, unsigned int)
VROCM_TO_INTEGER(float2ll, float, long long)
VROCM_TO_INTEGER(float2ull, float, unsigned long long)
VROCM_TO_INTEGER(double2int, double, int)
VROCM_TO_INTEGER(double2uint, double, unsigned int)
VROCM_TO_INTEGER(double2ll, double, long long)
VROCM_TO_INTEGER(double2ull, double, unsigned long long)
#undef VROCM_TO_INTEGER

/* To a narrower format with a direction: round to nearest, then step once if that went the wrong way. `back` is the
 * wider type in which the comparison is exact. */
template <class F, class W>
VROCM_DEVICE F vrocm_round_down(W exact, F nearest, bool went_up) {
    (void)exact;
    if (!went_up) return nearest;
    return sizeof(F) == 4 ? (F)__ocml_nextafter_f32((float)nearest, -__builtin_inff())
                          : (F)__ocml_nextafter_f64((double)nearest, -__builtin_inf());
}
template <class F, class W>
VROCM_DEVICE F vrocm_round_up(W exact, F nearest, bool went_down) {
    (void)exact;
    if (!went_down) return nearest;
    return sizeof(F) == 4 ? (F)__ocml_nextafter_f32((float)nearest, __builtin_inff())
                          : (F)__ocml_nextafter_f64((double)nearest, __builtin_inf());
}
/* Whether the float, which is a rounded integer, is above (1), below (-1) or equal to it. */
template <class F, class I>
VROCM_DEVICE int vrocm_compare_to_integer(F value, I exact) {
    const F limit = (I)-1 < 0 ? (F)(1ull << (sizeof(I) * 8 - 1)) : (F)(1ull << (sizeof(I) * 8 - 1)) * 2;
    if (value >= limit) return 1;
    const I back = (I)value;
    return back > exact ? 1 : back < exact ? -1 : 0;
}
#define VROCM_FROM_INTEGER(name, I, F)                                                                             \
    VROCM_DEVICE F __##name##_rn(I x) { return (F)x; }                                                             \
    VROCM_DEVICE F __##name##_rd(I x) { return vrocm_round_down(x, (F)x, vrocm_compare_to_integer((F)x, x) > 0); } \
    VROCM_DEVICE F __##name##_ru(I x) { return vrocm_round_up(x, (F)x, vrocm_compare_to_integer((F)x, x) < 0); }   \
    VROCM_DEVICE F __##name##_rz(I x) { return x < 0 ? __##name##_ru(x) : __##name##_rd(x); }
VROCM_FROM_INTEGER(int2float, int, float)
VROCM_FROM_INTEGER(uint2float, unsigned int, float)
VROCM_FROM_INTEGER(ll2float, long long, float)
VROCM_FROM_INTEGER(ull2float, unsigned long long, float)
VROCM_FROM_INTEGER(ll2double, long long, double)
VROCM_FROM_INTEGER(ull2double, unsigned long long, double)
#undef VROCM_FROM_INTEGER
VROCM_DEVICE double __int2double_rn(int x) { return x; }
VROCM_DEVICE double __uint2double_rn(unsigned int x) { return x; }

VROCM_DEVICE float __double2float_rn(double x) { return (float)x; }
VROCM_DEVICE float __double2float_rd(double x) { return vrocm_round_down(x, (float)x, (double)(float)x > x); }
VROCM_DEVICE float __double2float_ru(double x) { return vrocm_round_up(x, (float)x, (double)(float)x < x); }
VROCM_DEVICE float __double2float_rz(double x) { return x < 0 ? __double2float_ru(x) : __double2float_rd(x); }

#endif
