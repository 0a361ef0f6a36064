// Parts of the error functions in f64 that their inverses need too.
#pragma once

#include "error_coefficients.h"
#include "exponential/exp_f64.h"

// exp(x^2) erfc(x) for x >= 0 (Shepherd and Laframboise, Math. Comp. 36, 1981).
INLINE f64 erfcx_positive(f64 x) {
    f64 r = fast_reciprocal(x + 4.0);
    f64 q = (x - 4.0) * r;
    q = fma(fma(-q, x + 4.0, x - 4.0), r, q);
    return fast_divide(horner(q, error_coefficients::kErfcxF64), fma(x, 2.0, 1.0));
}

// factor * exp(hi + lo) * 2^exponent, scaled last so that a denormal result is rounded once.
INLINE f64 times_exp(f64 factor, f64 hi, f64 lo, i32 exponent = 0) {
    ExpReduced e = reduce_exponent(hi, lo);
    DoubleDouble p = expm1_parts(e.r, e.lo);
    f64 sum = p.hi + p.lo;
    return hw::ldexp(fma(factor, sum, factor), e.k + exponent);
}
