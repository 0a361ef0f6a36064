/* Conversions between 8-bit and wider floating point.
 *
 *             bias   largest        infinity   NaN
 * E4M3        7      448   0x7e     none       0x7f, 0xff
 * E5M2        15     57344 0x7b     0x7c       0x7d … 0x7f and negative
 * E4M3 FNUZ   8      240   0x7f     none       0x80; there is no negative zero
 * E5M2 FNUZ   16     57344 0x7f     none       0x80; there is no negative zero
 * (OCP 8-bit Floating Point Specification; AMD Instinct MI300 ISA, "Data formats")
 */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_FP8_CONVERSIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_FP8_CONVERSIONS_H

#include <hip/amd_detail/bfloat16/conversions.h>
#include <hip/amd_detail/half/conversions.h>

enum __hip_saturation_t {
    __HIP_NOSAT = 0,     /* too large becomes infinity or NaN */
    __HIP_SATFINITE = 1, /* too large becomes the largest number */
};
enum __hip_fp8_interpretation_t {
    __HIP_E4M3 = 0,
    __HIP_E5M2 = 1,
    __HIP_E4M3_FNUZ = 2,
    __HIP_E5M2_FNUZ = 3,
};
typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short int __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

namespace hip_detail {

VROCM_BOTH bool fp8_is_fnuz(__hip_fp8_interpretation_t format) { return format >= __HIP_E4M3_FNUZ; }
VROCM_BOTH int fp8_mantissa_bits(__hip_fp8_interpretation_t format) {
    return format == __HIP_E4M3 || format == __HIP_E4M3_FNUZ ? 3 : 2;
}
VROCM_BOTH int fp8_bias(__hip_fp8_interpretation_t format) {
    return (fp8_mantissa_bits(format) == 3 ? 7 : 15) + (fp8_is_fnuz(format) ? 1 : 0);
}
VROCM_BOTH unsigned int fp8_largest(__hip_fp8_interpretation_t format) {
    return fp8_is_fnuz(format) ? 0x7f : format == __HIP_E4M3 ? 0x7e : 0x7b;
}

VROCM_BOTH __hip_fp8_storage_t fp8_from_double(double value, bool saturate, __hip_fp8_interpretation_t format) {
    const unsigned long long bits = bits_of<unsigned long long>(value);
    const unsigned int sign = static_cast<unsigned int>(bits >> 56) & 0x80u;
    const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
    const unsigned long long fraction = bits & 0xfffffffffffffull;
    const bool is_nan = exponent == 1024 && fraction != 0;
    const unsigned int nan = fp8_is_fnuz(format) ? 0x80u : sign | 0x7fu;
    if (is_nan) return static_cast<__hip_fp8_storage_t>(nan);

    const int mantissa_bits = fp8_mantissa_bits(format);
    const int smallest = 1 - fp8_bias(format); /* exponent of the smallest normal number */
    unsigned long long magnitude = 0;
    if (exponent >= smallest - mantissa_bits - 1) {
        /* Below the smallest normal number one bit fewer stays for each power of two. */
        const bool normal = exponent >= smallest;
        const int cut = 52 - mantissa_bits + (normal ? 0 : smallest - exponent);
        const unsigned long long whole = fraction | (1ull << 52);
        magnitude = round_to_even(whole >> cut, whole & ((1ull << cut) - 1), 1ull << (cut - 1));
        /* The leading one counts as exponent 1. */
        if (normal) magnitude += static_cast<unsigned long long>(exponent - smallest) << mantissa_bits;
    }
    if (exponent > 100 || magnitude > fp8_largest(format)) {
        if (saturate) return static_cast<__hip_fp8_storage_t>(sign | fp8_largest(format));
        return static_cast<__hip_fp8_storage_t>(format == __HIP_E5M2 ? sign | 0x7cu : nan);
    }
    if (magnitude == 0 && fp8_is_fnuz(format)) return 0;
    return static_cast<__hip_fp8_storage_t>(sign | magnitude);
}

VROCM_BOTH float float_from_fp8(__hip_fp8_storage_t value, __hip_fp8_interpretation_t format) {
    const unsigned int sign = (value & 0x80u) << 24;
    const unsigned int magnitude = value & 0x7fu;
    if (fp8_is_fnuz(format) ? value == 0x80 : magnitude > (format == __HIP_E4M3 ? 0x7eu : 0x7cu))
        return bits_of<float>(sign | 0x7fc00000u);
    if (format == __HIP_E5M2 && magnitude == 0x7c) return bits_of<float>(sign | 0x7f800000u);
    const int mantissa_bits = fp8_mantissa_bits(format);
    const unsigned int exponent = magnitude >> mantissa_bits;
    const unsigned int fraction = magnitude & ((1u << mantissa_bits) - 1);
    const unsigned int scale_exponent = static_cast<unsigned int>(127 - fp8_bias(format));
    if (exponent != 0)
        return bits_of<float>(sign | ((exponent + scale_exponent) << 23) | (fraction << (23 - mantissa_bits)));
    /* A denormal is a multiple of the smallest one. */
    const float unit = bits_of<float>((scale_exponent + 1 - static_cast<unsigned int>(mantissa_bits)) << 23);
    return bits_of<float>(sign | bits_of<unsigned int>(static_cast<float>(fraction) * unit));
}

#if defined(__gfx942__)
/* The target's own instructions; they round to nearest even and make too large values NaN. */
VROCM_BOTH __hip_fp8_storage_t fp8_from_float(float value, bool saturate, __hip_fp8_interpretation_t format) {
    if (!fp8_is_fnuz(format)) return fp8_from_double(value, saturate, format);
    const float largest = format == __HIP_E4M3_FNUZ ? 240.0f : 57344.0f;
    if (saturate && !__builtin_isnan(value)) value = __builtin_amdgcn_fmed3f(value, largest, -largest);
    const int packed = format == __HIP_E4M3_FNUZ ? __builtin_amdgcn_cvt_pk_fp8_f32(value, value, 0, false)
                                                 : __builtin_amdgcn_cvt_pk_bf8_f32(value, value, 0, false);
    return static_cast<__hip_fp8_storage_t>(packed);
}
VROCM_BOTH float float_from_fp8_fast(__hip_fp8_storage_t value, __hip_fp8_interpretation_t format) {
    if (format == __HIP_E4M3_FNUZ) return __builtin_amdgcn_cvt_f32_fp8(value, 0);
    if (format == __HIP_E5M2_FNUZ) return __builtin_amdgcn_cvt_f32_bf8(value, 0);
    return float_from_fp8(value, format);
}
#else
VROCM_BOTH __hip_fp8_storage_t fp8_from_float(float value, bool saturate, __hip_fp8_interpretation_t format) {
    return fp8_from_double(value, saturate, format);
}
VROCM_BOTH float float_from_fp8_fast(__hip_fp8_storage_t value, __hip_fp8_interpretation_t format) {
    return float_from_fp8(value, format);
}
#endif

VROCM_BOTH __hip_fp8x2_storage_t fp8_pair(__hip_fp8_storage_t low, __hip_fp8_storage_t high) {
    return static_cast<__hip_fp8x2_storage_t>(low | (high << 8));
}

}  // namespace hip_detail

