// Powers in f32, through logarithm and exponential in f64.
#include "common/double_double.h"
#include "common/polynomial.h"
#include "explog_coefficients.h"

using namespace explog_coefficients;

namespace {

// log2 of a positive finite number with about 42 good bits. As an f64 no f32 is denormal.
INLINE f64 log2_for_pow(f32 x) {
    f64 v = (f64)x;
    f64 m = hw::frexp_mantissa(v);
    i32 e = hw::frexp_exponent(v);
    bool low = m < 2.0 / 3.0;
    m = hw::ldexp(m, low);
    e -= low;
    f64 n = m - 1.0, d = m + 1.0;
    f64 r = hw::rcp(d);
    r = fma(fma(-d, r, 1.0), r, r);
    f64 s = n * r;
    return fma(s, horner(s * s, kLog2ForF32), (f64)e);
}

// 2^t rounded to f32 once, with overflow and denormals as they should be.
INLINE f32 exp2_to_f32(f64 t) {
    t = fmin(fmax(t, -200.0), 200.0);
    f64 k = rint(t);
    return (f32)hw::ldexp(horner(t - k, kExp2ForF32), (i32)k);
}

// |x|^y where nothing special happens.
INLINE f32 power_of_magnitude(f32 ax, f64 y) { return exp2_to_f32(y * log2_for_pow(ax)); }

struct Integrality {
    bool whole, odd;
};

INLINE Integrality integrality(f32 y) {
    bool whole = trunc(y) == y;
    f32 half = y * 0.5f;
    return {whole, whole && trunc(half) != half};
}

// The results of C99 F.9.4.4 for zero, infinite and NaN operands; `y_odd` decides signs.
INLINE f32 with_special_cases(f32 result, f32 x, f32 y, bool y_whole, bool y_odd) {
    f32 ax = fabs(x);
    bool negative = sign_bit(x);
    if (negative && !y_whole && x != 0.0f) result = quiet_nan<f32>();  // infinite x is mended below
    if (ax == 0.0f || is_inf(ax)) {
        bool zero = (ax == 0.0f) != (y < 0.0f);
        result = zero ? 0.0f : infinity<f32>();
    }
    if (is_inf(y)) {
        bool zero = (ax < 1.0f) == (y > 0.0f);
        result = ax == 1.0f ? 1.0f : zero ? 0.0f : infinity<f32>();
    }
    result = negative && y_odd ? -fabs(result) : result;
    if (is_nan(x) || is_nan(y)) result = quiet_nan<f32>();
    return x == 1.0f || y == 0.0f ? 1.0f : result;
}

// x^n for whole n, which may need more than the 24 bits of an f32.
INLINE f32 whole_power(f32 x, i32 n) {
    f32 ax = fabs(x);
    f32 r = power_of_magnitude(ax, (f64)n);
    if (ax == 0.0f || is_inf(ax)) r = (ax == 0.0f) != (n < 0) ? 0.0f : infinity<f32>();
    r = sign_bit(x) && (n & 1) ? -r : r;
    r = is_nan(x) ? x : r;
    return n == 0 ? 1.0f : r;
}

// x^n for 0 <= n <= 4; f64 holds the square exactly. With a constant exponent this is all that is left of pow
// after inlining.
INLINE f32 small_power(f32 x, i32 n) {
    if (n <= 2) return n == 2 ? x * x : n == 1 ? x : 1.0f;
    f64 square = (f64)x * (f64)x;
    return (f32)(square * (n == 3 ? (f64)x : square));
}

}  // namespace

EXPORT f32 __ocml_pow_f32(f32 x, f32 y) {
    if (y >= 0.0f && y <= 4.0f && trunc(y) == y) return small_power(x, (i32)y);
    if (y == -1.0f) return 1.0f / x;
    if (y == 0.5f) return is_inf(x) ? infinity<f32>() : sqrt_rn(x + 0.0f);  // of -0, +0
    f32 r = power_of_magnitude(fabs(x), (f64)y);
    Integrality i = integrality(y);
    r = sign_bit(x) && i.odd ? -r : r;
    f32 ax = fabs(x);
    bool common = x > 0.0f && ax < infinity<f32>() && fabs(y) < infinity<f32>();
    if (__builtin_expect(!common, 0)) r = with_special_cases(r, x, y, i.whole, i.odd);
    return r;
}

// OpenCL's power for x >= 0: like exp2(y log2 x), so 0^0 and inf^0 are NaN.
EXPORT f32 __ocml_powr_f32(f32 x, f32 y) {
    f32 r = power_of_magnitude(fabs(x), (f64)y);
    bool common = x > 0.0f && x < infinity<f32>() && fabs(y) < infinity<f32>();
    if (__builtin_expect(!common, 0)) {
        bool extreme = x == 0.0f || is_inf(x);
        r = with_special_cases(r, fabs(x), y, true, false);
        if (extreme && y == 0.0f) r = quiet_nan<f32>();
        if (x == 1.0f && is_inf(y)) r = quiet_nan<f32>();
        if (x < 0.0f || is_nan(x) || is_nan(y)) r = quiet_nan<f32>();
    }
    return r;
}

EXPORT f32 __ocml_pown_f32(f32 x, i32 n) {
    if (n >= 0 && n <= 4) return small_power(x, n);
    if (n == -1) return 1.0f / x;
    return whole_power(x, n);
}

EXPORT f32 __ocml_rootn_f32(f32 x, i32 n) {
    f32 ax = fabs(x);
    f32 r = power_of_magnitude(ax, fast_divide(1.0, (f64)n));
    if (ax == 0.0f || is_inf(ax)) r = (ax == 0.0f) != (n < 0) ? 0.0f : infinity<f32>();
    bool odd = n & 1;
    r = odd ? copysign(r, x) : r;
    if ((x < 0.0f && !odd) || n == 0) r = quiet_nan<f32>();
    return is_nan(x) ? x : r;
}
