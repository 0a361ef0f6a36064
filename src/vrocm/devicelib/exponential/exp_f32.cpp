// Exponentials in f32, on the hardware's 2^x.
#include "exp_f32.h"

using namespace explog_coefficients;

namespace {

// 2^(x c) for a constant c = hi + lo: the product is split so that what the hardware sees is within its
// best range and carries the low part of the product too.
INLINE f32 exp2_of_product(f32 x, f32 hi, f32 lo, f32 overflow, f32 underflow) {
    f32 p = x * hi;
    f32 rest = fma(x, lo, fma(x, hi, -p));
    f32 whole = rint(p);
    f32 r = hw::ldexp(hw::exp2((p - whole) + rest), (i32)whole);
    r = x < underflow ? 0.0f : r;
    return x > overflow ? infinity<f32>() : r;
}

}  // namespace

EXPORT f32 __ocml_exp_f32(f32 x) {
    return exp2_of_product(x, kLog2EF32Hi, kLog2EF32Lo, 0x1.62e42ep+6f, -0x1.9fe36ap+6f);
}

EXPORT f32 __ocml_exp10_f32(f32 x) {
    return exp2_of_product(x, kLog2Of10F32Hi, kLog2Of10F32Lo, 0x1.344134p+5f, -0x1.693d0cp+5f);
}

EXPORT f32 __ocml_exp2_f32(f32 x) {
    // The hardware has no denormal results: compute 2^64 times as much and scale.
    bool small = x < -126.0f;
    return hw::exp2(x + (small ? 64.0f : 0.0f)) * (small ? 0x1p-64f : 1.0f);
}

EXPORT f32 __ocml_expm1_f32(f32 x) {
    f32 half = half_expm1(x);
    f32 y = half + half;
    y = x < -17.5f ? -1.0f : y;  // exp(x) is less than a quarter ulp of 1
    y = x > 0x1.62e42ep+6f ? infinity<f32>() : y;
    return fabs(x) < 0x1p-30f ? x : y;  // keeps the sign of zero and the bits of denormals
}
