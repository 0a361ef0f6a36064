// Operations on sign, exponent and order that are exact or correctly rounded.
#include "common/float_bits.h"

EXPORT f16 __ocml_fabs_f16(f16 x) { return fabs(x); }
EXPORT f16 __ocml_copysign_f16(f16 x, f16 sign) { return copysign(x, sign); }
EXPORT f16 __ocml_fma_f16(f16 a, f16 b, f16 c) { return fma(a, b, c); }
EXPORT f16 __ocml_mad_f16(f16 a, f16 b, f16 c) { return fma(a, b, c); }
EXPORT f16 __ocml_fmuladd_f16(f16 a, f16 b, f16 c) { return fma(a, b, c); }
EXPORT f16 __ocml_fmin_f16(f16 x, f16 y) { return fmin(x, y); }
EXPORT f16 __ocml_fmax_f16(f16 x, f16 y) { return fmax(x, y); }
EXPORT f16 __ocml_sqrt_f16(f16 x) { return sqrt_rn(x); }
EXPORT f16 __ocml_fdim_f16(f16 x, f16 y) { return x <= y ? f16(0) : x - y; }
EXPORT i32 __ocml_isnan_f16(f16 x) { return is_nan(x); }
EXPORT i32 __ocml_isinf_f16(f16 x) { return is_inf(x); }
EXPORT i32 __ocml_isfinite_f16(f16 x) { return is_finite(x); }
EXPORT i32 __ocml_isnormal_f16(f16 x) { return __builtin_isnormal(x); }
EXPORT i32 __ocml_signbit_f16(f16 x) { return sign_bit(x); }
EXPORT f16 __ocml_ldexp_f16(f16 x, i32 e) { return hw::ldexp(x, e); }
EXPORT f16 __ocml_scalbn_f16(f16 x, i32 e) { return hw::ldexp(x, e); }

EXPORT f32 __ocml_fabs_f32(f32 x) { return fabs(x); }
EXPORT f32 __ocml_copysign_f32(f32 x, f32 sign) { return copysign(x, sign); }
EXPORT f32 __ocml_fma_f32(f32 a, f32 b, f32 c) { return fma(a, b, c); }
EXPORT f32 __ocml_mad_f32(f32 a, f32 b, f32 c) { return fma(a, b, c); }
EXPORT f32 __ocml_fmuladd_f32(f32 a, f32 b, f32 c) { return fma(a, b, c); }
EXPORT f32 __ocml_fmin_f32(f32 x, f32 y) { return fmin(x, y); }
EXPORT f32 __ocml_fmax_f32(f32 x, f32 y) { return fmax(x, y); }
EXPORT f32 __ocml_sqrt_f32(f32 x) { return sqrt_rn(x); }
EXPORT f32 __ocml_fdim_f32(f32 x, f32 y) { return x <= y ? f32(0) : x - y; }
EXPORT i32 __ocml_isnan_f32(f32 x) { return is_nan(x); }
EXPORT i32 __ocml_isinf_f32(f32 x) { return is_inf(x); }
EXPORT i32 __ocml_isfinite_f32(f32 x) { return is_finite(x); }
EXPORT i32 __ocml_isnormal_f32(f32 x) { return __builtin_isnormal(x); }
EXPORT i32 __ocml_signbit_f32(f32 x) { return sign_bit(x); }
EXPORT f32 __ocml_ldexp_f32(f32 x, i32 e) { return hw::ldexp(x, e); }
EXPORT f32 __ocml_scalbn_f32(f32 x, i32 e) { return hw::ldexp(x, e); }

