// Operations on blocks that host vectors have but C++ operators do not.
#pragma once

#include "sim/exec/valu/lanes.h"

namespace vrocm::sim::VROCM_SIMD_NS {

enum class Round {
    Nearest = _MM_FROUND_TO_NEAREST_INT,
    Down = _MM_FROUND_TO_NEG_INF,
    Up = _MM_FROUND_TO_POS_INF,
    Zero = _MM_FROUND_TO_ZERO
};

#if defined(__AVX512F__)
inline VF fused(VF a, VF b, VF c) {
    return (VF)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
inline VD fused(VD a, VD b, VD c) {
    return (VD)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
template <Round round>
inline VF round_to_integer(VF x) {
    return (VF)_mm512_roundscale_ps((__m512)x, static_cast<int>(round) | _MM_FROUND_NO_EXC);
}
template <Round round>
inline VD round_to_integer(VD x) {
    return (VD)_mm512_roundscale_pd((__m512d)x, static_cast<int>(round) | _MM_FROUND_NO_EXC);
}
inline VF square_root(VF x) {
    return (VF)_mm512_sqrt_ps((__m512)x);
}
inline VD square_root(VD x) {
    return (VD)_mm512_sqrt_pd((__m512d)x);
}
#else
inline VF fused(VF a, VF b, VF c) {
    return (VF)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
inline VD fused(VD a, VD b, VD c) {
    return (VD)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
template <Round round>
inline VF round_to_integer(VF x) {
    return (VF)_mm256_round_ps((__m256)x, static_cast<int>(round) | _MM_FROUND_NO_EXC);
}
template <Round round>
inline VD round_to_integer(VD x) {
    return (VD)_mm256_round_pd((__m256d)x, static_cast<int>(round) | _MM_FROUND_NO_EXC);
}
inline VF square_root(VF x) {
    return (VF)_mm256_sqrt_ps((__m256)x);
}
inline VD square_root(VD x) {
    return (VD)_mm256_sqrt_pd((__m256d)x);
}
#endif

// Ones in each lane.
inline VU count_ones(VU x) {
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return ((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

// Single precision to double in two halves of a block, and back with rounding.
#if defined(__AVX512F__)
inline Pair<VD> widen(VF x) {
    return {(VD)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)x)),
            (VD)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)x, 1))};
}
inline VF narrow(Pair<VD> x) {
    return (VF)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)x.first)),
                                  _mm512_cvtpd_ps((__m512d)x.second), 1);
}
#else
inline Pair<VD> widen(VF x) {
    return {(VD)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)x)),
            (VD)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)x, 1))};
}
inline VF narrow(Pair<VD> x) {
    return (VF)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)x.second), _mm256_cvtpd_ps((__m256d)x.first));
}
#endif

inline VF select(VI condition, VF yes, VF no) {
    return (VF)(((VI)yes & condition) | ((VI)no & ~condition));
}
inline VD select(VI64 condition, VD yes, VD no) {
    return (VD)(((VI64)yes & condition) | ((VI64)no & ~condition));
}

// a * b + c of half-precision values held in single precision, rounded so that the following rounding to half
// precision is the only one that counts. The product is exact. Where rounding the sum twice could matter, it is
// rounded to odd instead: when it is inexact and its last bit is 0, the neighbour on the side of the error is taken
// (24 bits >= 11 + 2). With a directed rounding mode, rounding twice in the same direction is right as it is.
inline VF fused_for_half(VF a, VF b, VF c, bool to_nearest) {
    const VF product = a * b, sum = product + c;
    // Only a sum halfway between two halves can be wrong: its lower 13 bits are 0x1000, or it is so small that
    // halves are denormal there.
    const VU magnitude = (VU)sum & 0x7fffffffu;
    const VI doubtful = ((VI)((magnitude & 0x1fffu) == 0x1000u)) | (VI)(magnitude - 1 < 0x387fffffu);
    if (!to_nearest || !any(doubtful)) return sum;
    const VF other = sum - product, error = (product - (sum - other)) + (c - other);  // sum + error is exact
    const VI odd = (VI)sum & 1;
    // +1 moves away from zero, -1 towards it.
    const VI step = ((VI)error ^ (VI)sum) >= 0 ? VI{} + 1 : VI{} - 1;
    const VI inexact = (error != 0.0f) & (error == error) & ((VI)sum << 1 != 0);
    return (VF)((VI)sum + (step & inexact & (odd - 1)));
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
