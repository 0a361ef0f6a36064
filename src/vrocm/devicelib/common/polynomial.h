// Polynomials by Horner's rule with fused multiply-add; coefficients start with the constant one.
#pragma once

#include "float_bits.h"

template <int First, typename T, int N>
INLINE T horner_from(T x, const T (&c)[N]) {
    if constexpr (First == N - 1) {
        return c[First];
    } else {
        return fma(x, horner_from<First + 1>(x, c), c[First]);
    }
}

template <typename T, int N>
INLINE T horner(T x, const T (&c)[N]) {
    return horner_from<0>(x, c);
}
