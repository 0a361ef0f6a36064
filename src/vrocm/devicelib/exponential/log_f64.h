// Logarithms in f64, shared by the functions that are made from them.
#pragma once

#include "common/double_double.h"
#include "common/polynomial.h"
#include "explog_coefficients.h"

// x = m 2^e with m in [2/3, 4/3).
struct LogReduced {
    f64 m;
    i32 e;
};

INLINE LogReduced reduce_mantissa(f64 x) {
    f64 m = hw::frexp_mantissa(x);
    i32 e = hw::frexp_exponent(x);
    bool low = m < 2.0 / 3.0;
    return {hw::ldexp(m, low), e - low};
}

// log(1 + f) = f - half_square + rest for f in [-1/3, 1/3], where the first two terms are the large ones.
struct LogParts {
    f64 f, half_square, rest;
};

INLINE LogParts log_parts(f64 f) {
    f64 d = 2.0 + f;
    f64 r = hw::rcp(d);
    r = fma(fma(-d, r, 1.0), r, r);
    f64 s = f * r;
    s = fma(fma(-d, s, f), r, s);
    f64 z = s * s;
    f64 half_square = 0.5 * f * f;
    return {f, half_square, s * fma(z, horner(z, explog_coefficients::kLogTailF64), half_square)};
}

// log(hi + lo) of a positive normal number as a double-double with a relative error of about 2^-68.
INLINE DoubleDouble log_extended(f64 hi, f64 lo) {
    using namespace explog_coefficients;
    LogReduced x = reduce_mantissa(hi);
    f64 l = hw::ldexp(lo, -x.e);
    DoubleDouble n = fast_two_sum(x.m - 1.0, l);  // m - 1 is exact, and 0 or larger than l
    DoubleDouble d = two_sum(x.m, 1.0);
    d.lo += l;
    DoubleDouble s = n / d;
    DoubleDouble z = s * s;
    // 2 s + 2/3 s^3 + s^5 P(z), where f64 is enough for the last term.
    f64 tail = horner(z.hi, kLogTailExtended) * z.hi;
    DoubleDouble cubic = z * fast_two_sum(0x1.5555555555555p-1, 0x1.5555555555555p-55 + tail);
    DoubleDouble factor = fast_two_sum(2.0, cubic.hi);
    factor.lo += cubic.lo;
    f64 e = (f64)x.e;
    return fast_two_sum(e * kLn2Short, e * kLn2ShortRest) + s * factor;
}

// log(1 + x) for finite x > -1: the rounding error of 1 + x enters as a first-order correction.
INLINE f64 log1p_core(f64 x) {
    using namespace explog_coefficients;
    DoubleDouble sum = two_sum(1.0, x);
    LogReduced r = reduce_mantissa(sum.hi);
    // Without an exponent to add, x itself is the argument and there is no error to correct.
    bool direct = r.e == 0;
    LogParts p = log_parts(direct ? x : r.m - 1.0);
    f64 correction = direct ? 0.0 : hw::ldexp(sum.lo, -r.e) * (1.0 - p.f);  // over m, as far as it matters
    f64 e = (f64)r.e;
    return fma(e, kLn2Short, p.f - (p.half_square - (fma(e, kLn2ShortRest, p.rest) + correction)));
}
