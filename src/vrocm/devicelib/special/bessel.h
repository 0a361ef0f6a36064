// Bessel functions of the first and second kind, orders 0 and 1, in f64.
//
// Up to 42 each function is a polynomial around each of its zeros, times the distance from that zero, so that
// it is accurate next to the zero too. Beyond, modulus and phase are asymptotic series in 1/x^2 (Harrison,
// ARITH 2009); where the phase comes close to a zero of the function it is computed again in double-double.
#pragma once

#include "bessel_coefficients.h"
#include "exponential/log_f64.h"
#include "trigonometric/trig_f64.h"

namespace bessel {

using namespace bessel_coefficients;

constexpr f64 kLarge = 42.0;
constexpr f64 kEighthPi = 0x1.921fb54442d18p-2;
constexpr f64 kOneOverPi = 0x1.45f306dc9c883p-2;

template <typename Piece>
INLINE f64 around_zero(const Piece& piece, f64 x) {
    f64 t = (x - piece.hi) - piece.lo;
    return t * horner(t, piece.coefficients);
}

// Which piece x belongs to: the pieces of a function begin at pi (n - low).
INLINE i32 piece_number(f64 x, f64 low) { return (i32)floor(fma(x, kOneOverPi, low)); }

// x times the phase beyond x, in double-double.
template <int N, int M>
INLINE DoubleDouble extended_phase(f64 x, const f64 (&c)[N], const f64 (&c_lo)[M]) {
    DoubleDouble r = DoubleDouble{1.0, 0.0} / DoubleDouble{x, 0.0};
    DoubleDouble v = r * r;
    DoubleDouble sum = v * horner_from<M>(v.hi, c);
    for (int k = M - 1; k > 0; --k) sum = v * (sum + DoubleDouble{c[k], c_lo[k]});
    return r * (sum + DoubleDouble{c[0], c_lo[0]});
}

// sin(x + eighth pi/4 + phase) times the modulus, for x >= 42 and eighth = +1 or -1.
template <int S, int N, int M>
INLINE f64 oscillating(f64 x, i32 eighth, const f64 (&c_short)[S], const f64 (&c)[N], const f64 (&c_lo)[M],
                       const f64 (&modulus)[S]) {
    ReducedF64 a = reduce_quarter_turns(x);
    f64 r = fast_reciprocal(x), v = r * r;
    bool positive = a.hi >= 0.0;
    DoubleDouble base = {positive ? -kQuarterPiHi : kQuarterPiHi, positive ? -kQuarterPiLo : kQuarterPiLo};
    base = DoubleDouble{a.hi, a.lo} + base;
    i32 quadrant = a.quadrant + (eighth > 0 ? (positive ? 1 : 0) : (positive ? 0 : -1));
    DoubleDouble angle = base + r * horner(v, c_short);
    if (fabs(angle.hi) < 0.02 && !(quadrant & 1)) angle = base + extended_phase(x, c, c_lo);
    f64 amplitude =
        fast_reciprocal_root(x * kEighthPi) * (0.5 * horner(v, modulus));  // sqrt(2 / (pi x)) and the series
    return amplitude * choose(sine_cosine(angle.hi, angle.lo), quadrant);
}

INLINE f64 j0(f64 x) {
    f64 a = fabs(x);
    if (a < 0.79) return horner(a * a, kJ0Small);
    if (a < kLarge) return around_zero(kJ0Pieces[piece_number(a, 0.75) - 1], a);
    if (a == infinity<f64>()) return 0.0;
    return oscillating(a, 1, kPhase0Short, kPhase0, kPhase0Lo, kModulus0);
}

INLINE f64 j1(f64 x) {
    f64 a = fabs(x);
    f64 y;
    if (a < kLarge) {
        y = around_zero(kJ1Pieces[piece_number(a, 0.25)], a);
    } else if (a == infinity<f64>()) {
        y = 0.0;
    } else {
        y = oscillating(a, -1, kPhase1Short, kPhase1, kPhase1Lo, kModulus1);
    }
    return is_nan(x) ? x : x < 0.0 ? -y : copysign(y, x == 0.0 ? x : y);
}

// log(x / z) for a zero z, accurate next to it.
INLINE f64 log_of_ratio(f64 x, f64 hi, f64 lo, f64 inverse) {
    f64 near = ((x - hi) - lo) * inverse;
    if (fabs(near) < 0.25) return log1p_core(near);
    LogReduced r = reduce_mantissa(x);
    LogParts p = log_parts(r.m - 1.0);
    f64 log_x = fma((f64)r.e, explog_coefficients::kLn2Hi, p.f - (p.half_square - p.rest));
    DoubleDouble log_z = log_extended(hi, lo);
    return log_x - log_z.hi;
}

INLINE f64 outside_domain(f64 x) {
    if (x == 0.0) return -infinity<f64>();
    return x == infinity<f64>() ? 0.0 : quiet_nan<f64>();  // negative or NaN
}

INLINE f64 y0(f64 x) {
    if (!(x > 0.0 && x < infinity<f64>())) return outside_domain(x);
    if (x < 2.356) {
        f64 square = x * x;
        f64 rest = ((x - kY0ZeroHi) - kY0ZeroLo) * (x + kY0ZeroHi) * horner(square, kY0Small);
        f64 log_term = kTwoOverPiHi * log_of_ratio(x, kY0ZeroHi, kY0ZeroLo, kY0InverseZeroHi);
        return fma(log_term, horner(square, kJ0Small), rest);
    }
    if (x < kLarge) return around_zero(kY0Pieces[piece_number(x, 0.25) - 1], x);
    return oscillating(x, -1, kPhase0Short, kPhase0, kPhase0Lo, kModulus0);
}

INLINE f64 y1(f64 x) {
    if (!(x > 0.0 && x < infinity<f64>())) return outside_domain(x);
    if (x < 0x1p-60) return -kTwoOverPiHi / x;
    if (x < 3.927) {
        f64 square = x * x;
        f64 rest = ((x - kY1ZeroHi) - kY1ZeroLo) * (x + kY1ZeroHi) * horner(square, kY1Small);
        f64 log_term = kTwoOverPiHi * log_of_ratio(x, kY1ZeroHi, kY1ZeroLo, kY1InverseZeroHi);
        return fma(log_term * x, horner(square, kJ1Small), fast_divide(rest, x));
    }
    if (x < kLarge) return around_zero(kY1Pieces[piece_number(x, 0.75) - 2], x);
    return -oscillating(x, 1, kPhase1Short, kPhase1, kPhase1Lo, kModulus1);
}

}  // namespace bessel
