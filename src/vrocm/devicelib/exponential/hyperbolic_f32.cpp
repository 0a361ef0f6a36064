// Hyperbolic functions and their inverses in f32.
#include "exp_f32.h"
#include "log_for_f32.h"

using namespace explog_coefficients;

namespace {

// n/d with an error below one ulp, for d in the normal range.
INLINE f32 quotient(f32 n, f32 d) {
    f32 r = hw::rcp(d);
    f32 q = n * r;
    return fma(fma(-q, d, n), r, q);
}

// The square root of u > 0 with about 46 good bits.
INLINE f64 root(f64 u) {
    f64 r = hw::rsq(u);
    f64 y = u * r;
    return fma(fma(-y, y, u), 0.5 * r, y);
}

}  // namespace

// With h = (exp(x) - 1) / 2: sinh x = h + h / (2 h + 1).
EXPORT f32 __ocml_sinh_f32(f32 x) {
    f32 ax = fabs(x);
    f32 h = half_expm1(ax);
    f32 y = ax > 18.0f ? h : h + quotient(h, h + h + 1.0f);
    y = ax > 0x1.65a9f8p+6f ? infinity<f32>() : y;
    return ax < 0x1p-13f || is_nan(x) ? x : copysign(y, x);
}

EXPORT f32 __ocml_cosh_f32(f32 x) {
    f32 ax = fabs(x);
    f32 p = ax * kLog2EF32Hi;
    f32 rest = fma(ax, kLog2EF32Lo, fma(ax, kLog2EF32Hi, -p));
    f32 whole = rint(p);
    f32 half_exp = hw::ldexp(hw::exp2((p - whole) + rest), (i32)whole - 1);
    f32 y = fma(hw::rcp(half_exp), 0.25f, half_exp);
    return ax > 0x1.65a9f8p+6f ? infinity<f32>() : y;
}

// With h = (exp(2 x) - 1) / 2: tanh x = h / (h + 1).
EXPORT f32 __ocml_tanh_f32(f32 x) {
    f32 ax = fabs(x);
    f32 h = half_expm1(ax + ax);
    f32 y = quotient(h, h + 1.0f);
    y = ax > 10.0f ? 1.0f : y;
    y = ax < 0x1p-13f ? ax : y;
    return copysign(y, x);
}

EXPORT f32 __ocml_asinh_f32(f32 x) {
    f64 a = fabs((f64)x);
    f64 y = log_for_f32(a + root(fma(a, a, 1.0)));
    y = a < 0x1p-8 ? fma(a * a * a, fma(a * a, 0.075, -0x1.5555555555555p-3), a) : y;
    y = a == infinity<f64>() ? a : y;
    return copysign((f32)y, x);
}

EXPORT f32 __ocml_acosh_f32(f32 x) {
    f64 a = (f64)x;
    f64 square = fma(a, a, -1.0);
    f64 y = log_for_f32(a + (square == 0.0 ? 0.0 : root(square)));
    y = a == infinity<f64>() ? a : y;
    return x < 1.0f ? quiet_nan<f32>() : (f32)y;
}

EXPORT f32 __ocml_atanh_f32(f32 x) {
    f64 a = fabs((f64)x);
    f64 d = 1.0 - a;
    f64 r = hw::rcp(d);
    r = fma(fma(-d, r, 1.0), r, r);
    f64 y = 0.5 * log_for_f32((1.0 + a) * r);
    y = a < 0x1p-8 ? fma(a * a * a, fma(a * a, 0.2, 0x1.5555555555555p-2), a) : y;
    y = a == 1.0 ? infinity<f64>() : y;
    y = a > 1.0 ? quiet_nan<f64>() : y;
    return copysign((f32)y, x);
}
