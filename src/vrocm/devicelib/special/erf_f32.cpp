// The error function in f32 and, evaluated in f64 and rounded once, its relatives.
#include "common/double_double.h"
#include "common/polynomial.h"
#include "error_coefficients.h"
#include "exponential/explog_coefficients.h"

using namespace error_coefficients;
using namespace explog_coefficients;

namespace {

// exp(x) for |x| < 700 with about 27 good bits, in f64 so that nothing is denormal.
INLINE f64 exp_for_f32(f64 x) {
    f64 k = rint(x * kLog2EHi);
    f64 r = fma(k, -kLn2Hi, x);
    f64 z = r * r;
    return hw::ldexp(fma(z * r, horner(r, kExpTailForF32), fma(z, 0.5, 1.0 + r)), (i32)k);
}

// exp(x^2) erfc(x) for x >= 0.
INLINE f64 erfcx_positive(f64 x) {
    // (x - 4) / ((x + 4) (1 + 2 x)) has one division; the two quotients are made from it.
    f64 sum = x + 4.0, scale = fma(x, 2.0, 1.0);
    f64 product = sum * scale;
    f64 r = hw::rcp(product);
    r = fma(fma(-product, r, 1.0), r, r);
    f64 t = (x - 4.0) * (r * scale);
    return horner(t, kErfcxForF32) * (r * sum);
}

}  // namespace

// All in f32: this one is in the inner loop of many a neural network.
EXPORT f32 __ocml_erf_f32(f32 x) {
    f32 a = fabs(x);
    f32 small = fma(a, horner(a * a, kErfSmallF32), a);
    f32 large = 1.0f - hw::exp2(horner(a, kErfLargeF32));
    f32 y = a < 1.0f ? small : large;
    return copysign(a > 4.0f ? 1.0f : y, x);
}

EXPORT f32 __ocml_erfc_f32(f32 x) {
    f64 a = fabs((f64)x);
    a = a > 12.0 ? 12.0 : a;  // beyond, the result is 0 or 2 in f32
    f64 y = erfcx_positive(a) * exp_for_f32(-a * a);
    y = x < 0.0f ? 2.0 - y : y;
    return is_nan(x) ? x : (f32)y;
}

EXPORT f32 __ocml_erfcx_f32(f32 x) {
    f64 v = (f64)x, a = fabs(v);
    f64 b = a > 0x1p+130 ? 0x1p+130 : a;
    f64 y = erfcx_positive(b);
    if (x < 0.0f) {
        f64 c = a > 12.0 ? 12.0 : a;
        y = 2.0 * exp_for_f32(c * c) - y;
    }
    y = x == infinity<f32>() ? 0.0 : y;
    return is_nan(x) ? x : (f32)y;
}

// The normal distribution function: erfc(-x / sqrt 2) / 2.
EXPORT f32 __ocml_ncdf_f32(f32 x) {
    f64 a = fabs((f64)x);
    a = a > 16.0 ? 16.0 : a;
    f64 y = 0.5 * erfcx_positive(a * kSqrtHalfHi) * exp_for_f32(-0.5 * a * a);
    y = x > 0.0f ? 1.0 - y : y;
    return is_nan(x) ? x : (f32)y;
}