EXPORT f64 __ocml_fabs_f64(f64 x) { return fabs(x); }
EXPORT f64 __ocml_copysign_f64(f64 x, f64 sign) { return copysign(x, sign); }
EXPORT f64 __ocml_fma_f64(f64 a, f64 b, f64 c) { return fma(a, b, c); }
EXPORT f64 __ocml_mad_f64(f64 a, f64 b, f64 c) { return fma(a, b, c); }
EXPORT f64 __ocml_fmuladd_f64(f64 a, f64 b, f64 c) { return fma(a, b, c); }
EXPORT f64 __ocml_fmin_f64(f64 x, f64 y) { return fmin(x, y); }
EXPORT f64 __ocml_fmax_f64(f64 x, f64 y) { return fmax(x, y); }
EXPORT f64 __ocml_sqrt_f64(f64 x) { return sqrt_rn(x); }
EXPORT f64 __ocml_fdim_f64(f64 x, f64 y) { return x <= y ? f64(0) : x - y; }
EXPORT i32 __ocml_isnan_f64(f64 x) { return is_nan(x); }
EXPORT i32 __ocml_isinf_f64(f64 x) { return is_inf(x); }
EXPORT i32 __ocml_isfinite_f64(f64 x) { return is_finite(x); }
EXPORT i32 __ocml_isnormal_f64(f64 x) { return __builtin_isnormal(x); }
EXPORT i32 __ocml_signbit_f64(f64 x) { return sign_bit(x); }
EXPORT f64 __ocml_ldexp_f64(f64 x, i32 e) { return hw::ldexp(x, e); }
EXPORT f64 __ocml_scalbn_f64(f64 x, i32 e) { return hw::ldexp(x, e); }

// Beyond +-4096 every f64 has over- or underflowed, so clamping loses nothing.
INLINE i32 clamp_exponent(i64 e) { return e > 4096 ? 4096 : e < -4096 ? -4096 : (i32)e; }

EXPORT f16 __ocml_scalbln_f16(f16 x, i64 e) { return hw::ldexp(x, clamp_exponent(e)); }
EXPORT f32 __ocml_scalbln_f32(f32 x, i64 e) { return hw::ldexp(x, clamp_exponent(e)); }
EXPORT f64 __ocml_scalbln_f64(f64 x, i64 e) { return hw::ldexp(x, clamp_exponent(e)); }

// OpenCL and old BSD: the exponent is a floating-point number; a fractional one is an error.
template <typename T>
INLINE T scale_by(T x, T e) {
    T clamped = fmin(fmax(e, T(-4096)), T(4096));
    T r = hw::ldexp(x, (i32)clamped);
    if (is_finite(e) && rint(e) != e) r = quiet_nan<T>();
    if (is_inf(e)) r = sign_bit(e) ? x / infinity<T>() : x * infinity<T>();  // 0 * inf and inf / inf are NaN
    return is_nan(x) || is_nan(e) ? x + e : r;
}

EXPORT f16 __ocml_scalb_f16(f16 x, f16 e) { return scale_by(x, e); }
EXPORT f32 __ocml_scalb_f32(f32 x, f32 e) { return scale_by(x, e); }
EXPORT f64 __ocml_scalb_f64(f64 x, f64 e) { return scale_by(x, e); }

template <typename T>
INLINE T split_exponent(T x, PRIVATE i32* exponent) {
    *exponent = hw::frexp_exponent(x);
    return hw::frexp_mantissa(x);
}

EXPORT f16 __ocml_frexp_f16(f16 x, PRIVATE i32* exponent) { return split_exponent(x, exponent); }
EXPORT f32 __ocml_frexp_f32(f32 x, PRIVATE i32* exponent) { return split_exponent(x, exponent); }
EXPORT f64 __ocml_frexp_f64(f64 x, PRIVATE i32* exponent) { return split_exponent(x, exponent); }

// Zero and NaN give INT_MIN and infinity INT_MAX, as the C library of x86-64 hosts does, so that device and
// host agree.
template <typename T>
INLINE i32 exponent_of(T x) {
    i32 e = hw::frexp_exponent(x) - 1;
    if (x == T(0) || is_nan(x)) e = (i32)0x80000000;
    return is_inf(x) ? 0x7fffffff : e;
}

