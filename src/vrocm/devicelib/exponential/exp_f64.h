// exp(r) for reduced arguments in f64, shared by the functions that are made from exponentials.
#pragma once

#include "common/double_double.h"
#include "common/polynomial.h"
#include "explog_coefficients.h"

// x = k ln 2 + r + lo with |r| <= ln(2)/2.
struct ExpReduced {
    f64 r, lo;
    i32 k;
};

// `lo` is the low part of x; for |x| up to a few thousand.
INLINE ExpReduced reduce_exponent(f64 x, f64 lo) {
    using namespace explog_coefficients;
    f64 k = rint(x * kLog2EHi);
    // The first product is exact inside the fma and cancels x: the difference needs no rounding.
    f64 r0 = fma(k, -kLn2Short, x);
    DoubleDouble r = two_sum(r0, k * -kLn2ShortRest);
    r = two_sum(r.hi, r.lo + lo);  // r may be as small as lo
    return {r.hi, r.lo, (i32)k};
}

// exp(r + lo) - 1 with the last addition left to do: the sum of hi and lo.
INLINE DoubleDouble expm1_parts(f64 r, f64 lo) {
    f64 z = r * r;
    f64 tail = fma(z * r, horner(r, explog_coefficients::kExpTailF64), fma(z, 0.5, lo));
    return {r, tail};
}

// exp(hi + lo) scaled; overflow and underflow by ldexp. For |hi| up to a few thousand.
INLINE f64 exp_extended(f64 hi, f64 lo) {
    ExpReduced e = reduce_exponent(hi, lo);
    DoubleDouble p = expm1_parts(e.r, e.lo);
    return hw::ldexp(1.0 + (p.hi + p.lo), e.k);
}

// (exp(x) - 1) / 2, for |x| < 1000: half, because sinh and the largest results of expm1 need it so. Twice
// 2^(k-2) (exp(r) - 1) + (2^(k-2) - 1/4), because 2^(k-1) may not exist.
INLINE f64 half_expm1(f64 x) {
    ExpReduced e = reduce_exponent(x, 0.0);
    DoubleDouble p = expm1_parts(e.r, e.lo);
    p = fast_two_sum(p.hi, p.lo);
    f64 scale = hw::ldexp(1.0, e.k - 2);
    DoubleDouble sum = two_sum(scale - 0.25, scale * p.hi);
    f64 quarter = sum.hi + fma(scale, p.lo, sum.lo);
    return quarter + quarter;
}
