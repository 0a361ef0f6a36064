// Bit patterns, classification and overloaded one-instruction operations for f16, f32 and f64.
#pragma once

#include "hardware.h"

INLINE u16 bits_of(f16 x) { return __builtin_bit_cast(u16, x); }
INLINE u32 bits_of(f32 x) { return __builtin_bit_cast(u32, x); }
INLINE u64 bits_of(f64 x) { return __builtin_bit_cast(u64, x); }
INLINE f16 from_bits(u16 b) { return __builtin_bit_cast(f16, b); }
INLINE f32 from_bits(u32 b) { return __builtin_bit_cast(f32, b); }
INLINE f64 from_bits(u64 b) { return __builtin_bit_cast(f64, b); }

INLINE f16 fma(f16 a, f16 b, f16 c) { return __builtin_fmaf16(a, b, c); }
INLINE f32 fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
INLINE f64 fma(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
INLINE f16 fabs(f16 x) { return __builtin_fabsf16(x); }
INLINE f32 fabs(f32 x) { return __builtin_fabsf(x); }
INLINE f64 fabs(f64 x) { return __builtin_fabs(x); }
INLINE f16 copysign(f16 x, f16 s) { return __builtin_copysignf16(x, s); }
INLINE f32 copysign(f32 x, f32 s) { return __builtin_copysignf(x, s); }
INLINE f64 copysign(f64 x, f64 s) { return __builtin_copysign(x, s); }
INLINE f16 rint(f16 x) { return __builtin_rintf16(x); }
INLINE f32 rint(f32 x) { return __builtin_rintf(x); }
INLINE f64 rint(f64 x) { return __builtin_rint(x); }
INLINE f16 trunc(f16 x) { return __builtin_truncf16(x); }
INLINE f32 trunc(f32 x) { return __builtin_truncf(x); }
INLINE f64 trunc(f64 x) { return __builtin_trunc(x); }
INLINE f16 floor(f16 x) { return __builtin_floorf16(x); }
INLINE f32 floor(f32 x) { return __builtin_floorf(x); }
INLINE f64 floor(f64 x) { return __builtin_floor(x); }
INLINE f16 fmin(f16 x, f16 y) { return __builtin_fminf16(x, y); }
INLINE f32 fmin(f32 x, f32 y) { return __builtin_fminf(x, y); }
INLINE f64 fmin(f64 x, f64 y) { return __builtin_fmin(x, y); }
INLINE f16 fmax(f16 x, f16 y) { return __builtin_fmaxf16(x, y); }
INLINE f32 fmax(f32 x, f32 y) { return __builtin_fmaxf(x, y); }
INLINE f64 fmax(f64 x, f64 y) { return __builtin_fmax(x, y); }
// Correctly rounded.
INLINE f16 sqrt_rn(f16 x) { return __builtin_sqrtf16(x); }
INLINE f32 sqrt_rn(f32 x) { return __builtin_sqrtf(x); }
INLINE f64 sqrt_rn(f64 x) { return __builtin_sqrt(x); }

template <typename T>
struct Format;
template <>
struct Format<f16> {
    using Bits = u16;
    static constexpr i32 mantissa_bits = 10, max_exponent = 16, min_exponent = -13;
    static constexpr Bits sign = 0x8000, infinity = 0x7c00, quiet_nan = 0x7e00;
};
template <>
struct Format<f32> {
    using Bits = u32;
    static constexpr i32 mantissa_bits = 23, max_exponent = 128, min_exponent = -125;
    static constexpr Bits sign = 0x80000000u, infinity = 0x7f800000u, quiet_nan = 0x7fc00000u;
};
template <>
struct Format<f64> {
    using Bits = u64;
    static constexpr i32 mantissa_bits = 52, max_exponent = 1024, min_exponent = -1021;
    static constexpr Bits sign = 1ul << 63, infinity = 0x7ffull << 52, quiet_nan = 0x7ff8ull << 48;
};

template <typename T>
INLINE T infinity() {
    return from_bits(Format<T>::infinity);
}
template <typename T>
INLINE T quiet_nan() {
    return from_bits(Format<T>::quiet_nan);
}
template <typename T>
INLINE bool is_nan(T x) {
    return __builtin_isnan(x);
}
template <typename T>
INLINE bool is_inf(T x) {
    return __builtin_isinf(x);
}
template <typename T>
INLINE bool is_finite(T x) {
    return __builtin_isfinite(x);
}
template <typename T>
INLINE bool sign_bit(T x) {
    return (bits_of(x) & Format<T>::sign) != 0;
}
