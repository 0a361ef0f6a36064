// The error function and its relatives in f64.
#include "erf_f64.h"

using namespace error_coefficients;

namespace {

// erfc(x) for 0 <= x <= 28.
INLINE f64 erfc_positive(f64 x) {
    DoubleDouble square = two_product(x, x);
    return times_exp(erfcx_positive(x), -square.hi, -square.lo);
}

INLINE f64 erf_small(f64 x) { return fma(x, horner(x * x, kErfF64), x); }

}  // namespace

EXPORT f64 __ocml_erf_f64(f64 x) {
    f64 a = fabs(x);
    f64 y = erf_small(x);
    if (!(a < 1.0)) y = copysign(1.0 - erfc_positive(a > 6.5 ? 6.5 : a), x);
    return is_nan(x) ? x : y;
}

EXPORT f64 __ocml_erfc_f64(f64 x) {
    f64 a = fabs(x);
    f64 y = erfc_positive(a > 28.0 ? 28.0 : a);
    y = x < 0.0 ? 2.0 - y : y;
    // Between 0 and 1/2 the difference is exact enough and cheaper to get right than the product.
    if (a < 0.5) y = 1.0 - erf_small(x);
    return is_nan(x) ? x : y;
}

EXPORT f64 __ocml_erfcx_f64(f64 x) {
    f64 a = fabs(x);
    f64 b = a > 27.0 ? 27.0 : a;
    DoubleDouble square = two_product(b, b);
    f64 y;
    if (a < 0.5) {
        y = times_exp(1.0 - erf_small(x), square.hi, square.lo);
    } else if (a < 0x1p+30) {
        y = erfcx_positive(a);
    } else {
        y = 0x1.20dd750429b6dp-1 / a;  // 1 / (sqrt(pi) x)
    }
    if (x <= -0.5) y = times_exp(2.0, square.hi, square.lo) - y;
    return is_nan(x) ? x : y;
}

// The normal distribution function: erfc(-x / sqrt 2) / 2. The exponent is x^2 / 2 exactly, so that the
// rounding of x / sqrt 2 does no harm.
EXPORT f64 __ocml_ncdf_f64(f64 x) {
    f64 a = fabs(x);
    a = a > 40.0 ? 40.0 : a;
    DoubleDouble square = two_product(a, a);
    f64 z = a * kSqrtHalfHi;
    f64 z_lo = fma(a, kSqrtHalfLo, fma(a, kSqrtHalfHi, -z));
    f64 scaled = erfcx_positive(z);
    scaled = fma(-scaled * z_lo, hw::rcp(z + 0.886), scaled);  // the slope of log erfcx is about -1/(z + 0.886)
    f64 y = times_exp(0.5 * scaled, -0.5 * square.hi, -0.5 * square.lo);
    y = x > 0.0 ? 1.0 - y : y;
    if (a < 0.7) y = fma(erf_small(x * kSqrtHalfHi), 0.5, 0.5);
    return is_nan(x) ? x : y;
}
