// Arguments of trigonometric functions brought into [-pi/4, pi/4].
//
// Up to 2^30 multiples of pi/2 are taken away with fma. Beyond, the method of Payne and Hanek: multiply the
// mantissa as an integer by the 192 (f32: 96) bits of 2/pi that decide the result modulo 4, and keep what is
// below one quarter turn.
#pragma once

#include "common/double_double.h"
#include "trig_coefficients.h"

struct ReducedF32 {
    f64 r;
    i32 quadrant;
};

struct ReducedF64 {
    f64 hi, lo;
    i32 quadrant;
};

namespace reduction {

// 32 bits of 2/pi that start `position` bits after the first bit of the table.
INLINE u32 two_over_pi_bits(u32 position) {
    u32 word = position >> 5, shift = position & 31;
    u64 pair = (u64)trig_coefficients::kTwoOverPiBits[word] << 32 | trig_coefficients::kTwoOverPiBits[word + 1];
    return (u32)(pair << shift >> 32);
}

INLINE u64 two_over_pi_bits64(u32 position) {
    return (u64)two_over_pi_bits(position) << 32 | two_over_pi_bits(position + 32);
}

INLINE u64 high_product(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }

// For finite x >= 2^30.
INLINE ReducedF32 large_f32(f32 x) {
    u32 bits = bits_of(x);
    u32 m = (bits & 0x7fffff) | 0x800000;
    i32 e = (i32)(bits >> 23) - 150;  // x = m 2^e
    // Bits of 2/pi with weight 2^2 and more (after scaling by 2^e) only add multiples of 4 quarter turns.
    u32 start = 64 + e - 2;
    u64 low = (u64)m * two_over_pi_bits(start + 64);
    u64 middle = (u64)m * two_over_pi_bits(start + 32) + (low >> 32);
    u32 high = m * two_over_pi_bits(start) + (u32)(middle >> 32);
    u64 quarters = (u64)high << 32 | (u32)middle;  // two bits before the point
    i64 fraction = (i64)(quarters << 2 | (u32)low >> 30);
    f64 f = fma((f64)(i32)(fraction >> 32), 0x1p-32, (f64)(u32)fraction * 0x1p-64);
    return {f * trig_coefficients::kHalfPiHi, (i32)(quarters >> 62) + (fraction < 0 ? 1 : 0)};
}

// For finite x >= 2^30.
INLINE ReducedF64 large_f64(f64 x) {
    u64 bits = bits_of(x);
    u64 m = (bits & 0xfffffffffffff) | 1ul << 52;
    i32 e = (i32)(bits >> 52) - 1075;
    u32 start = 64 + e - 2;
    u64 a = two_over_pi_bits64(start), b = two_over_pi_bits64(start + 64), c = two_over_pi_bits64(start + 128);
    u64 mb = m * b, carry = high_product(m, c);
    u64 low = mb + carry;
    u64 high = m * a + high_product(m, b) + (low < carry ? 1 : 0);
    i64 f1 = (i64)(high << 2 | low >> 62);
    u64 f0 = low << 2;
    // Four exact pieces of the fraction, of 32 bits each.
    DoubleDouble top = two_sum((f64)(i32)(f1 >> 32) * 0x1p-32, (f64)(u32)f1 * 0x1p-64);
    f64 rest = fma((f64)(u32)(f0 >> 32), 0x1p-96, (f64)(u32)f0 * 0x1p-128);
    DoubleDouble f = two_sum(top.hi, rest);
    f = fast_two_sum(f.hi, f.lo + top.lo);
    DoubleDouble r = f * DoubleDouble{trig_coefficients::kHalfPiHi, trig_coefficients::kHalfPiLo};
    return {r.hi, r.lo, (i32)(high >> 62) + (f1 < 0 ? 1 : 0)};
}

}  // namespace reduction

// For x >= 0; infinity and NaN give NaN.
INLINE ReducedF32 reduce_quarter_turns(f32 x) {
    using namespace trig_coefficients;
    if (__builtin_expect(!(x < 0x1p+30f), 0)) {
        if (!is_finite(x)) return {quiet_nan<f64>(), 0};
        return reduction::large_f32(x);
    }
    f64 k = rint((f64)x * kTwoOverPi);
    // x - k pi/2 is exact after the first fma: both are multiples of the last bit of the constant.
    f64 r = fma(k, -kHalfPiLo, fma(k, -kHalfPiHi, (f64)x));
    return {r, (i32)k};
}

INLINE ReducedF64 reduce_quarter_turns(f64 x) {
    using namespace trig_coefficients;
    if (__builtin_expect(!(x < 0x1p+30), 0)) {
        if (!is_finite(x)) return {quiet_nan<f64>(), 0.0, 0};
        return reduction::large_f64(x);
    }
    f64 k = rint(x * kTwoOverPi);
    f64 r0 = fma(k, -kHalfPiHi, x);  // exact
    DoubleDouble p = two_product(k, kHalfPiLo);
    DoubleDouble r = two_sum(r0, -p.hi);
    f64 lo = (r.lo - p.lo) - k * kHalfPiLo2;
    r = fast_two_sum(r.hi, lo);
    return {r.hi, r.lo, (i32)k};
}
