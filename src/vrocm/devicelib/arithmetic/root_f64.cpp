// Reciprocal square roots, cube roots and lengths in f64.
#include "common/double_double.h"

namespace {

// Coordinates divided by a power of two near the largest, so that squares neither overflow nor vanish.
struct Scaled {
    f64 square;
    i32 exponent;
    bool any_infinite;
};

INLINE Scaled scaled_square(f64 x, f64 y, f64 z, f64 w) {
    f64 ax = fabs(x), ay = fabs(y), az = fabs(z), aw = fabs(w);
    f64 largest = fmax(fmax(ax, ay), fmax(az, aw));
    i32 e = hw::frexp_exponent(largest);
    f64 a = hw::ldexp(ax, -e), b = hw::ldexp(ay, -e), c = hw::ldexp(az, -e), d = hw::ldexp(aw, -e);
    f64 square = fma(a, a, fma(b, b, fma(c, c, d * d)));
    return {square, e, largest == infinity<f64>()};
}

INLINE f64 length(Scaled s) {
    f64 y = hw::ldexp(sqrt_rn(s.square), s.exponent);
    return s.any_infinite ? infinity<f64>() : y;
}

INLINE f64 reciprocal_length(Scaled s) {
    f64 y = hw::ldexp(fast_reciprocal_root(s.square), -s.exponent);
    y = s.square == 0.0 ? infinity<f64>() : y;
    return s.any_infinite ? 0.0 : y;
}

// |x| = m 8^k with m in [1/2, 4), and m^(-1/3).
struct CubeRoot {
    f64 m, r;
    i32 k;
};

INLINE CubeRoot reduce_cube(f64 ax) {
    i32 e = hw::frexp_exponent(ax);
    i32 k = (e * 21846) >> 16;  // e / 3 rounded down, for |e| < 2^14
    f64 m = hw::ldexp(hw::frexp_mantissa(ax), e - 3 * k);
    f64 r = (f64)hw::exp2(hw::log2((f32)m) * -0x1.555556p-2f);
    for (int step = 0; step < 2; ++step) {
        f64 residual = fma(-m * r, r * r, 1.0);
        r = fma(r * residual, 1.0 / 3.0, r);
    }
    return {m, r, k};
}

}  // namespace

EXPORT f64 __ocml_rsqrt_f64(f64 x) {
    f64 y = fast_reciprocal_root(x);
    return x > 0.0 && x < infinity<f64>() ? y : hw::rsq(x);
}

EXPORT f64 __ocml_cbrt_f64(f64 x) {
    CubeRoot c = reduce_cube(fabs(x));
    f64 square = c.r * c.r;
    f64 y = c.m * square;
    y = fma(fma(-y * y, y, c.m), square * (1.0 / 3.0), y);
    return x == 0.0 || !is_finite(x) ? x : copysign(hw::ldexp(y, c.k), x);
}

EXPORT f64 __ocml_rcbrt_f64(f64 x) {
    CubeRoot c = reduce_cube(fabs(x));
    f64 y = hw::ldexp(c.r, -c.k);
    y = x == 0.0 ? infinity<f64>() : y;
    y = is_inf(x) ? 0.0 : y;
    return is_nan(x) ? x : copysign(y, x);
}

// A NaN beside an infinity is ignored, as C99 wants for hypot; otherwise it spoils the sum of squares.
EXPORT f64 __ocml_hypot_f64(f64 x, f64 y) { return length(scaled_square(x, y, 0.0, 0.0)); }
EXPORT f64 __ocml_rhypot_f64(f64 x, f64 y) { return reciprocal_length(scaled_square(x, y, 0.0, 0.0)); }
EXPORT f64 __ocml_len3_f64(f64 x, f64 y, f64 z) { return length(scaled_square(x, y, z, 0.0)); }
EXPORT f64 __ocml_rlen3_f64(f64 x, f64 y, f64 z) { return reciprocal_length(scaled_square(x, y, z, 0.0)); }
EXPORT f64 __ocml_len4_f64(f64 x, f64 y, f64 z, f64 w) { return length(scaled_square(x, y, z, w)); }
EXPORT f64 __ocml_rlen4_f64(f64 x, f64 y, f64 z, f64 w) { return reciprocal_length(scaled_square(x, y, z, w)); }
