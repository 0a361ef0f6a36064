// Inverse trigonometric functions in f32, evaluated in f64 and rounded once.
#include "arc_coefficients.h"
#include "common/double_double.h"
#include "common/polynomial.h"

using namespace arc_coefficients;

namespace {

// n/d with about 46 good bits.
INLINE f64 quotient(f64 n, f64 d) {
    f64 r = hw::rcp(d);
    return n * fma(fma(-d, r, 1.0), r, r);
}

// The square root of z >= 0 with about 46 good bits.
INLINE f64 root(f64 z) {
    f64 r = hw::rsq(z);
    f64 y = z * r;
    y = fma(fma(-y, y, z), 0.5 * r, y);
    return z == 0.0 ? 0.0 : y;
}

INLINE f64 atan_small(f64 t) {
    f64 z = t * t;
    return fma(t * z, horner(z, kAtanForF32), t);
}

// atan(a / b) for 0 <= a <= b: beyond 1/2, as pi/4 plus the arcus tangent of (a - b) / (a + b).
INLINE f64 atan_of_ratio(f64 a, f64 b) {
    bool large = a + a > b;
    f64 t = quotient(large ? a - b : a, large ? a + b : b);
    return atan_small(t) + (large ? kQuarterPiHi : 0.0);
}

INLINE f64 arctangent(f32 x) {
    f64 ax = fabs((f64)x);
    ax = ax > 0x1p+40 ? 0x1p+40 : ax;  // indistinguishable in f32, and keeps infinity out of the quotient
    bool large = ax > 1.0;
    f64 angle = atan_of_ratio(large ? 1.0 : ax, large ? ax : 1.0);
    return large ? kHalfPiHi - angle : angle;
}

INLINE f64 angle_of(f32 y, f32 x) {
    f64 ay = fabs((f64)y), ax = fabs((f64)x);
    bool swapped = ay > ax;
    f64 a = swapped ? ax : ay, b = swapped ? ay : ax;
    // Infinite sides count as 1 against finite ones, and 0/0 as 0/1.
    bool infinite = b == infinity<f64>();
    a = infinite ? (a == infinity<f64>() ? 1.0 : 0.0) : a;
    b = infinite || b == 0.0 ? 1.0 : b;
    f64 angle = atan_of_ratio(a, b);
    angle = swapped ? kHalfPiHi - angle : angle;
    angle = sign_bit(x) ? kPiHi - angle : angle;
    return is_nan(x) || is_nan(y) ? quiet_nan<f64>() : angle;
}

INLINE f64 asin_small(f64 s, f64 z) { return fma(s * z, horner(z, kAsinForF32), s); }

// asin and acos of |x|; beyond 1/2 through the half angle: acos x = 2 asin(sqrt((1 - x) / 2)).
INLINE f64 arcsine(f32 x) {
    f64 ax = fabs((f64)x);
    bool large = ax > 0.5;
    f64 z = large ? fma(ax, -0.5, 0.5) : ax * ax;
    f64 y = asin_small(large ? root(z) : ax, z);
    y = large ? fma(y, -2.0, kHalfPiHi) : y;
    return ax > 1.0 ? quiet_nan<f64>() : y;
}

INLINE f64 arccosine(f32 x) {
    f64 ax = fabs((f64)x);
    bool large = ax > 0.5;
    f64 z = large ? fma(ax, -0.5, 0.5) : ax * ax;
    f64 y = asin_small(large ? root(z) : (f64)x, z);
    f64 from_half_angle = sign_bit(x) ? fma(y, -2.0, kPiHi) : y + y;
    y = large ? from_half_angle : kHalfPiHi - y;
    return ax > 1.0 ? quiet_nan<f64>() : y;
}

}  // namespace

EXPORT f32 __ocml_atan_f32(f32 x) { return is_nan(x) ? x : copysign((f32)arctangent(x), x); }
EXPORT f32 __ocml_atanpi_f32(f32 x) { return is_nan(x) ? x : copysign((f32)(arctangent(x) * kOneOverPiHi), x); }
EXPORT f32 __ocml_atan2_f32(f32 y, f32 x) { return copysign((f32)angle_of(y, x), y); }
EXPORT f32 __ocml_atan2pi_f32(f32 y, f32 x) { return copysign((f32)(angle_of(y, x) * kOneOverPiHi), y); }
EXPORT f32 __ocml_asin_f32(f32 x) { return copysign((f32)arcsine(x), x); }
EXPORT f32 __ocml_asinpi_f32(f32 x) { return copysign((f32)(arcsine(x) * kOneOverPiHi), x); }
EXPORT f32 __ocml_acos_f32(f32 x) { return (f32)arccosine(x); }
EXPORT f32 __ocml_acospi_f32(f32 x) { return (f32)(arccosine(x) * kOneOverPiHi); }
