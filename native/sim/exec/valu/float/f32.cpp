// Single-precision arithmetic.
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

}  // namespace vrocm::sim::VROCM_SIMD_NS
