// Exponentials in f64.
#include "exp_f64.h"

using namespace explog_coefficients;

namespace {

INLINE f64 clamp_result(f64 y, f64 x, f64 underflow, f64 overflow) {
    y = x < underflow ? 0.0 : y;
    return x > overflow ? infinity<f64>() : y;
}

// 2^k exp(r) for r = f c, c = hi + lo a constant, |r| <= ln(2)/2.
INLINE f64 exp_of_product(f64 f, f64 hi, f64 lo, f64 k) {
    f64 r = f * hi;
    DoubleDouble p = expm1_parts(r, fma(f, lo, fma(f, hi, -r)));
    return hw::ldexp(1.0 + (p.hi + p.lo), (i32)k);
}

}  // namespace

EXPORT f64 __ocml_exp_f64(f64 x) {
    f64 k = rint(x * kLog2EHi);
    f64 r = fma(k, -kLn2ShortRest, fma(k, -kLn2Short, x));
    f64 z = r * r;
    f64 p = fma(z * r, horner(r, kExpTailF64), fma(z, 0.5, r));
    f64 y = hw::ldexp(1.0 + p, (i32)k);
    return clamp_result(y, x, -0x1.74910d52d3051p+9, 0x1.62e42fefa39efp+9);
}

EXPORT f64 __ocml_exp2_f64(f64 x) {
    f64 k = rint(x);
    f64 y = exp_of_product(x - k, kLn2Hi, kLn2Lo, k);
    return clamp_result(y, x, -1075.0, 0x1.fffffffffffffp+9);
}

EXPORT f64 __ocml_exp10_f64(f64 x) {
    f64 k = rint(x * kLog2Of10Hi);
    f64 f = fma(k, -kLog10Of2ShortRest, fma(k, -kLog10Of2Short, x));
    f64 y = exp_of_product(f, kLn10Hi, kLn10Lo, k);
    return clamp_result(y, x, -0x1.439b746e36b52p+8, 0x1.34413509f79fep+8);
}

EXPORT f64 __ocml_expm1_f64(f64 x) {
    f64 clamped = fmax(fmin(x, 800.0), -60.0);
    f64 half = half_expm1(clamped);
    f64 y = half + half;
    y = x < -60.0 ? -1.0 : y;
    y = x > 0x1.62e42fefa39efp+9 ? infinity<f64>() : y;
    return fabs(x) < 0x1p-60 || is_nan(x) ? x : y;
}
