// Dot products of packed values with a 32-bit sum. clamp saturates the integer ones.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/saturate.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <unsigned width>
constexpr i64 signed_field(u32 x, unsigned index) {
    return static_cast<i32>(x << (32 - width * (index + 1))) >> (32 - width);
}
template <unsigned width>
constexpr i64 unsigned_field(u32 x, unsigned index) {
    return x >> (width * index) & ((1u << width) - 1);
}
template <unsigned width>
constexpr i64 signed_dot(u32 a, u32 b) {
    i64 sum = 0;
    for (unsigned i = 0; i < 32 / width; ++i) sum += signed_field<width>(a, i) * signed_field<width>(b, i);
    return sum;
}
template <unsigned width>
constexpr i64 unsigned_dot(u32 a, u32 b) {
    i64 sum = 0;
    for (unsigned i = 0; i < 32 / width; ++i) sum += unsigned_field<width>(a, i) * unsigned_field<width>(b, i);
    return sum;
}

template <unsigned width>
void add_signed(Table& t, isa::Op op, isa::Op accumulating) {
    const Handler plain = lanes([](u32 a, u32 b, u32 c) { return static_cast<u32>(signed_dot<width>(a, b)) + c; });
    const Handler saturating = lanes([](u32 a, u32 b, i32 c) { return saturate<i32>(signed_dot<width>(a, b) + c); });
    t.add(op, plain, saturating);
    t.add(accumulating, plain, saturating).reads_dst_as(2);
}
template <unsigned width>
void add_unsigned(Table& t, isa::Op op) {
    t.add(op, lanes([](u32 a, u32 b, u32 c) { return static_cast<u32>(unsigned_dot<width>(a, b)) + c; }),
          lanes([](u32 a, u32 b, u32 c) { return saturate<u32>(unsigned_dot<width>(a, b) + c); }));
}

// c + a.lo * b.lo + a.hi * b.hi, added in this order; the products are exact.
const Op* dot2_f32_f16(Wave& wave, const Op* op) {
    if (!wave.mode.f32_default()) [[unlikely]]
        return run_in_mode(wave, op, Precision::Single);
    VReg in[3], out, wide[4];
    const VReg* const s[] = {source(wave, op->src[0], &in[0]), source(wave, op->src[1], &in[1]),
                             source(wave, op->src[2], &in[2])};
    VI nan{};
    for (unsigned k = 0; k < kBlocks; ++k) {
        const VU a = load<VU>(*s[0], k), b = load<VU>(*s[1], k);
        const VF x[] = {halves_to_singles(a), halves_to_singles(b), halves_to_singles(a >> 16),
                        halves_to_singles(b >> 16)};
        for (unsigned n = 0; n < 4; ++n) store(wide[n], k, x[n]);
        const VF r = fused(x[2], x[3], fused(x[0], x[1], load<VF>(*s[2], k)));
        nan |= r != r;
        store(out, k, r);
    }
    if (any(nan)) [[unlikely]] {
        VReg partial;
        const VReg* const first[] = {&wide[0], &wide[1], s[2]};
        for (unsigned k = 0; k < kBlocks; ++k)
            store(partial, k, fused(load<VF>(wide[0], k), load<VF>(wide[1], k), load<VF>(*s[2], k)));
        fix_nans_f32(partial, first, 3, wave.exec());
        const VReg* const second[] = {&wide[2], &wide[3], &partial};
        fix_nans_f32(out, second, 3, wave.exec());
    }
    blend(wave, op->dst, &out, 1);
    return op + 1;
}

}  // namespace

void add_dot(Table& t) {
    using isa::Op;
    add_signed<16>(t, Op::v_dot2_i32_i16, Op::v_dot2c_i32_i16);
    add_signed<8>(t, Op::v_dot4_i32_i8, Op::v_dot4c_i32_i8);
    add_signed<4>(t, Op::v_dot8_i32_i4, Op::v_dot8c_i32_i4);
    add_unsigned<16>(t, Op::v_dot2_u32_u16);
    add_unsigned<8>(t, Op::v_dot4_u32_u8);
    add_unsigned<4>(t, Op::v_dot8_u32_u4);
    t.add(Op::v_dot2_f32_f16, dot2_f32_f16);
    t.add(Op::v_dot2c_f32_f16, dot2_f32_f16).reads_dst_as(2);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
