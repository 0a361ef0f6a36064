// The gamma function and its logarithm in f32 and f64.
//
// Everything rests on Stirling's formula for y >= 8, in double-double: smaller arguments are shifted up by the
// recurrence, negative ones reflected. Where log |gamma| has a zero the formula would cancel: near 1 and 2 a
// polynomial with that zero is used, near the negative zeros an expansion around each.
#include "exponential/exp_f64.h"
#include "exponential/log_f64.h"
#include "gamma_coefficients.h"
#include "trigonometric/trig_f64.h"

using namespace gamma_coefficients;

namespace {

// gamma(x) = exp(log_part) / product for x > 0.
struct Shifted {
    DoubleDouble log_part, product;
};

INLINE Shifted stirling(f64 x) {
    DoubleDouble y = {x, 0.0}, product = {1.0, 0.0};
    while (y.hi < 8.0) {
        product = product * y;
        y = y + 1.0;
    }
    DoubleDouble l = log_extended(y.hi, y.lo);
    f64 r = fast_reciprocal(y.hi);
    f64 correction = r * horner(r * r, kStirling);
    DoubleDouble main = (y - 0.5) * l - y;
    return {main + (DoubleDouble{kHalfLog2PiHi, kHalfLog2PiLo} + correction), product};
}

// pi / (a |sin(pi a)|) times `product`, for a > 0 that is not a whole number.
INLINE DoubleDouble reflection_factor(f64 a, DoubleDouble product) {
    ReducedF64 r = reduce_half_turns(a);
    // Through the half angle, whose series need smaller corrections: sin = 2 s c, cos = 1 - 2 s^2.
    SineCosine parts = sine_cosine(0.5 * r.hi, 0.5 * r.lo);
    DoubleDouble half_sine = fast_two_sum(parts.sine.hi, parts.sine.lo);
    DoubleDouble half_cosine = fast_two_sum(parts.cosine.hi, parts.cosine.lo);
    DoubleDouble twice = half_sine * 2.0;
    DoubleDouble s = r.quadrant & 1 ? DoubleDouble{1.0, 0.0} - twice * half_sine : twice * half_cosine;
    s = s.hi < 0.0 ? -s : s;
    return product * DoubleDouble{kPiHi, kPiLo} / (s * a);
}

// The sign of gamma(-a) for a > 0, not whole: positive in (-2, -1), (-4, -3), ...
INLINE bool negative_gamma(f64 a) { return hw::fract(0.5 * floor(a)) == 0.0; }

// factor * exp(power), rounded once.
INLINE f64 times_exp(DoubleDouble factor, DoubleDouble power) {
    ExpReduced e = reduce_exponent(power.hi, power.lo + fast_divide(factor.lo, factor.hi));
    DoubleDouble p = expm1_parts(e.r, e.lo);
    f64 mantissa = hw::frexp_mantissa(factor.hi);
    return hw::ldexp(fma(mantissa, p.hi + p.lo, mantissa), e.k + hw::frexp_exponent(factor.hi));
}

INLINE f64 gamma(f64 x) {
    f64 a = fabs(x);
    if (a < 0x1p-54) return 1.0 / x;
    bool whole = trunc(x) == x;
    if (x < 0.0 && (whole || is_inf(x))) return quiet_nan<f64>();
    if (is_nan(x)) return x;
    f64 b = a > 200.0 ? 200.0 : a;
    Shifted s = stirling(b);
    if (x > 0.0) {
        f64 y = times_exp(DoubleDouble{1.0, 0.0} / s.product, s.log_part);
        return a > 172.0 ? infinity<f64>() : y;
    }
    f64 y = a > 190.0 ? 0.0 : times_exp(reflection_factor(b, s.product), -s.log_part);
    return negative_gamma(a) ? -y : y;
}

INLINE f64 plain_log(f64 x) {
    LogReduced r = reduce_mantissa(x);
    LogParts p = log_parts(r.m - 1.0);
    f64 e = (f64)r.e;
    using namespace explog_coefficients;
    return fma(e, kLn2Short, p.f - (p.half_square - fma(e, kLn2ShortRest, p.rest)));
}

INLINE f64 log_gamma_positive(f64 x) {
    if (x < 2.5) {
        f64 near = x < 0.5 ? x : x < 1.25 ? x - 1.0 : x - 2.0;  // all exact
        f64 y = near * horner(near, kLogGammaNearTwo);
        if (x < 1.25) y -= plain_log(x < 0.5 ? fma(x, x, x) : x);
        return y;
    }
    if (x > 0x1p+60) return x * (plain_log(x) - 1.0);
    Shifted s = stirling(x);
    DoubleDouble y = s.log_part;
    if (x < 8.0) y = y - log_extended(s.product.hi, s.product.lo);
    return y.hi + y.lo;
}

// log |gamma(-a)| for a > 0, not whole.
INLINE f64 log_gamma_negative(f64 a) {
    if (a < 0x1p-54) return -plain_log(a);
    i32 n = a < 64.0 ? (i32)a : 64;
    if (n >= kFirstInterval && n <= kLastInterval) {
        const NegativeZero& zero = kNegativeZeros[2 * (n - kFirstInterval) + (a - (f64)n > 0.5 ? 1 : 0)];
        f64 u = fast_divide((-a - zero.hi) - zero.lo, zero.distance);
        if (fabs(u) < 0.125) return u * horner(u, zero.coefficients);
    }
    Shifted s = stirling(a);
    DoubleDouble f = reflection_factor(a, s.product);
    DoubleDouble y = log_extended(f.hi, f.lo) - s.log_part;
    return y.hi + y.lo;
}

struct LogGamma {
    f64 value;
    i32 sign;
};

INLINE LogGamma log_gamma(f64 x) {
    if (is_nan(x)) return {x, 1};
    if (is_inf(x)) return {infinity<f64>(), 1};
    if (x > 0.0) return {log_gamma_positive(x), 1};
    if (trunc(x) == x) return {infinity<f64>(), x == 0.0 && sign_bit(x) ? -1 : 1};
    return {log_gamma_negative(-x), negative_gamma(-x) ? -1 : 1};
}

}  // namespace

EXPORT f64 __ocml_tgamma_f64(f64 x) { return gamma(x); }
EXPORT f32 __ocml_tgamma_f32(f32 x) { return (f32)gamma((f64)x); }
EXPORT f64 __ocml_lgamma_f64(f64 x) { return log_gamma(x).value; }
EXPORT f32 __ocml_lgamma_f32(f32 x) { return (f32)log_gamma((f64)x).value; }

EXPORT f64 __ocml_lgamma_r_f64(f64 x, PRIVATE i32* sign) {
    LogGamma g = log_gamma(x);
    *sign = g.sign;
    return g.value;
}

EXPORT f32 __ocml_lgamma_r_f32(f32 x, PRIVATE i32* sign) {
    LogGamma g = log_gamma((f64)x);
    *sign = g.sign;
    return (f32)g.value;
}