VROCM_BOTH __hip_fp8_storage_t __hip_cvt_float_to_fp8(const float f, const __hip_saturation_t sat,
                                                      const __hip_fp8_interpretation_t type) {
    return hip_detail::fp8_from_float(f, sat == __HIP_SATFINITE, type);
}
VROCM_BOTH __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(const float2 f2, const __hip_saturation_t sat,
                                                           const __hip_fp8_interpretation_t type) {
    return hip_detail::fp8_pair(__hip_cvt_float_to_fp8(f2.x, sat, type), __hip_cvt_float_to_fp8(f2.y, sat, type));
}
VROCM_BOTH __hip_fp8_storage_t __hip_cvt_double_to_fp8(const double d, const __hip_saturation_t sat,
                                                       const __hip_fp8_interpretation_t type) {
    return hip_detail::fp8_from_double(d, sat == __HIP_SATFINITE, type);
}
VROCM_BOTH __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(const double2 d2, const __hip_saturation_t sat,
                                                            const __hip_fp8_interpretation_t type) {
    return hip_detail::fp8_pair(__hip_cvt_double_to_fp8(d2.x, sat, type), __hip_cvt_double_to_fp8(d2.y, sat, type));
}
VROCM_BOTH __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(const __half_raw x, const __hip_saturation_t sat,
                                                        const __hip_fp8_interpretation_t type) {
    return __hip_cvt_float_to_fp8(__half2float(__half(x)), sat, type);
}
VROCM_BOTH __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __hip_saturation_t sat,
                                                             const __hip_fp8_interpretation_t type) {
    return __hip_cvt_float2_to_fp8x2(__half22float2(__half2(x)), sat, type);
}
VROCM_BOTH __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(const __hip_bfloat16_raw hr, const __hip_saturation_t sat,
                                                            const __hip_fp8_interpretation_t type) {
    return __hip_cvt_float_to_fp8(__bfloat162float(__hip_bfloat16(hr)), sat, type);
}
VROCM_BOTH __hip_fp8x2_storage_t __hip_cvt_bfloat16raw2_to_fp8x2(const __hip_bfloat162_raw hr,
                                                                 const __hip_saturation_t sat,
                                                                 const __hip_fp8_interpretation_t type) {
    return __hip_cvt_float2_to_fp8x2(__bfloat1622float2(__hip_bfloat162(hr)), sat, type);
}
VROCM_BOTH __half_raw __hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t x, const __hip_fp8_interpretation_t type) {
    return __float2half(hip_detail::float_from_fp8_fast(x, type));
}
VROCM_BOTH __half2_raw __hip_cvt_fp8x2_to_halfraw2(const __hip_fp8x2_storage_t x,
                                                   const __hip_fp8_interpretation_t type) {
    return __half2(__hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x), type),
                   __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x >> 8), type));
}

#endif
