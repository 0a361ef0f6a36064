// Bessel functions of whole order, by recurrence from orders 0 and 1.
//
// Upwards, J is stable while the order is below the argument and Y always; J of higher order comes from the
// downward recurrence (Miller), normalised by J0 + 2 (J2 + J4 + ...) = 1. Accuracy: a few ulp of the larger of
// the function and its neighbours; next to zeros the error is absolute.
#include "bessel.h"

namespace {

INLINE f64 j_upwards(i32 n, f64 x) {
    f64 below = bessel::j0(x), y = bessel::j1(x);
    f64 r = fast_reciprocal(x);
    for (i32 k = 1; k < n; ++k) {
        f64 next = fma((f64)(2 * k) * r, y, -below);
        below = y;
        y = next;
    }
    return y;
}

// (x/2)^n / n!, the leading term, which is all there is for small x.
INLINE f64 j_leading_term(i32 n, f64 x) {
    f64 y = 1.0;
    for (i32 k = 1; k <= n && y != 0.0; ++k) y = y * (0.5 * x) / (f64)k;
    return y;
}

INLINE f64 j_downwards(i32 n, f64 x) {
    f64 r = 2.0 / x;
    // Far enough above n that what was left out has no influence.
    i32 start = (n + (i32)sqrt_rn(64.0 * (f64)n) + 20) & ~1;
    f64 above = 0.0, y = 1.0, sum = 0.0, result = 0.0;
    for (i32 k = start; k > 0; --k) {
        f64 next = fma((f64)k * r, y, -above);  // order k - 1
        above = y;
        y = next;
        if (fabs(y) > 0x1p+500) {
            y *= 0x1p-500;
            above *= 0x1p-500;
            result *= 0x1p-500;
            sum *= 0x1p-500;
        }
        if (k - 1 == n) result = y;
        if ((k - 1) % 2 == 0 && k - 1 > 0) sum += y;
    }
    return result / fma(2.0, sum, y);
}

INLINE f64 jn(i32 n, f64 x) {
    bool odd = n & 1;
    f64 a = fabs(x);
    // J(-n, x) = J(n, -x) = (-1)^n J(n, x)
    bool negative = odd && ((n < 0) != sign_bit(x));
    u32 order = n < 0 ? 0u - (u32)n : (u32)n;
    i32 m = order > 0x7fffff00u ? 0x7fffff00 : (i32)order;
    if (is_nan(x)) return x;
    f64 y;
    if (m == 0) {
        y = bessel::j0(a);
    } else if (m == 1) {
        y = bessel::j1(a);
    } else if (a == 0.0 || is_inf(a)) {
        y = 0.0;
    } else if ((f64)m <= a) {
        y = j_upwards(m, a);
    } else if (a < 0x1p-27) {
        y = j_leading_term(m, a);
    } else {
        y = j_downwards(m, a);
    }
    return negative ? -y : y;
}

INLINE f64 yn(i32 n, f64 x) {
    u32 order = n < 0 ? 0u - (u32)n : (u32)n;
    bool negative = n < 0 && (n & 1);
    f64 y;
    if (order == 0) {
        y = bessel::y0(x);
    } else {
        f64 below = bessel::y0(x);
        y = bessel::y1(x);
        if (x > 0.0 && x < infinity<f64>()) {
            for (u32 k = 1; k < order && y != -infinity<f64>(); ++k) {
                f64 next = (f64)(2ul * k) / x * y - below;
                below = y;
                y = next;
            }
        }
    }
    return negative ? -y : y;
}

}  // namespace

EXPORT f64 __ocml_jn_f64(i32 n, f64 x) { return jn(n, x); }
EXPORT f32 __ocml_jn_f32(i32 n, f32 x) { return (f32)jn(n, (f64)x); }
EXPORT f64 __ocml_yn_f64(i32 n, f64 x) { return yn(n, x); }
EXPORT f32 __ocml_yn_f32(i32 n, f32 x) { return (f32)yn(n, (f64)x); }
