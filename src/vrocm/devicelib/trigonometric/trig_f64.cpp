// Sine, cosine and tangent in f64.
#include "trig_f64.h"

using namespace trig_coefficients;

namespace {

INLINE f64 tangent(SineCosine s, i32 quadrant) {
    bool odd = quadrant & 1;
    DoubleDouble sine = fast_two_sum(s.sine.hi, s.sine.lo), cosine = fast_two_sum(s.cosine.hi, s.cosine.lo);
    DoubleDouble n = odd ? -cosine : sine, d = odd ? sine : cosine;
    f64 r = fast_reciprocal(d.hi);
    f64 q = n.hi * r;
    f64 rest = fma(-q, d.hi, n.hi) + fma(-q, d.lo, n.lo);
    return fma(rest, r, q);
}

}  // namespace

EXPORT f64 __ocml_sin_f64(f64 x) {
    ReducedF64 a = reduce_quarter_turns(fabs(x));
    return flip_sign(choose(sine_cosine(a.hi, a.lo), a.quadrant), bits_of(x));
}

EXPORT f64 __ocml_cos_f64(f64 x) {
    ReducedF64 a = reduce_quarter_turns(fabs(x));
    return choose(sine_cosine(a.hi, a.lo), a.quadrant + 1);
}

EXPORT f64 __ocml_sincos_f64(f64 x, PRIVATE f64* cosine) {
    ReducedF64 a = reduce_quarter_turns(fabs(x));
    SineCosine s = sine_cosine(a.hi, a.lo);
    *cosine = choose(s, a.quadrant + 1);
    return flip_sign(choose(s, a.quadrant), bits_of(x));
}

EXPORT f64 __ocml_tan_f64(f64 x) {
    ReducedF64 a = reduce_quarter_turns(fabs(x));
    f64 y = tangent(sine_cosine(a.hi, a.lo), a.quadrant);
    return fabs(x) < 0x1p-30 ? fma(x * x, x * 0x1.5555555555555p-2, x) : flip_sign(y, bits_of(x));
}

EXPORT f64 __ocml_sinpi_f64(f64 x) {
    ReducedF64 a = reduce_half_turns(fabs(x));
    f64 y = choose(sine_cosine(a.hi, a.lo), a.quadrant);
    return flip_sign(a.hi == 0.0 && !(a.quadrant & 1) ? 0.0 : y, bits_of(x));
}

EXPORT f64 __ocml_cospi_f64(f64 x) {
    ReducedF64 a = reduce_half_turns(fabs(x));
    f64 y = choose(sine_cosine(a.hi, a.lo), a.quadrant + 1);
    return a.hi == 0.0 && (a.quadrant & 1) ? 0.0 : y;
}

EXPORT f64 __ocml_sincospi_f64(f64 x, PRIVATE f64* cosine) {
    ReducedF64 a = reduce_half_turns(fabs(x));
    SineCosine s = sine_cosine(a.hi, a.lo);
    f64 sy = choose(s, a.quadrant), cy = choose(s, a.quadrant + 1);
    bool odd = a.quadrant & 1, exact = a.hi == 0.0;
    *cosine = exact && odd ? 0.0 : cy;
    return flip_sign(exact && !odd ? 0.0 : sy, bits_of(x));
}

// IEEE 754 tanPi: zeros and poles alternate in sign.
EXPORT f64 __ocml_tanpi_f64(f64 x) {
    ReducedF64 a = reduce_half_turns(fabs(x));
    f64 y = tangent(sine_cosine(a.hi, a.lo), a.quadrant);
    if (a.hi == 0.0) {
        f64 special = a.quadrant & 1 ? infinity<f64>() : 0.0;
        y = a.quadrant & 2 ? -special : special;
    } else if (fabs(x) < 0x1p-30) {
        return a.hi == 0.0 ? x : copysign(a.hi + a.lo, x);
    }
    return flip_sign(y, bits_of(x));
}
