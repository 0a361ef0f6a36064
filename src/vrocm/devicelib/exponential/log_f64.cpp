// Logarithms in f64.
#include "log_f64.h"

using namespace explog_coefficients;

namespace {

INLINE f64 with_special_cases(f64 y, f64 x) {
    y = x == infinity<f64>() ? x : y;
    y = x < 0.0 ? quiet_nan<f64>() : y;
    y = x == 0.0 ? -infinity<f64>() : y;
    return is_nan(x) ? x : y;
}

// e log_b(2) + log_b(1 + f) for a base with 1/ln(b) = hi + lo; e log_b(2) = whole + fraction.
INLINE f64 log_in_base(f64 f, f64 hi, f64 lo, f64 whole, f64 fraction) {
    LogParts p = log_parts(f);
    DoubleDouble a = fast_two_sum(p.f, -p.half_square);
    a.lo += p.rest;
    f64 product = a.hi * hi;
    f64 low = fma(a.hi, lo, fma(a.hi, hi, -product));
    low = fma(a.lo, hi, low) + fraction;
    DoubleDouble sum = two_sum(whole, product);
    return sum.hi + (sum.lo + low);
}

}  // namespace

EXPORT f64 __ocml_log_f64(f64 x) {
    LogReduced r = reduce_mantissa(x);
    LogParts p = log_parts(r.m - 1.0);
    f64 e = (f64)r.e;
    f64 y = fma(e, kLn2Short, p.f - (p.half_square - fma(e, kLn2ShortRest, p.rest)));
    return with_special_cases(y, x);
}

EXPORT f64 __ocml_log2_f64(f64 x) {
    LogReduced r = reduce_mantissa(x);
    return with_special_cases(log_in_base(r.m - 1.0, kLog2EHi, kLog2ELo, (f64)r.e, 0.0), x);
}

EXPORT f64 __ocml_log10_f64(f64 x) {
    LogReduced r = reduce_mantissa(x);
    f64 e = (f64)r.e;
    f64 y = log_in_base(r.m - 1.0, kLog10OfEHi, kLog10OfELo, e * kLog10Of2Short, e * kLog10Of2ShortRest);
    return with_special_cases(y, x);
}

EXPORT f64 __ocml_log1p_f64(f64 x) {
    f64 y = log1p_core(x);
    y = x == infinity<f64>() ? x : y;
    y = x < -1.0 ? quiet_nan<f64>() : y;
    y = x == -1.0 ? -infinity<f64>() : y;
    return x == 0.0 || is_nan(x) ? x : y;
}
