// Additions, products and fused multiply-adds in single, double and half precision, cube maps, and the instructions
// that mix half and single precision.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

// 0 times anything is +0.
VF multiply_legacy(VF a, VF b) {
    const VI zero = (a == 0.0f) | (b == 0.0f);
    return select(zero, VF{}, a * b);
}

// Cube map: which axis of (x, y, z) is the longest. z wins ties, then y.
struct Axis {
    bool z, y, negative;
};
Axis major_axis(float x, float y, float z) {
    const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
    const bool on_z = az >= ax && az >= ay, on_y = !on_z && ay >= ax;
    return {on_z, on_y, (on_z ? z : on_y ? y : x) < 0.0f};
}

void add_cube(Table& t) {
    using isa::Op;
    t.add(Op::v_cubeid_f32, lanes_f32([](float x, float y, float z) {
              const Axis axis = major_axis(x, y, z);
              return (axis.z ? 4.0f : axis.y ? 2.0f : 0.0f) + (axis.negative ? 1.0f : 0.0f);
          }));
    t.add(Op::v_cubesc_f32, lanes_f32([](float x, float y, float z) {
              const Axis axis = major_axis(x, y, z);
              if (axis.z) return axis.negative ? -x : x;
              if (axis.y) return x;
              return axis.negative ? z : -z;
          }));
    t.add(Op::v_cubetc_f32, lanes_f32([](float x, float y, float z) {
              const Axis axis = major_axis(x, y, z);
              if (axis.y) return axis.negative ? -z : z;
              return -y;
          }));
    t.add(Op::v_cubema_f32, lanes_f32([](float x, float y, float z) {
              const Axis axis = major_axis(x, y, z);
              return 2.0f * (axis.z ? z : axis.y ? y : x);
          }));
}

// ---- half precision

template <bool keep_high>
const Op* fma_f16(Wave& wave, const Op* op) {
    if (!wave.mode.f64_f16_default()) [[unlikely]]
        return run_in_mode(wave, op, Precision::DoubleHalf);
    using Type = decltype([](VF a, VF, VF) { return a; });
    return F16<Type, keep_high, NanKind::Default>::compute(
        wave, op,
        [nearest = host_rounds_to_nearest(wave)](VF a, VF b, VF c) { return fused_for_half(a, b, c, nearest); });
}

// Unfused: the product is rounded to half precision first.
VF mad_half(VF a, VF b, VF c) {
    return halves_to_singles(singles_to_halves(a * b)) + c;
}

// v_fma_mixlo/mixhi: a single-precision fma whose result is converted. Sources are widened before.
template <unsigned shift>
const Op* fma_mix_half(Wave& wave, const Op* op) {
    if (!wave.mode.f32_default()) [[unlikely]]
        return run_in_mode(wave, op, Precision::Single);
    VReg in[3], out;
    const VReg* const s[] = {source(wave, op->src[0], &in[0]), source(wave, op->src[1], &in[1]),
                             source(wave, op->src[2], &in[2])};
    VReg single;
    for (unsigned k = 0; k < kBlocks; ++k)
        store(single, k, fused(load<VF>(*s[0], k), load<VF>(*s[1], k), load<VF>(*s[2], k)));
    fix_nans_f32(single, s, 3, wave.exec());
    const VReg& old = wave.v[op->dst];
    for (unsigned k = 0; k < kBlocks; ++k) {
        const VU half = singles_to_halves(load<VF>(single, k)) << shift;
        store(out, k, half | (load<VU>(old, k) & (0xffff0000u >> shift)));
    }
    blend(wave, op->dst, &out, 1);
    return op + 1;
}

}  // namespace

void add_f32(Table& t) {
    using isa::Op;
    const auto add = [&t](Op op, auto function) -> Entry& {
        return t.add(op, f32(function)).with_signs(f32_signs(function));
    };
    add(Op::v_add_f32, [](VF a, VF b) { return a + b; });
    add(Op::v_sub_f32, [](VF a, VF b) { return a - b; });
    add(Op::v_subrev_f32, [](VF a, VF b) { return b - a; });
    add(Op::v_mul_f32, [](VF a, VF b) { return a * b; });
    t.add(Op::v_mul_legacy_f32, f32([](VF a, VF b) { return multiply_legacy(a, b); }));

    const auto fma = [](VF a, VF b, VF c) { return fused(a, b, c); };
    add(Op::v_fma_f32, fma);
    add(Op::v_fmac_f32, fma).reads_dst_as(2);
    add(Op::v_fmaak_f32, fma);
    add(Op::v_fmamk_f32, fma);
    t.add(Op::v_fma_mix_f32, f32(fma));  // sources are widened before

    const auto mad = [](VF a, VF b, VF c) { return a * b + c; };
    add(Op::v_mad_f32, mad);
    add(Op::v_mac_f32, mad).reads_dst_as(2);
    add(Op::v_madak_f32, mad);
    add(Op::v_madmk_f32, mad);
    t.add(Op::v_mad_legacy_f32, f32([](VF a, VF b, VF c) { return multiply_legacy(a, b) + c; }));
    add_cube(t);
}

void add_f64(Table& t) {
    using isa::Op;
    const auto add = [&t](Op op, auto function) -> Entry& {
        return t.add(op, f64(function)).with_signs(f64_signs(function));
    };
    add(Op::v_add_f64, [](VD a, VD b) { return a + b; });
    add(Op::v_mul_f64, [](VD a, VD b) { return a * b; });
    const auto fma = [](VD a, VD b, VD c) { return fused(a, b, c); };
    add(Op::v_fma_f64, fma);
    add(Op::v_fmac_f64, fma).reads_dst_as(2);
}

void add_f16(Table& t) {
    using isa::Op;
    t.add(Op::v_add_f16, f16([](VF a, VF b) { return a + b; }));
    t.add(Op::v_sub_f16, f16([](VF a, VF b) { return a - b; }));
    t.add(Op::v_subrev_f16, f16([](VF a, VF b) { return b - a; }));
    t.add(Op::v_mul_f16, f16([](VF a, VF b) { return a * b; }));

    const auto mad = [](VF a, VF b, VF c) { return mad_half(a, b, c); };
    t.add(Op::v_fma_f16, fma_f16<true>);
    t.add(Op::v_fma_legacy_f16, fma_f16<false>);
    t.add(Op::v_mad_f16, f16_low(mad));
    t.add(Op::v_mad_legacy_f16, f16(mad));
    t.add(Op::v_madak_f16, f16_low(mad));
    t.add(Op::v_madmk_f16, f16_low(mad));
    t.add(Op::v_mac_f16, f16_low(mad)).reads_dst_as(2);

    t.add(Op::v_fma_mixlo_f16, fma_mix_half<0>);
    t.add(Op::v_fma_mixhi_f16, fma_mix_half<16>);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
