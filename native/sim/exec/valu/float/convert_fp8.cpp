// Conversions between single precision and the 8-bit formats.
#include <bit>
#include <cstdint>

#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/lanes.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

// The 8-bit floating-point formats of gfx942: no infinities, no negative zero, 0x80 is the only NaN
// (E4M3FNUZ and E5M2FNUZ: exponent biases 8 and 16).
template <unsigned exponent_bits, unsigned mantissa_bits>
struct Fnuz {
    static constexpr int bias = 1 << (exponent_bits - 1);
    static constexpr std::uint8_t nan = 0x80;
    static constexpr unsigned dropped = 23 - mantissa_bits;  // bits of a single-precision mantissa

    static float widen(std::uint8_t x) {
        if (x == nan) return std::bit_cast<float>(0x7fc00000u);
        const std::uint32_t sign = std::uint32_t{x} >> 7 << 31, magnitude = x & 0x7f;
        const std::uint32_t mantissa = magnitude & ((1u << mantissa_bits) - 1), exponent = magnitude >> mantissa_bits;
        if (exponent == 0) {  // denormal: mantissa * 2^(1 - bias - mantissa_bits)
            const float scale = std::bit_cast<float>(static_cast<std::uint32_t>(128 - bias - int(mantissa_bits)) << 23);
            const float value = static_cast<float>(static_cast<int>(mantissa)) * scale;
            return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
        }
        return std::bit_cast<float>(sign | (exponent + 127 - bias) << 23 | mantissa << dropped);
    }

    // Rounds to nearest even. Values too large, infinities and NaNs give NaN; with `saturate`, finite values and
    // infinities give the largest value.
    static std::uint8_t narrow(float x, bool saturate) {
        return convert(x, saturate, [](std::uint64_t significand, unsigned drop) {
            const std::uint64_t half = std::uint64_t{1} << (drop - 1), low = significand & (2 * half - 1);
            const std::uint64_t kept = significand >> drop;
            return kept + (low > half || (low == half && (kept & 1)));
        });
    }

    // Adds random bits below the last kept one and cuts off.
    static std::uint8_t narrow_stochastic(float x, std::uint32_t random, bool saturate) {
        return convert(x, saturate, [random](std::uint64_t significand, unsigned drop) {
            // Bits that a denormal result loses are cut off before the random ones are added.
            const std::uint64_t shifted = significand >> (drop - dropped);
            return (shifted + (random >> (32 - dropped))) >> dropped;
        });
    }

  private:
    template <class Rounding>
    static std::uint8_t convert(float x, bool saturate, Rounding round) {
        const std::uint32_t b = std::bit_cast<std::uint32_t>(x), magnitude = b & 0x7fffffff;
        const std::uint8_t sign = static_cast<std::uint8_t>(b >> 31 << 7);
        if (magnitude > 0x7f800000) return nan;
        if (magnitude == 0x7f800000) return saturate ? sign | 0x7f : nan;
        const int stored = static_cast<int>(magnitude >> 23), exponent = (stored ? stored : 1) - 127 + bias;
        const std::uint64_t significand = (magnitude & 0x7fffff) | std::uint64_t{stored != 0} << 23;
        const unsigned extra = exponent < 1 ? static_cast<unsigned>(1 - exponent) : 0;
        if (extra > 30) return 0;
        const std::uint64_t rounded = round(significand, dropped + extra);
        // The hidden bit adds 1 to the exponent field, and so does a carry out of the mantissa.
        const std::uint64_t field = exponent < 1 ? 0 : static_cast<std::uint64_t>(exponent - 1);
        const std::uint64_t result = (field << mantissa_bits) + rounded;
        if (result > 0x7f) return saturate ? sign | 0x7f : nan;
        return result ? static_cast<std::uint8_t>(sign | result) : 0;
    }
};
using Fp8 = Fnuz<4, 3>;
using Bf8 = Fnuz<5, 2>;

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
