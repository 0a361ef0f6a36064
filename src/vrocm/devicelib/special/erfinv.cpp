// Inverse error functions in f32 and f64.
//
// With w = -log(1 - x^2), erfinv(x) / x is smooth in w and, in the tails, erfinv is smooth in sqrt(w); the
// idea is Giles' (GPU Computing Gems, 2011). In f64 the tails are polished by one step of Halley's iteration.
#include "erf_f64.h"
#include "exponential/log_f64.h"
#include "exponential/log_for_f32.h"

using namespace error_coefficients;

namespace {

INLINE f64 tail_start(f64 w) {
    f64 s = sqrt_rn(w);
    return s < 5.5 ? horner(s - 4.0, kInverseMiddle) : s * horner(fast_reciprocal(s), kInverseFar);
}

// The y with erfc(y) = u, for u of the tail (w > 6.25, so u < 0.001).
INLINE f64 tail_f64(f64 u, f64 w) {
    f64 y = tail_start(w);
    DoubleDouble square = two_product(y, y);
    // (erfc(y) - u) / erfc'(y), with the common factor exp(-y^2) taken out.
    f64 scaled = times_exp(hw::frexp_mantissa(u), square.hi, square.lo, hw::frexp_exponent(u));
    f64 newton = 0x1.c5bf891b4ef6bp-1 * (scaled - erfcx_positive(y));
    return y - fast_divide(newton, fma(y, newton, 1.0));
}

INLINE f64 log_plain(f64 x) {
    DoubleDouble l = log_extended(x, 0.0);
    return l.hi;
}

// erfinv for an argument x with u = 1 - |x| known exactly, 0 < u <= 1.
INLINE f64 inverse_f64(f64 x, f64 u) {
    f64 w = -log_plain(u < 0.5 ? u * (2.0 - u) : fma(-x, x, 1.0));
    if (w < 6.25) return x * horner(w - 3.125, kInverseCentreF64);
    return copysign(tail_f64(u, w), x);
}

INLINE f64 inverse_for_f32(f64 x, f64 u) {
    f64 w = -log_for_f32(u < 0.5 ? u * (2.0 - u) : fma(-x, x, 1.0), u < 0.5 ? u * (2.0 - u) - 1.0 : -x * x);
    if (w < 6.25) return x * horner(w - 3.125, kInverseCentreForF32);
    return copysign(tail_start(w), x);
}

}  // namespace

EXPORT f64 __ocml_erfinv_f64(f64 x) {
    f64 a = fabs(x);
    f64 y = a < 1.0 ? inverse_f64(x, 1.0 - a) : copysign(infinity<f64>(), x);
    return a > 1.0 || is_nan(x) ? quiet_nan<f64>() : y;
}

EXPORT f32 __ocml_erfinv_f32(f32 x) {
    f64 a = fabs((f64)x);
    f32 y = a < 1.0 ? (f32)inverse_for_f32((f64)x, 1.0 - a) : copysign(infinity<f32>(), x);
    return a > 1.0 || is_nan(x) ? quiet_nan<f32>() : y;
}

namespace {

// erfcinv(x) = erfinv(1 - x): the tail that x names is u itself, the other one is 2 - x.
INLINE f64 complementary_f64(f64 x) {
    bool upper = x > 1.0;
    f64 u = upper ? 2.0 - x : x;
    f64 y = u > 0.0 ? inverse_f64(upper ? -(x - 1.0) : 1.0 - x, u) : upper ? -infinity<f64>() : infinity<f64>();
    return x >= 0.0 && x <= 2.0 ? y : quiet_nan<f64>();
}

INLINE f64 complementary_for_f32(f64 x) {
    bool upper = x > 1.0;
    f64 u = upper ? 2.0 - x : x;
    f64 y = u > 0.0 ? inverse_for_f32(1.0 - x, u) : upper ? -infinity<f64>() : infinity<f64>();
    return x >= 0.0 && x <= 2.0 ? y : quiet_nan<f64>();
}

}  // namespace

EXPORT f64 __ocml_erfcinv_f64(f64 x) { return complementary_f64(x); }
EXPORT f32 __ocml_erfcinv_f32(f32 x) { return (f32)complementary_for_f32((f64)x); }

// The quantile of the normal distribution: -sqrt(2) erfcinv(2 p).
EXPORT f64 __ocml_ncdfinv_f64(f64 p) {
    f64 y = complementary_f64(p + p);
    return -fma(y, kSqrt2Hi, is_finite(y) ? y * kSqrt2Lo : 0.0);
}

EXPORT f32 __ocml_ncdfinv_f32(f32 p) { return (f32)(-kSqrt2Hi * complementary_for_f32(2.0 * (f64)p)); }
