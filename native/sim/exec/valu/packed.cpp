// Two results per lane: pairs of 16-bit values in a register, pairs of 32-bit values in two registers.
// op_sel and neg are applied to 16-bit pairs before a handler sees them; for 32-bit pairs op_sel only chooses
// registers, so the handlers do that themselves (Op::sdst holds op_sel | op_sel_hi << 4).
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/saturate.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;

constexpr u32 unsigned_low(u32 x) {
    return x & 0xffff;
}
constexpr i32 signed_low(u32 x) {
    return static_cast<i32>(x << 16) >> 16;
}
constexpr u32 pack(u32 low, u32 high) {
    return (low & 0xffff) | high << 16;
}

// From a function on 16-bit values, given as u32 whose upper half is to be ignored, to one on pairs.
template <class F, class = IndicesOf<F>>
struct Halves;
template <class F, unsigned... a>
struct Halves<F, std::integer_sequence<unsigned, a...>> {
    template <unsigned>
    using Word = u32;
    static constexpr auto both = [](Word<a>... x) { return pack(F{}(x...), F{}((x >> 16)...)); };
};
template <class F>
constexpr Handler halves(F) {
    return lanes(Halves<F>::both);
}

void add_integers(Table& t) {
    using isa::Op;
    t.add(Op::v_pk_add_u16, halves([](u32 a, u32 b) { return a + b; }),
          halves([](u32 a, u32 b) { return u32{saturate<u16>(i64{unsigned_low(a)} + unsigned_low(b))}; }));
    t.add(Op::v_pk_sub_u16, halves([](u32 a, u32 b) { return a - b; }),
          halves([](u32 a, u32 b) { return u32{saturate<u16>(i64{unsigned_low(a)} - unsigned_low(b))}; }));
    t.add(Op::v_pk_add_i16, halves([](u32 a, u32 b) { return a + b; }),
          halves([](u32 a, u32 b) { return static_cast<u32>(saturate<i16>(i64{signed_low(a)} + signed_low(b))); }));
    t.add(Op::v_pk_sub_i16, halves([](u32 a, u32 b) { return a - b; }),
          halves([](u32 a, u32 b) { return static_cast<u32>(saturate<i16>(i64{signed_low(a)} - signed_low(b))); }));
    t.add(Op::v_pk_mul_lo_u16, halves([](u32 a, u32 b) { return a * b; }));
    t.add(Op::v_pk_mad_u16, halves([](u32 a, u32 b, u32 c) { return a * b + c; }), halves([](u32 a, u32 b, u32 c) {
              return u32{saturate<u16>(i64{unsigned_low(a)} * unsigned_low(b) + unsigned_low(c))};
          }));
    t.add(Op::v_pk_mad_i16, halves([](u32 a, u32 b, u32 c) { return a * b + c; }), halves([](u32 a, u32 b, u32 c) {
              return static_cast<u32>(saturate<i16>(i64{signed_low(a)} * signed_low(b) + signed_low(c)));
          }));
    t.add(Op::v_pk_lshlrev_b16, halves([](u32 a, u32 b) { return b << (a & 15); }));
    t.add(Op::v_pk_lshrrev_b16, halves([](u32 a, u32 b) { return unsigned_low(b) >> (a & 15); }));
    t.add(Op::v_pk_ashrrev_i16, halves([](u32 a, u32 b) { return static_cast<u32>(signed_low(b) >> (a & 15)); }));
    t.add(Op::v_pk_min_u16, halves([](u32 a, u32 b) { return unsigned_low(a) < unsigned_low(b) ? a : b; }));
    t.add(Op::v_pk_max_u16, halves([](u32 a, u32 b) { return unsigned_low(a) < unsigned_low(b) ? b : a; }));
    t.add(Op::v_pk_min_i16, halves([](u32 a, u32 b) { return signed_low(a) < signed_low(b) ? a : b; }));
    t.add(Op::v_pk_max_i16, halves([](u32 a, u32 b) { return signed_low(a) < signed_low(b) ? b : a; }));
}

