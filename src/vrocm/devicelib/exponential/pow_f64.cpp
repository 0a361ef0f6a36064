// Powers in f64: exp(y log x) with the logarithm and the product in double-double.
#include "exp_f64.h"
#include "log_f64.h"

namespace {

// |x|^(y + y_lo) where nothing special happens.
INLINE f64 power_of_magnitude(f64 ax, f64 y, f64 y_lo) {
    DoubleDouble l = log_extended(ax, 0.0);
    f64 hi = y * l.hi;
    f64 lo = fma(y, l.lo, fma(y_lo, l.hi, fma(y, l.hi, -hi)));
    f64 clamped = fmin(fmax(hi, -1000.0), 1000.0);
    return exp_extended(clamped, clamped == hi ? lo : 0.0);
}

struct Integrality {
    bool whole, odd;
};

INLINE Integrality integrality(f64 y) {
    bool whole = trunc(y) == y;
    f64 half = y * 0.5;
    return {whole, whole && trunc(half) != half};
}

// The results of C99 F.9.4.4 for zero, infinite and NaN operands; `y_odd` decides signs.
INLINE f64 with_special_cases(f64 result, f64 x, f64 y, bool y_whole, bool y_odd) {
    f64 ax = fabs(x);
    bool negative = sign_bit(x);
    if (negative && !y_whole && x != 0.0) result = quiet_nan<f64>();  // infinite x is mended below
    if (ax == 0.0 || is_inf(ax)) {
        bool zero = (ax == 0.0) != (y < 0.0);
        result = zero ? 0.0 : infinity<f64>();
    }
    if (is_inf(y)) {
        bool zero = (ax < 1.0) == (y > 0.0);
        result = ax == 1.0 ? 1.0 : zero ? 0.0 : infinity<f64>();
    }
    result = negative && y_odd ? -fabs(result) : result;
    if (is_nan(x) || is_nan(y)) result = quiet_nan<f64>();
    return x == 1.0 || y == 0.0 ? 1.0 : result;
}

// x^n for 0 <= n <= 4, with the rounding errors of the products added. With a constant exponent this is all that
// is left of pow after inlining.
INLINE f64 small_power(f64 x, i32 n) {
    if (n <= 2) return n == 2 ? x * x : n == 1 ? x : 1.0;
    DoubleDouble square = two_product(x, x);
    DoubleDouble p = two_product(square.hi, n == 3 ? x : square.hi);
    f64 sum = p.hi + fma(square.lo, n == 3 ? x : square.hi + square.hi, p.lo);
    return __builtin_isnormal(p.hi) ? sum : p.hi;  // a zero keeps its sign, an infinity stays one
}

}  // namespace

EXPORT f64 __ocml_pow_f64(f64 x, f64 y) {
    if (y >= 0.0 && y <= 4.0 && trunc(y) == y) return small_power(x, (i32)y);
    if (y == -1.0) return 1.0 / x;
    if (y == 0.5) return is_inf(x) ? infinity<f64>() : sqrt_rn(x + 0.0);  // of -0, +0
    f64 ax = fabs(x);
    f64 r = power_of_magnitude(ax, y, 0.0);
    Integrality i = integrality(y);
    r = sign_bit(x) && i.odd ? -r : r;
    bool common = x > 0.0 && ax < infinity<f64>() && fabs(y) < infinity<f64>();
    if (__builtin_expect(!common, 0)) r = with_special_cases(r, x, y, i.whole, i.odd);
    return r;
}

// OpenCL's power for x >= 0: like exp2(y log2 x), so 0^0 and inf^0 are NaN.
EXPORT f64 __ocml_powr_f64(f64 x, f64 y) {
    f64 r = power_of_magnitude(fabs(x), y, 0.0);
    bool common = x > 0.0 && x < infinity<f64>() && fabs(y) < infinity<f64>();
    if (__builtin_expect(!common, 0)) {
        bool extreme = x == 0.0 || is_inf(x);
        r = with_special_cases(r, fabs(x), y, true, false);
        if (extreme && y == 0.0) r = quiet_nan<f64>();
        if (x == 1.0 && is_inf(y)) r = quiet_nan<f64>();
        if (x < 0.0 || is_nan(x) || is_nan(y)) r = quiet_nan<f64>();
    }
    return r;
}

EXPORT f64 __ocml_pown_f64(f64 x, i32 n) {
    if (n >= 0 && n <= 4) return small_power(x, n);
    if (n == -1) return 1.0 / x;
    f64 ax = fabs(x);
    f64 r = power_of_magnitude(ax, (f64)n, 0.0);
    if (ax == 0.0 || is_inf(ax)) r = (ax == 0.0) != (n < 0) ? 0.0 : infinity<f64>();
    r = sign_bit(x) && (n & 1) ? -r : r;
    r = is_nan(x) ? x : r;
    return n == 0 ? 1.0 : r;
}

EXPORT f64 __ocml_rootn_f64(f64 x, i32 n) {
    f64 ax = fabs(x);
    DoubleDouble y = DoubleDouble{1.0, 0.0} / DoubleDouble{(f64)n, 0.0};
    f64 r = power_of_magnitude(ax, y.hi, y.lo);
    if (ax == 0.0 || is_inf(ax)) r = (ax == 0.0) != (n < 0) ? 0.0 : infinity<f64>();
    bool odd = n & 1;
    r = odd ? copysign(r, x) : r;
    if ((x < 0.0 && !odd) || n == 0) r = quiet_nan<f64>();
    return is_nan(x) ? x : r;
}
