#include "sim/exec/valu/float/minmax.h"

#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Each function in two forms: on blocks without NaNs, and on the bits of single values of any kind.
struct Min {
    template <class V>
    V operator()(V a, V b) const {
        return minimum(a, b);
    }
    template <class F>
    static auto exact(const MinMax<F>& m, typename F::Bits a, typename F::Bits b) {
        return m.min(a, b);
    }
    static constexpr unsigned count = 2;
};
struct Max {
    template <class V>
    V operator()(V a, V b) const {
        return maximum(a, b);
    }
    template <class F>
    static auto exact(const MinMax<F>& m, typename F::Bits a, typename F::Bits b) {
        return m.max(a, b);
    }
    static constexpr unsigned count = 2;
};
struct Min3 {
    VF operator()(VF a, VF b, VF c) const { return minimum(minimum(a, b), c); }
    template <class F, class B = typename F::Bits>
    static auto exact(const MinMax<F>& m, B a, B b, B c) {
        return m.min3(a, b, c);
    }
    static constexpr unsigned count = 3;
};
struct Max3 {
    VF operator()(VF a, VF b, VF c) const { return maximum(maximum(a, b), c); }
    template <class F, class B = typename F::Bits>
    static auto exact(const MinMax<F>& m, B a, B b, B c) {
        return m.max3(a, b, c);
    }
    static constexpr unsigned count = 3;
};
struct Med3 {
    VF operator()(VF a, VF b, VF c) const { return median(a, b, c); }
    template <class F, class B = typename F::Bits>
    static auto exact(const MinMax<F>& m, B a, B b, B c) {
        return m.med3(a, b, c);
    }
    static constexpr unsigned count = 3;
};

template <class Function, class = std::make_integer_sequence<unsigned, Function::count>>
struct Handlers;
template <class Function, unsigned... a>
struct Handlers<Function, std::integer_sequence<unsigned, a...>> {
    template <class F>
    static void exactly(VReg* out, const VReg* const* s, MinMaxMode mode, u32 keep) {
        using B = typename F::Bits;
        using Word = std::conditional_t<sizeof(B) == 8, u64, u32>;
        const MinMax<F> rules(mode);
        for (unsigned i = 0; i < kLanes; ++i) {
            const Word r = Function::exact(rules, static_cast<B>(lane_value<Word>(s[a], i))...);
            if constexpr (sizeof(B) == 8)
                set_lane(out, i, r);
            else
                out->lane[i] = r | (out->lane[i] & keep);
        }
    }

    static const Op* single(Wave& wave, const Op* op) {
        VReg in[sizeof...(a)], out;
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        VF r[kBlocks];
        VI nan{};
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VF x[] = {load<VF>(*s[a], k)...};
            ((nan |= x[a] != x[a]), ...);
            r[k] = Function{}(x[a]...);
        }
        if (any(nan) || !wave.mode.f32_default()) [[unlikely]] {
            exactly<Single>(&out, s, min_max_mode(wave, wave.mode.denorm_f32()), 0);
            for (unsigned k = 0; k < kBlocks; ++k) r[k] = load<VF>(out, k);
        }
        VReg& dst = wave.v[op->dst];
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 8
            for (unsigned k = 0; k < kBlocks; ++k) write(dst, k, r[k]);
        });
        return op + 1;
    }

    static const Op* wide(Wave& wave, const Op* op) {
        VReg in[sizeof...(a)][2], out[2];
        const VReg* const s[] = {source64(wave, op->src[a], in[a])...};
        VI64 nan{};
        for (unsigned k = 0; k < kBlocks; ++k) {
            const Pair<VD> x[] = {interleave<VD>(load<VU>(s[a][0], k), load<VU>(s[a][1], k))...};
            ((nan |= (x[a].first != x[a].first) | (x[a].second != x[a].second)), ...);
            VU lo, hi;
            split<VD>({Function{}(x[a].first...), Function{}(x[a].second...)}, lo, hi);
            store(out[0], k, lo);
            store(out[1], k, hi);
        }
        if (any((VI)nan) || !wave.mode.f64_f16_default()) [[unlikely]]
            exactly<Double>(out, s, min_max_mode(wave, wave.mode.denorm_f64_f16()), 0);
        blend(wave, op->dst, out, 2);
        return op + 1;
    }

    template <bool keep_high>
    static const Op* half(Wave& wave, const Op* op) {
        VReg in[sizeof...(a)], out;
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        const bool usual = halves_of<0>(out, s) && wave.mode.f64_f16_default();
        if (keep_high)
            for (unsigned k = 0; k < kBlocks; ++k)
                store(out, k, load<VU>(out, k) | (load<VU>(wave.v[op->dst], k) & 0xffff0000u));
        if (!usual) [[unlikely]]
            exactly<Half>(&out, s, min_max_mode(wave, wave.mode.denorm_f64_f16()), keep_high ? 0xffff0000 : 0);
        blend(wave, op->dst, &out, 1);
        return op + 1;
    }

    // Both halves of each lane.
    static const Op* packed(Wave& wave, const Op* op) {
        VReg in[sizeof...(a)], out, high;
        const VReg* const s[] = {source(wave, op->src[a], &in[a])...};
        if (halves_of<0>(out, s) && halves_of<16>(high, s) && wave.mode.f64_f16_default()) [[likely]] {
            for (unsigned k = 0; k < kBlocks; ++k) store(out, k, load<VU>(out, k) | load<VU>(high, k) << 16);
        } else {
            const MinMax<Half> rules(min_max_mode(wave, wave.mode.denorm_f64_f16()));
            for (unsigned i = 0; i < kLanes; ++i) {
                const u32 low = Function::exact(rules, static_cast<std::uint16_t>(s[a]->lane[i])...);
                const u32 top = Function::exact(rules, static_cast<std::uint16_t>(s[a]->lane[i] >> 16)...);
                out.lane[i] = low | top << 16;
            }
        }
        blend(wave, op->dst, &out, 1);
        return op + 1;
    }

    // The halves at a bit position, computed in single precision; false when there is a NaN among the sources.
    template <unsigned position>
    static bool halves_of(VReg& out, const VReg* const* s) {
        VI nan{};
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VF x[] = {halves_to_singles(load<VU>(*s[a], k) >> position)...};
            ((nan |= x[a] != x[a]), ...);
            store(out, k, singles_to_halves(Function{}(x[a]...)));
        }
        return !any(nan);
    }
};

}  // namespace

void add_minmax(Table& t) {
    using isa::Op;
    t.add(Op::v_min_f32, Handlers<Min>::single);
    t.add(Op::v_max_f32, Handlers<Max>::single);
    t.add(Op::v_min3_f32, Handlers<Min3>::single);
    t.add(Op::v_max3_f32, Handlers<Max3>::single);
    t.add(Op::v_med3_f32, Handlers<Med3>::single);
    t.add(Op::v_min_f64, Handlers<Min>::wide);
    t.add(Op::v_max_f64, Handlers<Max>::wide);
    t.add(Op::v_min_f16, Handlers<Min>::half<false>);
    t.add(Op::v_max_f16, Handlers<Max>::half<false>);
    t.add(Op::v_min3_f16, Handlers<Min3>::half<true>);
    t.add(Op::v_max3_f16, Handlers<Max3>::half<true>);
    t.add(Op::v_med3_f16, Handlers<Med3>::half<true>);
    t.add(Op::v_pk_min_f16, Handlers<Min>::packed);
    t.add(Op::v_pk_max_f16, Handlers<Max>::packed);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