// Pairs of half-precision values: VF F(VF...) for each half.
template <class F, class = IndicesOf<F>>
struct HalfPairs;
template <class F, unsigned... a>
struct HalfPairs<F, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f64_f16_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::DoubleHalf);
        return compute(wave, op, F{});
    }
    // `f` is F or a callable of the same type with a state.
    template <class Function>
    static const Op* compute(Wave& wave, const Op* op, Function f) {
        VReg in[sizeof...(a)], out;
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        VI nan{};
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VF low = f(halves_to_singles(load<VU>(*s[a], k))...);
            const VF high = f(halves_to_singles(load<VU>(*s[a], k) >> 16)...);
            nan |= (low != low) | (high != high);
            store(out, k, singles_to_halves(low) | singles_to_halves(high) << 16);
        }
        if (any(nan)) [[unlikely]]
            fix_both(out, s, wave.exec());
        blend(wave, op->dst, &out, 1);
        return op + 1;
    }
    static void fix_both(VReg& out, const VReg* const* s, std::uint64_t exec) {
        fix_nans_f16(out, s, sizeof...(a), exec);
        VReg high[sizeof...(a)], result;
        const VReg* const at[] = {&high[a]...};
        for (unsigned i = 0; i < kLanes; ++i) {
            ((high[a].lane[i] = s[a]->lane[i] >> 16), ...);
            result.lane[i] = out.lane[i] >> 16;
        }
        fix_nans_f16(result, at, sizeof...(a), exec);
        for (unsigned i = 0; i < kLanes; ++i) out.lane[i] = pack(out.lane[i], result.lane[i]);
    }
};
template <class F>
constexpr Handler half_pairs(F) {
    return HalfPairs<F>::run;
}

const Op* pk_fma_f16(Wave& wave, const Op* op) {
    if (!wave.mode.f64_f16_default()) [[unlikely]]
        return run_in_mode(wave, op, Precision::DoubleHalf);
    using Type = decltype([](VF a, VF, VF) { return a; });
    return HalfPairs<Type>::compute(wave, op, [nearest = host_rounds_to_nearest(wave)](VF a, VF b, VF c) {
        return fused_for_half(a, b, c, nearest);
    });
}

// Pairs of single-precision values.
template <class F, class = IndicesOf<F>>
struct SinglePairs;
template <class F, unsigned... a>
struct SinglePairs<F, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        if (!wave.mode.f32_default()) [[unlikely]]
            return run_in_mode(wave, op, Precision::Single);
        VReg in[sizeof...(a)][2];
        const VReg* const s[] = {source64(wave, op->src[a], in[a])...};
        VF low[kBlocks], high[kBlocks];
        compute(low, s, op->sdst & 15u, wave.exec());
        compute(high, s, op->sdst >> 4 & 15u, wave.exec());
        VReg* const dst = wave.v + op->dst;
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 8
            for (unsigned k = 0; k < kBlocks; ++k) {
                write(dst[0], k, low[k]);
                write(dst[1], k, high[k]);
            }
        });
        return op + 1;
    }
    // `select`: bit i chooses the register of source i.
    static void compute(VF (&r)[kBlocks], const VReg* const* s, unsigned select, std::uint64_t exec) {
        const VReg* const x[] = {s[a] + (select >> a & 1)...};
        VI nan{};
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) {
            r[k] = F{}(load<VF>(*x[a], k)...);
            nan |= r[k] != r[k];
        }
        if (any(nan)) [[unlikely]] {
            VReg out;
            for (unsigned k = 0; k < kBlocks; ++k) store(out, k, r[k]);
            fix_nans_f32(out, x, sizeof...(a), exec);
            for (unsigned k = 0; k < kBlocks; ++k) r[k] = load<VF>(out, k);
        }
    }
};
template <class F>
constexpr Handler single_pairs(F) {
    return SinglePairs<F>::run;
}

// The low result from src0, the high one from src1; op_sel chooses the register of each.
const Op* pk_mov_b32(Wave& wave, const Op* op) {
    VReg in[2][2];
    const VReg out[2] = {source64(wave, op->src[0], in[0])[op->sdst & 1],
                         source64(wave, op->src[1], in[1])[op->sdst >> 1 & 1]};
    blend(wave, op->dst, out, 2);
    return op + 1;
}

}  // namespace

void add_packed(Table& t) {
    using isa::Op;
    add_integers(t);
    t.add(Op::v_pk_add_f16, half_pairs([](VF a, VF b) { return a + b; }));
    t.add(Op::v_pk_mul_f16, half_pairs([](VF a, VF b) { return a * b; }));
    t.add(Op::v_pk_fma_f16, pk_fma_f16);
    t.add(Op::v_pk_fmac_f16, pk_fma_f16).reads_dst_as(2);
    t.add(Op::v_pk_add_f32, single_pairs([](VF a, VF b) { return a + b; }));
    t.add(Op::v_pk_mul_f32, single_pairs([](VF a, VF b) { return a * b; }));
    t.add(Op::v_pk_fma_f32, single_pairs([](VF a, VF b, VF c) { return fused(a, b, c); }));
    t.add(Op::v_pk_mov_b32, pk_mov_b32);
    t.add(Op::v_pack_b32_f16, lanes([](u32 a, u32 b) { return pack(a, b); }));
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
