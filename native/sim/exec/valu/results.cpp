#include "sim/exec/valu/results.h"

#include "sim/exec/valu/handlers.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

constexpr float kFactor[4] = {1.0f, 2.0f, 4.0f, 0.5f};

template <class T>
T adjust(T x, T factor, bool clamp, bool nan_to_zero) {
    using F = typename FormatFor<T>::Type;
    // A factor of 1 must not touch anything, not even a NaN.
    const T r = factor == T(1) ? x : x * factor;
    const T clamped = r > T(1) ? T(1) : r > T(0) ? r : T(0);
    const bool keeps_nan = F::is_nan(bits(r)) && !nan_to_zero;
    return clamp && !keeps_nan ? clamped : r;
}

}  // namespace

void scale_and_clamp(const Wave& wave, const isa::Inst& inst, VReg* result) {
    using isa::Type;
    const Type type = inst.dst.type;
    const bool single = type == Type::F32 || type == Type::PkF32;
    const unsigned denorm = single ? wave.mode.denorm_f32() : wave.mode.denorm_f64_f16();
    const float factor = (denorm & 2) || wave.mode.ieee() ? 1.0f : kFactor[inst.omod];
    const bool clamp = inst.clamp, to_zero = wave.mode.dx10_clamp();
    const auto half = [&](std::uint32_t x) {
        return float_to_half(adjust(half_to_float(x), factor, clamp, to_zero)) & 0xffff;
    };
    const auto singles = [&](VReg& reg) {
        for (std::uint32_t& lane : reg.lane) lane = bits(adjust(as_float(lane), factor, clamp, to_zero));
    };
    switch (type) {
        case Type::F32:
            singles(result[0]);
            break;
        case Type::PkF32:
            singles(result[0]);
            singles(result[1]);
            break;
        case Type::F64:
            for (unsigned i = 0; i < kLanes; ++i)
                set_lane(result, i, adjust(lane_value<double>(result, i), double{factor}, clamp, to_zero));
            break;
        case Type::F16:
            for (std::uint32_t& lane : result->lane)
                lane = inst.op == isa::Op::v_fma_mixhi_f16 ? (lane & 0xffff) | half(lane >> 16) << 16
                                                           : (lane & 0xffff0000) | half(lane);
            break;
        case Type::PkF16:
            for (std::uint32_t& lane : result->lane) lane = half(lane) | half(lane >> 16) << 16;
            break;
        default:
            break;
    }
}

void place_part(VReg& result, const VReg& old, const isa::Sdwa& sdwa) {
    if (sdwa.dst_sel == 6) return;
    const unsigned select = sdwa.dst_sel, width = select < 4 ? 8 : 16;
    const unsigned shift = select < 4 ? select * 8 : (select - 4) * 16;
    const std::uint32_t part = (width == 8 ? 0xffu : 0xffffu) << shift;
    const std::uint32_t above = shift + width < 32 ? ~0u << (shift + width) : 0;  // the bits over the part
    for (unsigned i = 0; i < kLanes; ++i) {
        const std::uint32_t value = result.lane[i] << shift & part;
        std::uint32_t rest = 0;
        if (sdwa.dst_unused == 1) rest = value >> (shift + width - 1) & 1 ? above : 0;
        if (sdwa.dst_unused == 2) rest = old.lane[i] & ~part;
        result.lane[i] = value | rest;
    }
}

void place_high(VReg& result, const VReg& old) {
    for (unsigned i = 0; i < kLanes; ++i) result.lane[i] = (old.lane[i] & 0xffff) | result.lane[i] << 16;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
