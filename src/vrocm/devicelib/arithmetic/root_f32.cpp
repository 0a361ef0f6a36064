// Reciprocal square roots, cube roots and lengths in f32.
#include "common/double_double.h"

namespace {

// 1/sqrt(u) for normal f64 u > 0 with about 46 good bits.
INLINE f64 reciprocal_root(f64 u) {
    f64 r = hw::rsq(u);
    return fma(fma(-u * r, r, 1.0), 0.5 * r, r);
}

INLINE f32 length(f64 square, bool any_infinite) {
    f64 y = square * reciprocal_root(square);
    y = square == 0.0 ? 0.0 : y;
    return any_infinite ? infinity<f32>() : (f32)y;
}

INLINE f32 reciprocal_length(f64 square, bool any_infinite) {
    f32 y = (f32)reciprocal_root(square);
    y = square == 0.0 ? infinity<f32>() : y;
    return any_infinite ? 0.0f : y;
}

INLINE f64 square_of(f32 x) { return (f64)x * (f64)x; }  // exact, and in range

// |x|^(-1/3) for finite x other than zero: the hardware's logarithm and exponential, then one step of
// Newton's iteration for r^-3 = x, which needs no division.
INLINE f64 reciprocal_cube_root(f32 ax) {
    bool small = ax < 0x1p-126f;
    f32 scaled = small ? ax * 0x1p+24f : ax;
    f64 r = (f64)hw::exp2(hw::log2(scaled) * -0x1.555556p-2f);
    f64 residual = fma(-(f64)scaled * r, r * r, 1.0);
    r = fma(r * residual, fma(residual, 2.0 / 9.0, 1.0 / 3.0), r);
    return small ? r * 256.0 : r;
}

}  // namespace

EXPORT f32 __ocml_rsqrt_f32(f32 x) {
    bool small = x < 0x1p-126f;  // the hardware takes denormals for zero
    return hw::rsq(small ? x * 0x1p+24f : x) * (small ? 0x1p+12f : 1.0f);
}

EXPORT f32 __ocml_cbrt_f32(f32 x) {
    f32 ax = fabs(x);
    f64 r = reciprocal_cube_root(ax);
    f32 y = (f32)((f64)ax * r * r);
    return ax == 0.0f || !is_finite(x) ? x : copysign(y, x);
}

EXPORT f32 __ocml_rcbrt_f32(f32 x) {
    f32 ax = fabs(x);
    f32 y = (f32)reciprocal_cube_root(ax);
    y = ax == 0.0f ? infinity<f32>() : y;
    y = is_inf(x) ? 0.0f : y;
    return copysign(y, x);
}

EXPORT f32 __ocml_hypot_f32(f32 x, f32 y) { return length(square_of(x) + square_of(y), is_inf(x) || is_inf(y)); }

EXPORT f32 __ocml_rhypot_f32(f32 x, f32 y) {
    return reciprocal_length(square_of(x) + square_of(y), is_inf(x) || is_inf(y));
}

EXPORT f32 __ocml_len3_f32(f32 x, f32 y, f32 z) {
    return length(square_of(x) + square_of(y) + square_of(z), is_inf(x) || is_inf(y) || is_inf(z));
}

EXPORT f32 __ocml_rlen3_f32(f32 x, f32 y, f32 z) {
    return reciprocal_length(square_of(x) + square_of(y) + square_of(z), is_inf(x) || is_inf(y) || is_inf(z));
}

EXPORT f32 __ocml_len4_f32(f32 x, f32 y, f32 z, f32 w) {
    f64 square = (square_of(x) + square_of(y)) + (square_of(z) + square_of(w));
    return length(square, is_inf(x) || is_inf(y) || is_inf(z) || is_inf(w));
}

EXPORT f32 __ocml_rlen4_f32(f32 x, f32 y, f32 z, f32 w) {
    f64 square = (square_of(x) + square_of(y)) + (square_of(z) + square_of(w));
    return reciprocal_length(square, is_inf(x) || is_inf(y) || is_inf(z) || is_inf(w));
}
