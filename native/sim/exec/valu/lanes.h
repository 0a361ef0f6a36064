// The 64 lanes of a register as host vectors: types, loads, stores, sources, masked results.
//
// Everything of the vector ALU lives in the namespace VROCM_SIMD_NS, so that the same sources can be compiled
// for more than one level of host instruction set and chosen between at run time.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "sim/code/op.h"

#ifndef VROCM_SIMD_NS
#define VROCM_SIMD_NS avx2
#endif

namespace vrocm::sim::VROCM_SIMD_NS {

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr unsigned kWidth = 16;
#else
inline constexpr unsigned kWidth = 8;
#endif
inline constexpr unsigned kBlocks = kLanes / kWidth;
inline constexpr std::uint64_t kAllLanes = ~std::uint64_t{0};

// One block of lanes. VD, VU64 and VI64 hold half a block: see interleave().
typedef std::uint32_t VU __attribute__((vector_size(kWidth * 4)));
typedef std::int32_t VI __attribute__((vector_size(kWidth * 4)));
typedef float VF __attribute__((vector_size(kWidth * 4)));
typedef double VD __attribute__((vector_size(kWidth * 4)));
typedef std::uint64_t VU64 __attribute__((vector_size(kWidth * 4)));
typedef std::int64_t VI64 __attribute__((vector_size(kWidth * 4)));

template <class V>
inline V load(const VReg& reg, unsigned block) {
    V v;
    std::memcpy(&v, reg.lane + block * kWidth, sizeof v);
    return v;
}

template <class V>
inline void store(VReg& reg, unsigned block, V v) {
    std::memcpy(reg.lane + block * kWidth, &v, sizeof v);
}

// Low and high dwords of 64-bit lanes as two vectors of 64-bit lanes, and back. The order inside the pair is
// the one that is cheapest to make (host shuffles work in 128-bit groups); split() undoes it.
template <class V>
struct Pair {
    V first, second;
};

template <class V>
inline Pair<V> interleave(VU lo, VU hi) {
#if defined(__AVX512F__)
    if constexpr (kWidth == 16)
        return {(V)_mm512_unpacklo_epi32((__m512i)lo, (__m512i)hi), (V)_mm512_unpackhi_epi32((__m512i)lo, (__m512i)hi)};
#else
    return {(V)_mm256_unpacklo_epi32((__m256i)lo, (__m256i)hi), (V)_mm256_unpackhi_epi32((__m256i)lo, (__m256i)hi)};
#endif
}

template <class V>
inline void split(Pair<V> pair, VU& lo, VU& hi) {
#if defined(__AVX512F__)
    lo = (VU)_mm512_shuffle_ps((__m512)pair.first, (__m512)pair.second, 0x88);
    hi = (VU)_mm512_shuffle_ps((__m512)pair.first, (__m512)pair.second, 0xdd);
#else
    lo = (VU)_mm256_shuffle_ps((__m256)pair.first, (__m256)pair.second, 0x88);
    hi = (VU)_mm256_shuffle_ps((__m256)pair.first, (__m256)pair.second, 0xdd);
#endif
}

// One bit per lane of a block from lanes that are all ones or all zeros.
inline std::uint64_t mask_bits(VI lanes) {
#if defined(__AVX512F__)
    return _mm512_movepi32_mask((__m512i)lanes);
#else
    return static_cast<unsigned>(_mm256_movemask_ps((__m256)lanes));
#endif
}

inline bool any(VI lanes) {
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)lanes, (__m512i)lanes) != 0;
#else
    return !_mm256_testz_si256((__m256i)lanes, (__m256i)lanes);
#endif
}

// One bit per lane of a register whose lanes are all ones or all zeros.
inline std::uint64_t mask_of(const VReg& lanes) {
    std::uint64_t mask = 0;
#pragma GCC unroll 8
    for (unsigned k = 0; k < kBlocks; ++k) mask |= mask_bits(load<VI>(lanes, k)) << (k * kWidth);
    return mask;
}

// The inverse, one block of it: the lanes of a mask as all ones or all zeros.
inline VU block_of(std::uint64_t mask, unsigned block) {
#if defined(__AVX512F__)
    return (VU)_mm512_movm_epi32(static_cast<__mmask16>(mask >> (block * kWidth)));
#else
    const VU lane_bit = {1, 2, 4, 8, 16, 32, 64, 128};
    const VU bits = (static_cast<std::uint32_t>(mask >> (block * kWidth)) - VU{}) & lane_bit;
    return (VU)(bits == lane_bit);
#endif
}

inline void lanes_of(std::uint64_t mask, VReg& lanes) {
#pragma GCC unroll 8
    for (unsigned k = 0; k < kBlocks; ++k) store(lanes, k, block_of(mask, k));
}

inline void splat(VReg& reg, std::uint32_t value) {
    const VU v = value - VU{};
#pragma GCC unroll 8
    for (unsigned k = 0; k < kBlocks; ++k) store(reg, k, v);
}

// Where the lanes of a source are. Registers and constants are used in place; wave-uniform values are written
// to `space` first. A 64-bit source is two consecutive registers.
inline const VReg* source(Wave& wave, const Src& src, VReg* space) {
    if (src.kind == Src::Kind::Vgpr) [[likely]]
        return wave.v + src.reg;
    if (src.kind == Src::Kind::Const) [[likely]]
        return src.splat;
    if (src.kind == Src::Kind::Sgpr)
        splat(*space, wave.s[src.reg]);
    else
        splat(*space, read_scalar32(wave, src));
    return space;
}

const VReg* splat64(const Wave& wave, const Src& src, VReg* space);
inline const VReg* source64(Wave& wave, const Src& src, VReg* space) {
    if (src.kind == Src::Kind::Vgpr) [[likely]]
        return wave.v + src.reg;
    if (src.kind == Src::Kind::Const) [[likely]]
        return src.splat;
    return splat64(wave, src, space);
}

// Writes `count` consecutive registers for the active lanes.
void blend(Wave& wave, unsigned reg, const VReg* values, unsigned count);

// `yes` where the mask has all ones, `no` where it has all zeros.
inline VU select(VU mask, VU yes, VU no) {
#if defined(__AVX512F__)
    return (VU)_mm512_ternarylogic_epi32((__m512i)mask, (__m512i)yes, (__m512i)no, 0xca);
#else
    return (VU)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
#endif
}

// One block of a result, for the lanes that `mask` (Wave::exec_lanes) has.
template <class V>
inline void store_masked(VReg& reg, unsigned block, V value, const VReg& mask) {
#if defined(__AVX512F__)
    const __m512i m = (__m512i)load<VU>(mask, block);
    _mm512_mask_storeu_epi32(reg.lane + block * kWidth, _mm512_movepi32_mask(m), (__m512i)value);
#else
    const __m256i m = (__m256i)load<VU>(mask, block);
    store(reg, block, _mm256_blendv_epi8((__m256i)load<VU>(reg, block), (__m256i)value, m));
#endif
}

// Calls body(write) once, where write(reg, block, value) stores a block of a result under EXEC.
template <class Body>
inline void under_exec(Wave& wave, Body body) {
    if (wave.exec() == kAllLanes) [[likely]] {
        body([](VReg& reg, unsigned block, auto value) { store(reg, block, value); });
    } else {
        const VReg& mask = wave.exec_lanes();
        body([&mask](VReg& reg, unsigned block, auto value) { store_masked(reg, block, value, mask); });
    }
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
