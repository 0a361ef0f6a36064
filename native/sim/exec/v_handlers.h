// Handler templates: from a function on one lane, or on one block of lanes, to the handler of an instruction.
//
// The types of the function's parameters say how a source is read: 32-bit types from one register, 64-bit types
// from a pair. Handlers write their result under EXEC; modifiers are left to v_modifiers.
//
// Functions are captureless lambdas, passed by value for their type: lanes([](u32 a, u32 b) { return a + b; }).
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/exec/v_float.h"
#include "sim/exec/v_lanes.h"
#include "sim/exec/v_mode.h"

namespace vrocm::sim::VROCM_SIMD_NS {

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> {
    using Return = R;
    static constexpr unsigned count = sizeof...(A);
    template <unsigned i>
    using Arg = std::tuple_element_t<i, std::tuple<A...>>;
    using Indices = std::make_integer_sequence<unsigned, count>;
};

template <class F>
using IndicesOf = typename Signature<F>::Indices;

template <class T>
inline const VReg* source_for(Wave& wave, const Src& src, VReg* space) {
    return sizeof(T) == 8 ? source64(wave, src, space) : source(wave, src, space);
}

template <class T>
inline T lane_value(const VReg* reg, unsigned i) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(std::uint64_t{reg[1].lane[i]} << 32 | reg[0].lane[i]);
    else
        return std::bit_cast<T>(reg[0].lane[i]);
}

template <class T>
inline void set_lane(VReg* reg, unsigned i, T value) {
    if constexpr (sizeof(T) == 8) {
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
        reg[0].lane[i] = static_cast<std::uint32_t>(bits);
        reg[1].lane[i] = static_cast<std::uint32_t>(bits >> 32);
    } else {
        reg[0].lane[i] = std::bit_cast<std::uint32_t>(value);
    }
}

// A function on single lanes; the compiler makes vectors of the loop where it can. Every iteration reads its
// lane before it writes it, and lanes do not depend on each other.
template <class F, class = IndicesOf<F>>
struct Lanes;
template <class F, unsigned... a>
struct Lanes<F, std::integer_sequence<unsigned, a...>> {
    using S = Signature<F>;
    using R = typename S::Return;
    static constexpr unsigned registers = sizeof(R) / 4;

    static const Op* run(Wave& wave, const Op* op) {
        VReg in[S::count + 1][2], out[registers];
        const VReg* const s[] = {source_for<typename S::template Arg<a>>(wave, op->src[a], in[a])..., nullptr};
        const Destination dst(wave, op, out);
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i)
            set_lane<R>(dst.at, i, F{}(lane_value<typename S::template Arg<a>>(s[a], i)...));
        return dst.finish(wave, op, out, registers);
    }
    // For functions whose result depends on rounding or denormals.
    template <Precision precision>
    static const Op* run_by_mode(Wave& wave, const Op* op) {
        if (!default_mode(wave, precision)) [[unlikely]]
            return run_in_mode(wave, op, precision);
        return run(wave, op);
    }
};
template <class F>
constexpr Handler lanes(F) {
    return Lanes<F>::run;
}
template <class F>
constexpr Handler lanes_f32(F) {
    return Lanes<F>::template run_by_mode<Precision::Single>;
}
template <class F>
constexpr Handler lanes_f64_f16(F) {
    return Lanes<F>::template run_by_mode<Precision::DoubleHalf>;
}

// A function on blocks of 32-bit lanes: VU F(VU...).
template <class F, class = IndicesOf<F>>
struct Blocks;
template <class F, unsigned... a>
struct Blocks<F, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        VReg in[sizeof...(a)], out;
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        const Destination dst(wave, op, &out);
#pragma GCC unroll 4
        for (unsigned k = 0; k < kBlocks; ++k) store<VU>(*dst.at, k, F{}(load<VU>(*s[a], k)...));
        return dst.finish(wave, op, &out, 1);
    }
    template <Precision precision>
    static const Op* run_by_mode(Wave& wave, const Op* op) {
        if (!default_mode(wave, precision)) [[unlikely]]
            return run_in_mode(wave, op, precision);
        return run(wave, op);
    }
};
template <class F>
constexpr Handler blocks(F) {
    return Blocks<F>::run;
}
template <class F>
constexpr Handler blocks_f64_f16(F) {
    return Blocks<F>::template run_by_mode<Precision::DoubleHalf>;
}

// Gives lanes whose result is NaN the NaN the hardware gives: the first NaN among the sources made quiet, else
// the default. Which of several NaNs the host propagates depends on how the compiler ordered operands.
void fix_nans_f32(VReg& result, const VReg* const* sources, unsigned count);
void fix_nans_f64(VReg* result, const VReg* const* sources, unsigned count);
// The same for the half in bits 0..15.
void fix_nans_f16(VReg& result, const VReg* const* sources, unsigned count);

