// Inverse trigonometric functions in f64. Angles are sums of two parts until the last step, so that the
// variants in units of pi lose nothing by the division.
#include "arc_coefficients.h"
#include "common/double_double.h"
#include "common/polynomial.h"

using namespace arc_coefficients;

namespace {

// atan(a / b) for 0 <= a <= b, b in a range where nothing over- or underflows.
INLINE DoubleDouble atan_of_ratio(f64 a, f64 b) {
    bool large = a + a > b;
    f64 n = large ? a - b : a;  // exact
    f64 d = large ? a + b : b;
    f64 d_lo = large ? a - (d - b) : 0.0;
    f64 r = fast_reciprocal(d);
    f64 t = n * r;
    f64 t_lo = fma(-t, d_lo, fma(-t, d, n)) * r;
    f64 z = t * t;
    f64 tail = fma(t * z, horner(z, kAtanF64), t_lo * (1.0 - z));
    DoubleDouble angle = fast_two_sum(large ? kQuarterPiHi : t, large ? t : 0.0);
    return {angle.hi, angle.lo + (tail + (large ? kQuarterPiLo : 0.0))};
}

// constant - angle, for angles up to the constant.
INLINE DoubleDouble taken_from(f64 hi, f64 lo, DoubleDouble angle) {
    DoubleDouble s = fast_two_sum(hi, -angle.hi);
    return {s.hi, s.lo + (lo - angle.lo)};
}

INLINE DoubleDouble select(bool condition, DoubleDouble a, DoubleDouble b) {
    return {condition ? a.hi : b.hi, condition ? a.lo : b.lo};
}

INLINE f64 in_units_of_pi(DoubleDouble angle) {
    angle = fast_two_sum(angle.hi, angle.lo);
    f64 p = angle.hi * kOneOverPiHi;
    return p + fma(angle.lo, kOneOverPiHi, fma(angle.hi, kOneOverPiLo, fma(angle.hi, kOneOverPiHi, -p)));
}

INLINE DoubleDouble arctangent(f64 x) {
    f64 ax = fabs(x);
    ax = ax > 0x1p+60 ? 0x1p+60 : ax;
    bool large = ax > 1.0;
    DoubleDouble angle = atan_of_ratio(large ? 1.0 : ax, large ? ax : 1.0);
    return select(large, taken_from(kHalfPiHi, kHalfPiLo, angle), angle);
}

INLINE DoubleDouble angle_of(f64 y, f64 x) {
    f64 ay = fabs(y), ax = fabs(x);
    bool swapped = ay > ax;
    f64 a = swapped ? ax : ay, b = swapped ? ay : ax;
    bool infinite = b == infinity<f64>();
    a = infinite ? (a == infinity<f64>() ? 1.0 : 0.0) : a;
    b = infinite || b == 0.0 ? 1.0 : b;
    i32 e = hw::frexp_exponent(b);
    DoubleDouble angle = atan_of_ratio(hw::ldexp(a, -e), hw::ldexp(b, -e));
    angle = select(swapped, taken_from(kHalfPiHi, kHalfPiLo, angle), angle);
    return select(sign_bit(x), taken_from(kPiHi, kPiLo, angle), angle);
}

// asin(s) as s plus a tail; `s_lo` is what the root s lacks.
INLINE DoubleDouble asin_small(f64 s, f64 s_lo, f64 z) { return {s, fma(s * z, horner(z, kAsinF64), s_lo)}; }

struct HalfAngle {
    f64 s, s_lo, z;
};

// sqrt((1 - |x|) / 2) with its rounding error, for |x| > 1/2.
INLINE HalfAngle half_angle(f64 ax) {
    f64 z = fma(ax, -0.5, 0.5);  // exact
    f64 s = sqrt_rn(z);
    f64 s_lo = z == 0.0 ? 0.0 : fma(-s, s, z) * hw::rcp(s + s);
    return {s, s_lo, z};
}

INLINE DoubleDouble arcsine(f64 x) {
    f64 ax = fabs(x);
    HalfAngle h = {ax, 0.0, ax * ax};
    bool large = ax > 0.5;
    if (large) h = half_angle(ax);
    DoubleDouble y = asin_small(h.s, h.s_lo, h.z);
    return select(large, taken_from(kHalfPiHi, kHalfPiLo, {y.hi + y.hi, y.lo + y.lo}), y);
}

INLINE DoubleDouble arccosine(f64 x) {
    f64 ax = fabs(x);
    HalfAngle h = {x, 0.0, ax * ax};
    bool large = ax > 0.5;
    if (large) h = half_angle(ax);
    DoubleDouble y = asin_small(h.s, h.s_lo, h.z);
    DoubleDouble twice = {y.hi + y.hi, y.lo + y.lo};
    DoubleDouble from_half_angle = select(sign_bit(x), taken_from(kPiHi, kPiLo, twice), twice);
    return select(large, from_half_angle, taken_from(kHalfPiHi, kHalfPiLo, y));
}

INLINE f64 with_domain(f64 y, f64 x) { return fabs(x) > 1.0 ? quiet_nan<f64>() : y; }

}  // namespace

EXPORT f64 __ocml_atan_f64(f64 x) {
    DoubleDouble y = arctangent(x);
    return is_nan(x) ? x : copysign(y.hi + y.lo, x);
}

EXPORT f64 __ocml_atanpi_f64(f64 x) { return is_nan(x) ? x : copysign(in_units_of_pi(arctangent(x)), x); }

EXPORT f64 __ocml_atan2_f64(f64 y, f64 x) {
    DoubleDouble angle = angle_of(y, x);
    return is_nan(x) || is_nan(y) ? quiet_nan<f64>() : copysign(angle.hi + angle.lo, y);
}

EXPORT f64 __ocml_atan2pi_f64(f64 y, f64 x) {
    return is_nan(x) || is_nan(y) ? quiet_nan<f64>() : copysign(in_units_of_pi(angle_of(y, x)), y);
}

EXPORT f64 __ocml_asin_f64(f64 x) {
    DoubleDouble y = arcsine(x);
    return with_domain(copysign(y.hi + y.lo, x), x);
}

EXPORT f64 __ocml_asinpi_f64(f64 x) { return with_domain(copysign(in_units_of_pi(arcsine(x)), x), x); }

EXPORT f64 __ocml_acos_f64(f64 x) {
    DoubleDouble y = arccosine(x);
    return with_domain(y.hi + y.lo, x);
}

EXPORT f64 __ocml_acospi_f64(f64 x) { return with_domain(in_units_of_pi(arccosine(x)), x); }
