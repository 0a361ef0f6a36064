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

#include "sim/exec/valu/float/float.h"
#include "sim/exec/valu/lanes.h"
#include "sim/exec/valu/mode.h"

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

    static const Op* run(Wave& wave, const Op* op) {
        VReg in[S::count + 1][2];
        const VReg* const s[] = {source_for<typename S::template Arg<a>>(wave, op->src[a], in[a])..., nullptr};
        VReg* const dst = wave.v + op->dst;
        if (wave.exec() == kAllLanes) [[likely]] {
#pragma GCC ivdep
            for (unsigned i = 0; i < kLanes; ++i)
                set_lane<R>(dst, i, F{}(lane_value<typename S::template Arg<a>>(s[a], i)...));
        } else {
            const VReg& mask = wave.exec_lanes();
#pragma GCC ivdep
            for (unsigned i = 0; i < kLanes; ++i) {
                const R value = F{}(lane_value<typename S::template Arg<a>>(s[a], i)...);
                set_lane<R>(dst, i, mask.lane[i] ? value : lane_value<R>(dst, i));
            }
        }
        return op + 1;
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
        VReg in[sizeof...(a)];
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        VReg& dst = wave.v[op->dst];
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 4
            for (unsigned k = 0; k < kBlocks; ++k) write(dst, k, F{}(load<VU>(*s[a], k)...));
        });
        return op + 1;
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

// Gives active lanes whose result is NaN the NaN the hardware gives: the first NaN among the sources made quiet,
// else `generated`. Which of several NaNs the host propagates depends on how the compiler ordered operands.
void fix_nans_f32(VReg& result, const VReg* const* sources, unsigned count, std::uint64_t exec,
                  std::uint32_t generated = kNan32);
// The same for the half in bits 0..15.
void fix_nans_f16(VReg& result, const VReg* const* sources, unsigned count, std::uint64_t exec,
                  std::uint16_t generated = kNan16);
// The same for one block of doubles.
void fix_nans_f64(Pair<VD>& result, const Pair<VD>* sources, unsigned count, std::uint64_t generated);

// Sign changes that a handler applies to its sources itself: Op::sdst holds neg | abs << 4 (bit i: source i).
struct Signs {
    VU keep, flip;
    Signs(unsigned bits, unsigned i)
        : keep(VU{} + (bits >> (4 + i) & 1 ? 0x7fffffffu : ~0u)), flip(VU{} + (bits >> i & 1 ? 0x80000000u : 0u)) {}
    VF apply(VF x) const { return (VF)(((VU)x & keep) ^ flip); }
};

enum class NanKind { Default, Invalid };  // what a NaN result is when no source is NaN

// Single-precision arithmetic on blocks: VF F(VF...). Results stay in host registers until it is known that no
// lane needs its NaN fixed, because the destination may be one of the sources.
template <class F, bool signs, NanKind kind, class = IndicesOf<F>>
struct F32;
template <class F, bool signs, NanKind kind, unsigned... a>
struct F32<F, signs, kind, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f32_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::Single);
        VReg in[sizeof...(a)];
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        const Signs change[] = {Signs(op->sdst, a)...};
        VF r[kBlocks];
        VI nan{};
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) {
            r[k] = F{}((signs ? change[a].apply(load<VF>(*s[a], k)) : load<VF>(*s[a], k))...);
            nan |= r[k] != r[k];
        }
        if (any(nan)) [[unlikely]]
            fix(r, s, change, wave.exec());
        VReg& dst = wave.v[op->dst];
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 8
            for (unsigned k = 0; k < kBlocks; ++k) write(dst, k, r[k]);
        });
        return op + 1;
    }
    static void fix(VF (&r)[kBlocks], const VReg* const* s, const Signs* change, std::uint64_t exec) {
        VReg out, changed[sizeof...(a)];
        for (unsigned k = 0; k < kBlocks; ++k) {
            store(out, k, r[k]);
            if (signs) (store(changed[a], k, change[a].apply(load<VF>(*s[a], k))), ...);
        }
        const VReg* const at[] = {(signs ? &changed[a] : s[a])...};
        fix_nans_f32(out, at, sizeof...(a), exec, kind == NanKind::Default ? kNan32 : kInvalid32);
        for (unsigned k = 0; k < kBlocks; ++k) r[k] = load<VF>(out, k);
    }
};
template <class F>
constexpr Handler f32(F) {
    return F32<F, false, NanKind::Default>::run;
}
template <class F>
constexpr Handler f32_signs(F) {
    return F32<F, true, NanKind::Default>::run;
}
template <class F>
constexpr Handler f32_domain(F) {
    return F32<F, false, NanKind::Invalid>::run;
}

