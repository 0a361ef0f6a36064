// Sine, cosine and tangent in f32. The reduced argument is f64 (full rate on CDNA), the polynomials f32.
#include "common/polynomial.h"
#include "trig_reduction.h"

using namespace trig_coefficients;

namespace {

INLINE f32 flip_sign(f32 x, u32 sign_bits) { return from_bits(bits_of(x) ^ (sign_bits & 0x80000000u)); }

// sin r = r + sine, cos r = 1 - r^2/2 + cosine: the large parts stay f64, the small ones are f32.
struct Parts {
    f64 r, cosine_base;
    f32 sine, cosine;
};

INLINE Parts parts(f64 r) {
    f64 square = r * r;
    f32 z = (f32)square;
    return {r, fma(square, -0.5, 1.0), horner(z, kSinF32) * z * (f32)r, horner(z, kCosF32) * z * z};
}

// The sine of r + quadrant pi/2, added in f64 and rounded once.
INLINE f32 choose(Parts p, i32 quadrant) {
    bool odd = quadrant & 1;
    f64 base = odd ? p.cosine_base : p.r;
    f32 correction = odd ? p.cosine : p.sine;
    return flip_sign((f32)(base + (f64)correction), (u32)quadrant << 30);
}

INLINE f64 sine_f64(f64 r) {
    f64 z = r * r;
    // Enough for an f32 result: Taylor's first terms with the f32 minimax ones.
    return fma(z * r,
               fma(z, fma(z, fma(z, 0x1.71de3a556c734p-19, -0x1.a01a01a01a01ap-13), 0x1.1111111111111p-7),
                   -0x1.5555555555555p-3),
               r);
}

INLINE f64 cosine_f64(f64 r) {
    f64 z = r * r;
    return fma(z,
               fma(z,
                   fma(z, fma(z, fma(z, -0x1.27e4fb7789f5cp-22, 0x1.a01a01a01a01ap-16), -0x1.6c16c16c16c17p-10),
                       0x1.5555555555555p-5),
                   -0.5),
               1.0);
}

// x in half turns: what is left of x after taking the nearest multiple of 1/2 away, times pi.
INLINE ReducedF32 reduce_half_turns(f32 x) {
    f32 k = rint(x + x);
    f32 r = fma(k, -0.5f, x);
    // From 2^24 on every x is an even number, and k may be too large for an integer.
    i32 quadrant = x < 0x1p+24f ? (i32)k : 0;
    r = x < 0x1p+24f ? r : x - x;  // NaN for infinity
    return {(f64)r * kPiHi, quadrant};
}

INLINE f32 tangent(f64 r, i32 quadrant) {
    f64 s = sine_f64(r), c = cosine_f64(r);
    bool odd = quadrant & 1;
    f64 n = odd ? -c : s, d = odd ? s : c;
    f64 q = hw::rcp(d);
    q = fma(fma(-d, q, 1.0), q, q);
    return (f32)(n * q);
}

}  // namespace

EXPORT f32 __ocml_sin_f32(f32 x) {
    ReducedF32 a = reduce_quarter_turns(fabs(x));
    return flip_sign(choose(parts(a.r), a.quadrant), bits_of(x));
}

EXPORT f32 __ocml_cos_f32(f32 x) {
    ReducedF32 a = reduce_quarter_turns(fabs(x));
    return choose(parts(a.r), a.quadrant + 1);
}

EXPORT f32 __ocml_sincos_f32(f32 x, PRIVATE f32* cosine) {
    ReducedF32 a = reduce_quarter_turns(fabs(x));
    Parts p = parts(a.r);
    *cosine = choose(p, a.quadrant + 1);
    return flip_sign(choose(p, a.quadrant), bits_of(x));
}

EXPORT f32 __ocml_tan_f32(f32 x) {
    ReducedF32 a = reduce_quarter_turns(fabs(x));
    return flip_sign(tangent(a.r, a.quadrant), bits_of(x));
}

EXPORT f32 __ocml_sinpi_f32(f32 x) {
    ReducedF32 a = reduce_half_turns(fabs(x));
    f32 y = choose(parts(a.r), a.quadrant);
    // Whole numbers give a zero with the sign of x, odd or not.
    return flip_sign(a.r == 0.0 && !(a.quadrant & 1) ? 0.0f : y, bits_of(x));
}

EXPORT f32 __ocml_cospi_f32(f32 x) {
    ReducedF32 a = reduce_half_turns(fabs(x));
    f32 y = choose(parts(a.r), a.quadrant + 1);
    return a.r == 0.0 && (a.quadrant & 1) ? 0.0f : y;  // cos of odd multiples of pi/2 is +0
}

EXPORT f32 __ocml_sincospi_f32(f32 x, PRIVATE f32* cosine) {
    ReducedF32 a = reduce_half_turns(fabs(x));
    Parts p = parts(a.r);
    f32 cy = choose(p, a.quadrant + 1), sy = choose(p, a.quadrant);
    bool odd = a.quadrant & 1;
    *cosine = a.r == 0.0 && odd ? 0.0f : cy;
    return flip_sign(a.r == 0.0 && !odd ? 0.0f : sy, bits_of(x));
}

// IEEE 754 tanPi: zeros and poles alternate in sign.
EXPORT f32 __ocml_tanpi_f32(f32 x) {
    ReducedF32 a = reduce_half_turns(fabs(x));
    bool odd = a.quadrant & 1, upper = a.quadrant & 2;
    f32 y = tangent(a.r, a.quadrant);
    if (a.r == 0.0) {
        f32 special = odd ? infinity<f32>() : 0.0f;
        y = upper ? -special : special;
    }
    return flip_sign(y, bits_of(x));
}
