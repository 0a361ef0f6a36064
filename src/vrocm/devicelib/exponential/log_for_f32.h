// A logarithm in f64 with the accuracy that an f32 result needs.
#pragma once

#include "common/double_double.h"
#include "common/polynomial.h"
#include "explog_coefficients.h"

// log(u) for finite u > 0 with about 34 good bits; `u_minus_1` is exact where u is close to 1.
INLINE f64 log_for_f32(f64 u, f64 u_minus_1) {
    using namespace explog_coefficients;
    f64 m = hw::frexp_mantissa(u);
    i32 e = hw::frexp_exponent(u);
    bool low = m < 2.0 / 3.0;
    m = hw::ldexp(m, low);
    e -= low;
    f64 f = e == 0 ? u_minus_1 : m - 1.0;
    f64 d = 2.0 + f;
    f64 r = hw::rcp(d);
    r = fma(fma(-d, r, 1.0), r, r);
    f64 s = f * r, z = s * s;
    f64 y = fma(s * z, horner(z, kLogTailForF32), s + s);
    return fma((f64)e, kLn2Hi, y);
}

INLINE f64 log_for_f32(f64 u) { return log_for_f32(u, u - 1.0); }
