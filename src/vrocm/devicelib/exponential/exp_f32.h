// Exponentials in f32 that several functions are made from.
#pragma once

#include "common/polynomial.h"
#include "explog_coefficients.h"

// (exp(x) - 1) / 2: half, because sinh and the largest results of expm1 need it so. Twice
// 2^(k-2) (exp(r) - 1) + (2^(k-2) - 1/4), x = k ln 2 + r, because 2^(k-1) may not exist. For |x| < 1000.
INLINE f32 half_expm1(f32 x) {
    using namespace explog_coefficients;
    f32 k = rint(x * kLog2EF32Hi);
    f32 r = fma(k, -kLn2ShortRestF32, fma(k, -kLn2ShortF32, x));
    f32 p = fma(r * r, horner(r, kExpm1TailF32), r);
    f32 scale = hw::ldexp(1.0f, (i32)k - 2);
    f32 quarter = fma(scale, p, scale - 0.25f);
    return quarter + quarter;
}