// Double-precision arithmetic on blocks: VD F(VD...).
template <class F, bool signs, NanKind kind, class = IndicesOf<F>>
struct F64;
template <class F, bool signs, NanKind kind, unsigned... a>
struct F64<F, signs, kind, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f64_f16_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::DoubleHalf);
        VReg in[sizeof...(a)][2];
        const VReg* const s[] = {source64(wave, op->src[a], in[a])...};
        const Signs change[] = {Signs(op->sdst, a)...};
        VReg* const dst = wave.v + op->dst;
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 2
            for (unsigned k = 0; k < kBlocks; ++k) {
                const Pair<VD> x[] = {read<signs>(s[a], k, change[a])...};
                Pair<VD> r{F{}(x[a].first...), F{}(x[a].second...)};
                if (any((VI)((r.first != r.first) | (r.second != r.second)))) [[unlikely]]
                    fix_nans_f64(r, x, sizeof...(a), kind == NanKind::Default ? kNan64 : kInvalid64);
                VU lo, hi;
                split(r, lo, hi);
                write(dst[0], k, lo);
                write(dst[1], k, hi);
            }
        });
        return op + 1;
    }
    template <bool change>
    static Pair<VD> read(const VReg* reg, unsigned k, const Signs& by) {
        const VU high = load<VU>(reg[1], k);
        return interleave<VD>(load<VU>(reg[0], k), change ? (VU)by.apply((VF)high) : high);
    }
};
template <class F>
constexpr Handler f64(F) {
    return F64<F, false, NanKind::Default>::run;
}
template <class F>
constexpr Handler f64_signs(F) {
    return F64<F, true, NanKind::Default>::run;
}
template <class F>
constexpr Handler f64_domain(F) {
    return F64<F, false, NanKind::Invalid>::run;
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
template <class F, bool keep_high, NanKind kind, class = IndicesOf<F>>
struct F16;
template <class F, bool keep_high, NanKind kind, unsigned... a>
struct F16<F, keep_high, kind, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f64_f16_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::DoubleHalf);
        return compute(wave, op, F{});
    }
    // `f` is F or a callable of the same type with a state.
    template <class Function>
    static const Op* compute(Wave& wave, const Op* op, Function f) {
        VReg in[sizeof...(a)];
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        VU r[kBlocks];
        VI nan{};
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VF x = f(halves_to_singles(load<VU>(*s[a], k))...);
            nan |= x != x;
            r[k] = singles_to_halves(x);
        }
        if (any(nan)) [[unlikely]]
            fix(r, s, wave.exec());
        VReg& dst = wave.v[op->dst];
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 8
            for (unsigned k = 0; k < kBlocks; ++k)
                write(dst, k, keep_high ? r[k] | (load<VU>(dst, k) & 0xffff0000u) : r[k]);
        });
        return op + 1;
    }
    static void fix(VU (&r)[kBlocks], const VReg* const* s, std::uint64_t exec) {
        VReg out;
        for (unsigned k = 0; k < kBlocks; ++k) store(out, k, r[k]);
        fix_nans_f16(out, s, sizeof...(a), exec, kind == NanKind::Default ? kNan16 : kInvalid16);
        for (unsigned k = 0; k < kBlocks; ++k) r[k] = load<VU>(out, k);
    }
};
template <class F>
constexpr Handler f16(F) {
    return F16<F, false, NanKind::Default>::run;
}
template <class F>
constexpr Handler f16_low(F) {
    return F16<F, true, NanKind::Default>::run;
}
template <class F>
constexpr Handler f16_domain(F) {
    return F16<F, false, NanKind::Invalid>::run;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
