// Comparisons: from a predicate to the handlers of v_cmp and v_cmpx.
#pragma once

#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// The result of a comparison: bits of inactive lanes are 0.
template <bool writes_exec>
inline const Op* write_mask(Wave& wave, const Op* op, std::uint64_t mask) {
    mask &= wave.exec();
    wave.write_s64(op->sdst, mask);
    if (writes_exec) wave.set_exec(mask);
    return op + 1;
}

// A predicate on single lanes: bool F(T...).
template <class F, bool writes_exec, class = IndicesOf<F>>
struct CompareLanes;
template <class F, bool writes_exec, unsigned... a>
struct CompareLanes<F, writes_exec, std::integer_sequence<unsigned, a...>> {
    using S = Signature<F>;
    static const Op* run(Wave& wave, const Op* op) {
        VReg in[S::count][2], result;
        const VReg* const s[] = {source_for<typename S::template Arg<a>>(wave, op->src[a], in[a])...};
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i)
            result.lane[i] = F{}(lane_value<typename S::template Arg<a>>(s[a], i)...) ? ~0u : 0u;
        return write_mask<writes_exec>(wave, op, mask_of(result));
    }
};

// A predicate on blocks of V (VU, VI or VF): VI F(V, V).
template <class V, class F, bool writes_exec>
struct CompareBlocks {
    static const Op* run(Wave& wave, const Op* op) {
        VReg in[2];
        const VReg* a = source(wave, op->src[0], &in[0]);
        const VReg* b = source(wave, op->src[1], &in[1]);
        std::uint64_t mask = 0;
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k)
            mask |= mask_bits((VI)F{}(load<V>(*a, k), load<V>(*b, k))) << (k * kWidth);
        return write_mask<writes_exec>(wave, op, mask);
    }
    // With neg and abs of single-precision sources, from Op::dst.
    static const Op* run_signs(Wave& wave, const Op* op) {
        VReg in[2];
        const VReg* a = source(wave, op->src[0], &in[0]);
        const VReg* b = source(wave, op->src[1], &in[1]);
        const Signs x(op->dst, 0), y(op->dst, 1);
        std::uint64_t mask = 0;
#pragma GCC unroll 4
        for (unsigned k = 0; k < kBlocks; ++k)
            mask |= mask_bits((VI)F{}(x.apply(load<VF>(*a, k)), y.apply(load<VF>(*b, k)))) << (k * kWidth);
        return write_mask<writes_exec>(wave, op, mask);
    }
};

// A predicate on blocks of 64-bit lanes (VD, VU64 or VI64): VI64 F(V, V).
template <class V, class F, bool writes_exec>
struct CompareWide {
    static const Op* run(Wave& wave, const Op* op) {
        VReg in[2][2];
        const VReg* a = source64(wave, op->src[0], in[0]);
        const VReg* b = source64(wave, op->src[1], in[1]);
        std::uint64_t mask = 0;
#pragma GCC unroll 2
        for (unsigned k = 0; k < kBlocks; ++k) {
            const Pair<V> x = interleave<V>(load<VU>(a[0], k), load<VU>(a[1], k));
            const Pair<V> y = interleave<V>(load<VU>(b[0], k), load<VU>(b[1], k));
            VU low, high;
            split<VI64>({(VI64)F{}(x.first, y.first), (VI64)F{}(x.second, y.second)}, low, high);
            mask |= mask_bits((VI)low) << (k * kWidth);
        }
        return write_mask<writes_exec>(wave, op, mask);
    }
};

}  // namespace vrocm::sim::VROCM_SIMD_NS
