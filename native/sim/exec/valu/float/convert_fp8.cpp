// Conversions between single precision and the 8-bit formats.
#include "sim/exec/valu/float/fp8.h"
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// MODE.FP16_OVFL (bit 23): results too large become the largest finite value.
bool saturates(const Wave& wave) {
    return wave.mode.bits >> 23 & 1;
}

template <class F>
u64 widen_pair(u32 x) {
    const u64 low = bits(F::widen(static_cast<std::uint8_t>(x)));
    const u64 high = bits(F::widen(static_cast<std::uint8_t>(x >> 8)));
    return low | high << 32;
}

// Two values to the low half of the destination; the other half stays.
template <class F>
const Op* narrow_pair(Wave& wave, const Op* op) {
    VReg in[2], out = wave.v[op->dst];
    const VReg* a = source(wave, op->src[0], &in[0]);
    const VReg* b = source(wave, op->src[1], &in[1]);
    const bool saturate = saturates(wave);
    for (unsigned i = 0; i < kLanes; ++i) {
        const u32 low = F::narrow(as_float(a->lane[i]), saturate), high = F::narrow(as_float(b->lane[i]), saturate);
        out.lane[i] = (out.lane[i] & 0xffff0000) | low | high << 8;
    }
    blend(wave, op->dst, &out, 1);
    return op + 1;
}

// One value, rounded by the bits of src1, to the byte that op_sel[3:2] names (Op::sdst holds op_sel).
template <class F>
const Op* narrow_stochastic(Wave& wave, const Op* op) {
    VReg in[2], out = wave.v[op->dst];
    const VReg* a = source(wave, op->src[0], &in[0]);
    const VReg* random = source(wave, op->src[1], &in[1]);
    const unsigned shift = (op->sdst >> 2 & 3) * 8;
    const bool saturate = saturates(wave);
    for (unsigned i = 0; i < kLanes; ++i) {
        const u32 byte = F::narrow_stochastic(as_float(a->lane[i]), random->lane[i], saturate);
        out.lane[i] = (out.lane[i] & ~(0xffu << shift)) | byte << shift;
    }
    blend(wave, op->dst, &out, 1);
    return op + 1;
}

}  // namespace

void add_convert_fp8(Table& t) {
    using isa::Op;
    t.add(Op::v_cvt_f32_fp8, lanes([](u32 x) { return Fp8::widen(static_cast<std::uint8_t>(x)); }));
    t.add(Op::v_cvt_f32_bf8, lanes([](u32 x) { return Bf8::widen(static_cast<std::uint8_t>(x)); }));
    t.add(Op::v_cvt_pk_f32_fp8, lanes([](u32 x) { return widen_pair<Fp8>(x); }));
    t.add(Op::v_cvt_pk_f32_bf8, lanes([](u32 x) { return widen_pair<Bf8>(x); }));
    t.add(Op::v_cvt_pk_fp8_f32, narrow_pair<Fp8>);
    t.add(Op::v_cvt_pk_bf8_f32, narrow_pair<Bf8>);
    t.add(Op::v_cvt_sr_fp8_f32, narrow_stochastic<Fp8>);
    t.add(Op::v_cvt_sr_bf8_f32, narrow_stochastic<Bf8>);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
