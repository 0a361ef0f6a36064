// Hyperbolic functions and their inverses in f64.
#include "exp_f64.h"
#include "log_f64.h"

using namespace explog_coefficients;

namespace {
constexpr f64 kSinhOverflow = 0x1.633ce8fb9f87dp+9;  // the largest x whose sinh and cosh are finite
}  // namespace

// With h = (exp(x) - 1) / 2: sinh x = h + h / (2 h + 1).
EXPORT f64 __ocml_sinh_f64(f64 x) {
    f64 ax = fabs(x);
    f64 h = half_expm1(ax > 720.0 ? 720.0 : ax);
    f64 y = ax > 40.0 ? h : h + fast_divide(h, h + h + 1.0);
    y = ax > kSinhOverflow ? infinity<f64>() : y;
    return ax < 0x1p-28 || is_nan(x) ? x : copysign(y, x);
}

EXPORT f64 __ocml_cosh_f64(f64 x) {
    f64 ax = fabs(x);
    ExpReduced e = reduce_exponent(ax > 720.0 ? 720.0 : ax, 0.0);
    DoubleDouble p = expm1_parts(e.r, e.lo);
    f64 half_exp = hw::ldexp(1.0 + (p.hi + p.lo), e.k - 1);
    f64 y = ax > 40.0 ? half_exp : half_exp + 0.25 * fast_reciprocal(half_exp);
    return ax > kSinhOverflow ? infinity<f64>() : y;
}

// With h = (exp(2 x) - 1) / 2: tanh x = h / (h + 1).
EXPORT f64 __ocml_tanh_f64(f64 x) {
    f64 ax = fabs(x);
    f64 clamped = ax > 25.0 ? 25.0 : ax;
    f64 h = half_expm1(clamped + clamped);
    f64 y = fast_divide(h, h + 1.0);
    y = ax > 20.0 ? 1.0 : y;
    return ax < 0x1p-28 || is_nan(x) ? x : copysign(y, x);
}

// log(a + sqrt(a^2 + 1)), written with log1p; above 2^28 the argument is 2 a.
EXPORT f64 __ocml_asinh_f64(f64 x) {
    f64 a = fabs(x);
    bool large = a > 0x1p+28;
    f64 b = large ? 1.0 : a;
    f64 square = b * b;
    f64 u = b + fast_divide(square, 1.0 + sqrt_rn(1.0 + square));
    f64 y = log1p_core(large ? a - 1.0 : u) + (large ? kLn2Hi : 0.0);
    y = a == infinity<f64>() ? a : y;
    return a < 0x1p-28 || is_nan(x) ? x : copysign(y, x);
}

EXPORT f64 __ocml_acosh_f64(f64 x) {
    bool large = x > 0x1p+28;
    f64 t = large ? 1.0 : x - 1.0;
    f64 u = t + sqrt_rn(fma(t, t, t + t));
    f64 y = log1p_core(large ? x - 1.0 : u) + (large ? kLn2Hi : 0.0);
    y = x == infinity<f64>() ? x : y;
    y = x == 1.0 ? 0.0 : y;
    return x < 1.0 ? quiet_nan<f64>() : y;
}

EXPORT f64 __ocml_atanh_f64(f64 x) {
    f64 a = fabs(x);
    f64 y = 0.5 * log1p_core(fast_divide(a + a, 1.0 - a));
    y = a == 1.0 ? infinity<f64>() : y;
    y = a > 1.0 ? quiet_nan<f64>() : y;
    return a < 0x1p-28 || is_nan(x) ? x : copysign(y, x);
}