EXPORT i32 __ocml_ilogb_f16(f16 x) { return exponent_of(x); }
EXPORT i32 __ocml_ilogb_f32(f32 x) { return exponent_of(x); }
EXPORT i32 __ocml_ilogb_f64(f64 x) { return exponent_of(x); }

template <typename T>
INLINE T float_exponent_of(T x) {
    T e = T(hw::frexp_exponent(x) - 1);
    if (x == T(0)) e = -infinity<T>();
    return is_finite(x) ? e : x * x;
}

EXPORT f16 __ocml_logb_f16(f16 x) { return float_exponent_of(x); }
EXPORT f32 __ocml_logb_f32(f32 x) { return float_exponent_of(x); }
EXPORT f64 __ocml_logb_f64(f64 x) { return float_exponent_of(x); }

// Neighbours: floats of one sign are ordered as their bit patterns.
template <typename T>
INLINE T step_away_from_zero(T x, int step) {
    using Bits = typename Format<T>::Bits;
    return from_bits((Bits)(bits_of(x) + (Bits)step));
}

template <typename T>
INLINE T neighbour(T x, T y) {
    if (is_nan(x) || is_nan(y)) return x + y;
    if (x == y) return y;
    if (x == T(0)) return copysign(from_bits((typename Format<T>::Bits)1), y);
    return step_away_from_zero(x, (x < y) == (x > T(0)) ? 1 : -1);
}

template <typename T>
INLINE T successor(T x) {
    return neighbour(x, infinity<T>());
}

template <typename T>
INLINE T predecessor(T x) {
    return neighbour(x, -infinity<T>());
}

EXPORT f16 __ocml_nextafter_f16(f16 x, f16 y) { return neighbour(x, y); }
EXPORT f16 __ocml_succ_f16(f16 x) { return successor(x); }
EXPORT f16 __ocml_pred_f16(f16 x) { return predecessor(x); }
EXPORT f32 __ocml_nextafter_f32(f32 x, f32 y) { return neighbour(x, y); }
EXPORT f32 __ocml_succ_f32(f32 x) { return successor(x); }
EXPORT f32 __ocml_pred_f32(f32 x) { return predecessor(x); }
EXPORT f64 __ocml_nextafter_f64(f64 x, f64 y) { return neighbour(x, y); }
EXPORT f64 __ocml_succ_f64(f64 x) { return successor(x); }
EXPORT f64 __ocml_pred_f64(f64 x) { return predecessor(x); }

template <typename T>
INLINE T larger_magnitude(T x, T y) {
    T ax = fabs(x), ay = fabs(y);
    return ax > ay ? x : ay > ax ? y : fmax(x, y);
}

template <typename T>
INLINE T smaller_magnitude(T x, T y) {
    T ax = fabs(x), ay = fabs(y);
    return ax < ay ? x : ay < ax ? y : fmin(x, y);
}

EXPORT f16 __ocml_maxmag_f16(f16 x, f16 y) { return larger_magnitude(x, y); }
EXPORT f16 __ocml_minmag_f16(f16 x, f16 y) { return smaller_magnitude(x, y); }
EXPORT f32 __ocml_maxmag_f32(f32 x, f32 y) { return larger_magnitude(x, y); }
EXPORT f32 __ocml_minmag_f32(f32 x, f32 y) { return smaller_magnitude(x, y); }
EXPORT f64 __ocml_maxmag_f64(f64 x, f64 y) { return larger_magnitude(x, y); }
EXPORT f64 __ocml_minmag_f64(f64 x, f64 y) { return smaller_magnitude(x, y); }

// nan(payload): a quiet NaN that carries the low bits of the payload.
EXPORT f16 __ocml_nan_f16(u16 payload) { return from_bits((u16)(Format<f16>::quiet_nan | (payload & 0x1ff))); }
EXPORT f32 __ocml_nan_f32(u32 payload) { return from_bits(Format<f32>::quiet_nan | (payload & 0x3fffff)); }
EXPORT f64 __ocml_nan_f64(u64 payload) { return from_bits(Format<f64>::quiet_nan | (payload & 0x7ffffffffffff)); }
