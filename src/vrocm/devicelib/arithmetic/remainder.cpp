// fmod, remainder and remquo: exact, by taking multiples of |y| away 40 bits of quotient at a time.
//
// With both mantissas in [1/2, 1) the partial remainder r stays a multiple of 2^-53. The quotient digit is
// rounded to nearest, so |r| stays near half of |y|'s mantissa or below and every fma is exact.
#include "common/double_double.h"

namespace {

struct Division {
    f64 r;          // x - q y for x, y > 0, divided by 2^exponent; |r| <= y / 2 or very little more
    f64 y;          // mantissa of |y|
    u32 q;          // low bits of the quotient
    i32 exponent;   // of |y|
    bool short_of;  // |x| < |y| / 2: nothing to take away
};

INLINE Division divide(f64 x, f64 y) {
    f64 ax = fabs(x), ay = fabs(y);
    f64 r = hw::frexp_mantissa(ax), m = hw::frexp_mantissa(ay);
    i32 exponent = hw::frexp_exponent(ay);
    i32 gap = hw::frexp_exponent(ax) - exponent;
    bool short_of = gap < -1;
    gap = short_of ? -2 : gap;
    f64 reciprocal = fast_reciprocal(m);
    u32 quotient = 0;
    do {
        i32 n = gap < 40 ? gap : 40;
        r = hw::ldexp(r, n);
        f64 digit = rint(r * reciprocal);
        r = fma(-digit, m, r);
        // Digits of up to 41 bits: only the low ones matter. Shifts beyond the word leave nothing.
        quotient = (n < 32 && n > 0 ? quotient << n : 0) + (u32)(i64)digit;
        gap -= n;
    } while (gap > 0);
    return {r, m, quotient, exponent, short_of};
}

INLINE f64 special(f64 x, f64 y) {
    if (is_nan(x) || is_nan(y) || is_inf(x) || y == 0.0) return quiet_nan<f64>();
    return x;  // y is infinite or x is zero
}

INLINE bool is_special(f64 x, f64 y) { return !is_finite(x) || !is_finite(y) || y == 0.0 || x == 0.0; }

INLINE f64 truncated_remainder(f64 x, f64 y) {
    if (is_special(x, y)) return special(x, y);
    Division d = divide(x, y);
    f64 r = d.r < 0.0 ? d.r + d.y : d.r;
    return d.short_of ? x : copysign(hw::ldexp(r, d.exponent), x);
}

struct NearestRemainder {
    f64 r;
    i32 quotient;
};

INLINE NearestRemainder nearest_remainder(f64 x, f64 y) {
    if (is_special(x, y)) return {special(x, y), 0};
    Division d = divide(x, y);
    f64 r = d.r, twice = r + r;
    bool odd = d.q & 1;
    if (twice > d.y || (twice == d.y && odd)) {
        r -= d.y;
        d.q += 1;
    } else if (twice < -d.y || (twice == -d.y && odd)) {
        r += d.y;
        d.q -= 1;
    }
    f64 scaled = hw::ldexp(r, d.exponent);
    f64 result = r == 0.0 ? copysign(0.0, x) : x < 0.0 ? -scaled : scaled;
    // The low seven bits of the quotient with its sign, as OpenCL specifies.
    i32 magnitude = d.short_of ? 0 : (i32)(d.q & 0x7f);
    return {d.short_of ? x : result, sign_bit(x) != sign_bit(y) ? -magnitude : magnitude};
}

}  // namespace

EXPORT f32 __ocml_fmod_f32(f32 x, f32 y) { return (f32)truncated_remainder((f64)x, (f64)y); }
EXPORT f64 __ocml_fmod_f64(f64 x, f64 y) { return truncated_remainder(x, y); }
EXPORT f32 __ocml_remainder_f32(f32 x, f32 y) { return (f32)nearest_remainder((f64)x, (f64)y).r; }
EXPORT f64 __ocml_remainder_f64(f64 x, f64 y) { return nearest_remainder(x, y).r; }

EXPORT f32 __ocml_remquo_f32(f32 x, f32 y, PRIVATE i32* quotient) {
    NearestRemainder n = nearest_remainder((f64)x, (f64)y);
    *quotient = n.quotient;
    return (f32)n.r;
}

EXPORT f64 __ocml_remquo_f64(f64 x, f64 y, PRIVATE i32* quotient) {
    NearestRemainder n = nearest_remainder(x, y);
    *quotient = n.quotient;
    return n.r;
}

EXPORT f16 __ocml_fmod_f16(f16 x, f16 y) { return (f16)truncated_remainder((f64)x, (f64)y); }
EXPORT f16 __ocml_remainder_f16(f16 x, f16 y) { return (f16)nearest_remainder((f64)x, (f64)y).r; }

EXPORT f16 __ocml_remquo_f16(f16 x, f16 y, PRIVATE i32* quotient) {
    NearestRemainder n = nearest_remainder((f64)x, (f64)y);
    *quotient = n.quotient;
    return (f16)n.r;
}
