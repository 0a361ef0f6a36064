// Numbers of about 106 bits as unevaluated sums of two f64, |lo| <= ulp(hi)/2.
//
// The building blocks are the error-free transformations of Dekker and Knuth, with fma for products.
#pragma once

#include "float_bits.h"

struct DoubleDouble {
    f64 hi, lo;
};

// Exact for |a| >= |b|.
INLINE DoubleDouble fast_two_sum(f64 a, f64 b) {
    f64 s = a + b;
    return {s, b - (s - a)};
}

INLINE DoubleDouble two_sum(f64 a, f64 b) {
    f64 s = a + b;
    f64 bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}

INLINE DoubleDouble two_product(f64 a, f64 b) {
    f64 p = a * b;
    return {p, fma(a, b, -p)};
}

INLINE DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

INLINE DoubleDouble operator+(DoubleDouble a, f64 b) {
    DoubleDouble s = two_sum(a.hi, b);
    return fast_two_sum(s.hi, s.lo + a.lo);
}

INLINE DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    DoubleDouble s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    s = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(s.hi, s.lo + t.lo);
}

INLINE DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
INLINE DoubleDouble operator-(DoubleDouble a, f64 b) { return a + -b; }

INLINE DoubleDouble operator*(DoubleDouble a, f64 b) {
    DoubleDouble p = two_product(a.hi, b);
    return fast_two_sum(p.hi, fma(a.lo, b, p.lo));
}

INLINE DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    DoubleDouble p = two_product(a.hi, b.hi);
    return fast_two_sum(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}

// 1/x to nearly full precision for normal x whose reciprocal is normal; no special cases.
INLINE f64 fast_reciprocal(f64 x) {
    f64 r = hw::rcp(x);
    r = fma(fma(-x, r, 1.0), r, r);
    return fma(fma(-x, r, 1.0), r, r);
}

// a/b within an ulp, where nothing over- or underflows on the way.
INLINE f64 fast_divide(f64 a, f64 b) {
    f64 r = hw::rcp(b);
    r = fma(fma(-b, r, 1.0), r, r);
    f64 q = a * r;
    return fma(fma(-b, q, a), r, q);
}

// 1/sqrt(x) within an ulp for x > 0, finite: the hardware's 24 bits and one step of third order.
INLINE f64 fast_reciprocal_root(f64 x) {
    f64 r = hw::rsq(x);
    f64 residual = fma(-x * r, r, 1.0);
    return fma(r * residual, fma(residual, 0.375, 0.5), r);
}

INLINE DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    f64 r = fast_reciprocal(b.hi);
    f64 q = a.hi * r;
    // What is left of a after taking q times b away, exactly enough.
    f64 rest = fma(-q, b.hi, a.hi);
    rest = (rest + a.lo) - q * b.lo;
    return fast_two_sum(q, rest * r);
}

// A square root of a positive normal number, in double-double.
INLINE DoubleDouble sqrt_extended(DoubleDouble a) {
    f64 s = sqrt_rn(a.hi);
    f64 rest = fma(-s, s, a.hi) + a.lo;
    return fast_two_sum(s, rest * hw::rcp(s + s));
}
