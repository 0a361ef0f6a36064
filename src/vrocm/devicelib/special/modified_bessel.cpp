// Modified Bessel functions of the first kind, orders 0 and 1: a series near 0, then exp(x) times something
// smooth, which beyond 8 is in powers of 1/x.
#include "exponential/exp_f64.h"
#include "modified_bessel_coefficients.h"

using namespace modified_bessel_coefficients;

namespace {

// For x >= 4.
template <int M, int L>
INLINE f64 exponential(f64 x, const f64 (&middle)[M], const f64 (&large)[L]) {
    x = x > 720.0 ? 720.0 : x;  // the result has overflowed
    ExpReduced e = reduce_exponent(x, 0.0);
    DoubleDouble p = expm1_parts(e.r, e.lo);
    f64 factor;
    if (x < 8.0) {
        factor = horner(x - 6.0, middle);
    } else {
        factor = horner(fast_reciprocal(x) - 0.0625, large) * fast_reciprocal_root(x);
    }
    return hw::ldexp(fma(factor, p.hi + p.lo, factor), e.k);
}

INLINE f64 i0(f64 x) {
    f64 a = fabs(x);
    f64 y = a < 4.0 ? horner(a * a, kI0Small) : exponential(a, kI0Middle, kI0Large);
    return is_nan(x) ? x : y;
}

INLINE f64 i1(f64 x) {
    f64 a = fabs(x);
    f64 y = a < 4.0 ? a * horner(a * a, kI1Small) : exponential(a, kI1Middle, kI1Large);
    return is_nan(x) ? x : copysign(y, x);
}

}  // namespace

EXPORT f64 __ocml_i0_f64(f64 x) { return i0(x); }
EXPORT f64 __ocml_i1_f64(f64 x) { return i1(x); }
EXPORT f32 __ocml_i0_f32(f32 x) { return (f32)i0((f64)x); }
EXPORT f32 __ocml_i1_f32(f32 x) { return (f32)i1((f64)x); }
