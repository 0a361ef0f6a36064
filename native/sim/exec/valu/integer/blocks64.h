// Handlers for 64-bit integers on blocks of lanes: sources and results are vectors of 64-bit lanes.
#pragma once

#include "sim/exec/valu/handlers.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// Products of the low 32 bits of each 64-bit lane.
inline VU64 multiply_low_u32(VU64 a, VU64 b) {
#if defined(__AVX512F__)
    return (VU64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#else
    return (VU64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#endif
}
inline VU64 multiply_low_i32(VU64 a, VU64 b) {
#if defined(__AVX512F__)
    return (VU64)_mm512_mul_epi32((__m512i)a, (__m512i)b);
#else
    return (VU64)_mm256_mul_epi32((__m256i)a, (__m256i)b);
#endif
}

inline VU64 sign_mask(VU64 x) {
    return (VU64)((VI64)x < 0);
}

// Reads a source as 64-bit lanes; one of 32 bits is extended with zeros.
template <bool wide>
inline Pair<VU64> load_wide(const VReg* reg, unsigned block) {
    return interleave<VU64>(load<VU>(reg[0], block), wide ? load<VU>(reg[1], block) : VU{});
}

// VU64 F(VU64...); bit i of `wide` says that source i has 64 bits.
template <class F, unsigned wide, class = IndicesOf<F>>
struct Blocks64;
template <class F, unsigned wide, unsigned... a>
struct Blocks64<F, wide, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        VReg in[sizeof...(a)][2];
        const VReg* const s[] = {
            (wide >> a & 1 ? source64(wave, op->src[a], in[a]) : source(wave, op->src[a], in[a]))...};
        VReg* const dst = wave.v + op->dst;
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 2
            for (unsigned k = 0; k < kBlocks; ++k) {
                const Pair<VU64> x[] = {load_wide<(wide >> a & 1) != 0>(s[a], k)...};
                VU lo, hi;
                split<VU64>({F{}(x[a].first...), F{}(x[a].second...)}, lo, hi);
                write(dst[0], k, lo);
                write(dst[1], k, hi);
            }
        });
        return op + 1;
    }
};
template <unsigned wide, class F>
constexpr Handler blocks64(F) {
    return Blocks64<F, wide>::run;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
