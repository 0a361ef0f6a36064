// Logarithms in f32, on the hardware's log2.
#include "log_for_f32.h"

using namespace explog_coefficients;

namespace {

// The hardware takes denormal arguments for zero: they are scaled up, and `correction` taken off again.
struct Scaled {
    f32 x, correction;
};

INLINE Scaled scale_up(f32 x, f32 correction) {
    bool small = x < 0x1p-126f;
    return {x * (small ? 0x1p+32f : 1.0f), small ? correction : 0.0f};
}

INLINE f32 log_in_base(f32 x, f32 hi, f32 lo, f32 correction) {
    Scaled s = scale_up(x, correction);
    f32 y = hw::log2(s.x);
    f32 p = y * hi;
    f32 r = p + fma(y, lo, fma(y, hi, -p));
    r = is_finite(y) ? r : y;
    return r - s.correction;
}

}  // namespace

EXPORT f32 __ocml_log_f32(f32 x) { return log_in_base(x, kLn2F32Hi, kLn2F32Lo, 32 * kLn2F32Hi); }

EXPORT f32 __ocml_log10_f32(f32 x) { return log_in_base(x, kLog10Of2F32Hi, kLog10Of2F32Lo, 32 * kLog10Of2F32Hi); }

EXPORT f32 __ocml_log2_f32(f32 x) {
    Scaled s = scale_up(x, 32.0f);
    return hw::log2(s.x) - s.correction;
}

// In f64 1 + x is exact enough for every f32 x but the tiniest, whose logarithm is x.
EXPORT f32 __ocml_log1p_f32(f32 x) {
    f32 y = (f32)log_for_f32(1.0 + (f64)x, (f64)x);
    y = x == infinity<f32>() ? x : y;
    y = x < -1.0f ? quiet_nan<f32>() : y;
    y = x == -1.0f ? -infinity<f32>() : y;
    return fabs(x) < 0x1p-40f ? x : y;  // also keeps the sign of zero
}