// Single-precision arithmetic on blocks: VF F(VF...). Results stay in host registers until it is known that no
// lane needs its NaN fixed, because the destination may be one of the sources.
template <class F, class = IndicesOf<F>>
struct F32;
template <class F, unsigned... a>
struct F32<F, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f32_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::Single);
        VReg in[sizeof...(a)], out;
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        VF r[kBlocks];
        VI nan{};
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) {
            r[k] = F{}(load<VF>(*s[a], k)...);
            nan |= r[k] != r[k];
        }
        if (any(nan)) [[unlikely]] {
            for (unsigned k = 0; k < kBlocks; ++k) store(out, k, r[k]);
            fix_nans_f32(out, s, sizeof...(a));
            for (unsigned k = 0; k < kBlocks; ++k) r[k] = load<VF>(out, k);
        }
        const Destination dst(wave, op, &out);
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) store(*dst.at, k, r[k]);
        return dst.finish(wave, op, &out, 1);
    }
};
template <class F>
constexpr Handler f32(F) {
    return F32<F>::run;
}

// Double-precision arithmetic on blocks: VD F(VD...).
template <class F, class = IndicesOf<F>>
struct F64;
template <class F, unsigned... a>
struct F64<F, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f64_f16_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::DoubleHalf);
        VReg in[sizeof...(a)][2], out[2];
        const VReg* const s[] = {source64(wave, op->src[a], in[a])...};
        VI64 nan{};
#pragma GCC unroll 2
        for (unsigned k = 0; k < kBlocks; ++k) {
            const Pair<VD> x[] = {interleave<VD>(load<VU>(s[a][0], k), load<VU>(s[a][1], k))...};
            const Pair<VD> r{F{}(x[a].first...), F{}(x[a].second...)};
            nan |= (r.first != r.first) | (r.second != r.second);
            VU lo, hi;
            split(r, lo, hi);
            store(out[0], k, lo);
            store(out[1], k, hi);
        }
        if (any((VI)nan)) [[unlikely]]
            fix_nans_f64(out, s, sizeof...(a));
        return write64(wave, op, out);
    }
    static const Op* write64(Wave& wave, const Op* op, const VReg* values) {
        if (wave.exec() == kAllLanes)
            std::memcpy(wave.v + op->dst, values, 2 * sizeof(VReg));
        else
            blend(wave, op->dst, values, 2);
        return op + 1;
    }
};
template <class F>
constexpr Handler f64(F) {
    return F64<F>::run;
}

// Lanes 0..15 of bits as single precision, and back with the host's rounding.
inline VF halves_to_singles(VU x) {
#if defined(__AVX512F__)
    return (VF)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)x));
#else
    const __m256i low = _mm256_and_si256((__m256i)x, _mm256_set1_epi32(0xffff));
    const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
    return (VF)_mm256_cvtph_ps(packed);
#endif
}
inline VU singles_to_halves(VF x) {
#if defined(__AVX512F__)
    return (VU)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)x, _MM_FROUND_CUR_DIRECTION));
#else
    return (VU)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)x, _MM_FROUND_CUR_DIRECTION));
#endif
}

// Half-precision arithmetic on blocks, computed in single precision and rounded once more. That is exact rounding
// for + - * / and sqrt because 24 >= 2 * 11 + 2. `keep_high`: bits 16..31 of the destination survive; else zero.
template <class F, bool keep_high, class = IndicesOf<F>>
struct F16;
template <class F, bool keep_high, unsigned... a>
struct F16<F, keep_high, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f64_f16_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::DoubleHalf);
        VReg in[sizeof...(a)], out;
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        VI nan{};
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VF r = F{}(halves_to_singles(load<VU>(*s[a], k))...);
            nan |= r != r;
            store(out, k, singles_to_halves(r));
        }
        if (any(nan)) [[unlikely]]
            fix_nans_f16(out, s, sizeof...(a));
        if constexpr (keep_high) {
            const VReg& old = wave.v[op->dst];
            for (unsigned k = 0; k < kBlocks; ++k) store(out, k, load<VU>(out, k) | (load<VU>(old, k) & 0xffff0000u));
        }
        if (wave.exec() == kAllLanes)
            wave.v[op->dst] = out;
        else
            blend(wave, op->dst, &out, 1);
        return op + 1;
    }
};
template <class F>
constexpr Handler f16(F) {
    return F16<F, false>::run;
}
template <class F>
constexpr Handler f16_low(F) {
    return F16<F, true>::run;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
