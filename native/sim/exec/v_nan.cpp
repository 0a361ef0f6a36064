// The slow side of arithmetic: results that are NaN, and results for a part of the lanes.
#include "sim/exec/v_handlers.h"

namespace vrocm::sim::VROCM_SIMD_NS {

void blend(Wave& wave, unsigned reg, const VReg* values, unsigned count) {
    const VReg& mask = wave.exec_lanes();
    for (unsigned n = 0; n < count; ++n) {
        VReg& dst = wave.v[reg + n];
#pragma GCC unroll 8
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VU m = load<VU>(mask, k);
            store(dst, k, (load<VU>(values[n], k) & m) | (load<VU>(dst, k) & ~m));
        }
    }
}

const VReg* splat64(const Wave& wave, const Src& src, VReg* space) {
    const std::uint64_t value = read_scalar64(wave, src);
    splat(space[0], static_cast<std::uint32_t>(value));
    splat(space[1], static_cast<std::uint32_t>(value >> 32));
    return space;
}

namespace {

template <class F>
typename F::Bits nan_result(const typename F::Bits* sources, unsigned count) {
    for (unsigned n = 0; n < count; ++n)
        if (F::is_nan(sources[n])) return sources[n] | F::quiet;
    return F::nan;
}

}  // namespace

void fix_nans_f32(VReg& result, const VReg* const* sources, unsigned count) {
    for (unsigned i = 0; i < kLanes; ++i) {
        if (!Single::is_nan(result.lane[i])) continue;
        std::uint32_t values[3];
        for (unsigned n = 0; n < count; ++n) values[n] = sources[n]->lane[i];
        result.lane[i] = nan_result<Single>(values, count);
    }
}

void fix_nans_f64(VReg* result, const VReg* const* sources, unsigned count) {
    for (unsigned i = 0; i < kLanes; ++i) {
        if (!Double::is_nan(lane_value<std::uint64_t>(result, i))) continue;
        std::uint64_t values[3];
        for (unsigned n = 0; n < count; ++n) values[n] = lane_value<std::uint64_t>(sources[n], i);
        set_lane(result, i, nan_result<Double>(values, count));
    }
}

void fix_nans_f16(VReg& result, const VReg* const* sources, unsigned count) {
    for (unsigned i = 0; i < kLanes; ++i) {
        if (!Half::is_nan(static_cast<std::uint16_t>(result.lane[i]))) continue;
        std::uint16_t values[3];
        for (unsigned n = 0; n < count; ++n) values[n] = static_cast<std::uint16_t>(sources[n]->lane[i]);
        result.lane[i] = (result.lane[i] & 0xffff0000) | nan_result<Half>(values, count);
    }
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
