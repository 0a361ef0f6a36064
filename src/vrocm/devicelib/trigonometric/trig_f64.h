// Sine and cosine of reduced arguments in f64, shared by the functions that need them.
#pragma once

#include "common/polynomial.h"
#include "trig_reduction.h"

INLINE f64 flip_sign(f64 x, u64 sign_bits) { return from_bits(bits_of(x) ^ (sign_bits & 1ul << 63)); }
INLINE u64 sign_of_quadrant(i32 quadrant) { return (u64)(quadrant >> 1) << 63; }

// Both as unevaluated sums: the large part and what is to be added to it.
struct SineCosine {
    DoubleDouble sine, cosine;
};

INLINE SineCosine sine_cosine(f64 r, f64 lo) {
    f64 z = r * r;
    f64 sine = fma(z * r, horner(z, trig_coefficients::kSinF64), fma(-0.5 * z, lo, lo));
    f64 half = 0.5 * z;
    f64 base = 1.0 - half;
    f64 cosine = ((1.0 - base) - half) + fma(z * z, horner(z, trig_coefficients::kCosF64), -r * lo);
    return {{r, sine}, {base, cosine}};
}

// The sine of the reduced argument plus quadrant pi/2.
INLINE f64 choose(SineCosine s, i32 quadrant) {
    bool odd = quadrant & 1;
    f64 y = (odd ? s.cosine.hi : s.sine.hi) + (odd ? s.cosine.lo : s.sine.lo);
    return flip_sign(y, sign_of_quadrant(quadrant));
}

// x in half turns: the nearest multiple of 1/2 taken away exactly, the rest times pi.
INLINE ReducedF64 reduce_half_turns(f64 x) {
    bool fits = x < 0x1p+30;
    // Larger numbers lose whole turns first; from 2^53 on all are even and nothing remains.
    f64 t = fits ? x : 2.0 * hw::fract(0.5 * x);
    t = is_finite(x) ? t : quiet_nan<f64>();
    f64 k = rint(t + t);
    f64 f = fma(k, -0.5, t);
    DoubleDouble p = two_product(f, trig_coefficients::kPiHi);
    return {p.hi, fma(f, trig_coefficients::kPiLo, p.lo), (i32)k};
}
