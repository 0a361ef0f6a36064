// The slow side of arithmetic: results that are NaN, and results for a part of the lanes.
#include "sim/exec/valu/handlers.h"

namespace vrocm::sim::VROCM_SIMD_NS {

void blend(Wave& wave, unsigned reg, const VReg* values, unsigned count) {
    under_exec(wave, [&](auto write) {
        for (unsigned n = 0; n < count; ++n) {
            VReg& dst = wave.v[reg + n];
#pragma GCC unroll 8
            for (unsigned k = 0; k < kBlocks; ++k) write(dst, k, load<VU>(values[n], k));
        }
    });
}

const VReg* splat64(const Wave& wave, const Src& src, VReg* space) {
    const std::uint64_t value = read_scalar64(wave, src);
    splat(space[0], static_cast<std::uint32_t>(value));
    splat(space[1], static_cast<std::uint32_t>(value >> 32));
    return space;
}

namespace {

template <class F, class B = typename F::Bits>
B nan_result(const B* sources, unsigned count, B generated) {
    for (unsigned n = 0; n < count; ++n)
        if (F::is_nan(sources[n])) return sources[n] | F::quiet;
    return generated;
}

}  // namespace

void fix_nans_f32(VReg& result, const VReg* const* sources, unsigned count, std::uint64_t exec,
                  std::uint32_t generated) {
    std::uint64_t nan = 0;
    for (unsigned k = 0; k < kBlocks; ++k) {
        const VF x = load<VF>(result, k);
        nan |= mask_bits(x != x) << (k * kWidth);
    }
    // Inactive lanes often hold other things that look like a NaN.
    for (nan &= exec; nan; nan &= nan - 1) {
        const unsigned i = static_cast<unsigned>(std::countr_zero(nan));
        std::uint32_t values[3];
        for (unsigned n = 0; n < count; ++n) values[n] = sources[n]->lane[i];
        result.lane[i] = nan_result<Single>(values, count, generated);
    }
}

void fix_nans_f64(Pair<VD>& result, const Pair<VD>* sources, unsigned count, std::uint64_t generated) {
    std::uint64_t lanes[kWidth], values[3][kWidth];
    static_assert(sizeof lanes == sizeof result);
    std::memcpy(lanes, &result, sizeof lanes);
    for (unsigned n = 0; n < count; ++n) std::memcpy(values[n], &sources[n], sizeof lanes);
    for (unsigned i = 0; i < kWidth; ++i) {
        if (!Double::is_nan(lanes[i])) continue;
        const std::uint64_t of_lane[3] = {values[0][i], count > 1 ? values[1][i] : 0, count > 2 ? values[2][i] : 0};
        lanes[i] = nan_result<Double>(of_lane, count, generated);
    }
    std::memcpy(&result, lanes, sizeof lanes);
}

void fix_nans_f16(VReg& result, const VReg* const* sources, unsigned count, std::uint64_t exec,
                  std::uint16_t generated) {
    for (; exec; exec &= exec - 1) {
        const unsigned i = static_cast<unsigned>(std::countr_zero(exec));
        if (!Half::is_nan(static_cast<std::uint16_t>(result.lane[i]))) continue;
        std::uint16_t values[3];
        for (unsigned n = 0; n < count; ++n) values[n] = static_cast<std::uint16_t>(sources[n]->lane[i]);
        result.lane[i] = (result.lane[i] & 0xffff0000) | nan_result<Half>(values, count, generated);
    }
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
