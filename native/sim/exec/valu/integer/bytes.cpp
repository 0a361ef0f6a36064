// Bytes in a register: sums of absolute differences, averages, permutation.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/saturate.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using u16 = std::uint16_t;

constexpr u32 field(u32 x, unsigned index, unsigned width) {
    return x >> (index * width) & ((1u << width) - 1);
}
constexpr u32 difference(u32 a, u32 b) {
    return a > b ? a - b : b - a;
}

// Sum of the differences of four bytes; `masked` leaves out those where the reference (b) is 0.
template <bool masked>
constexpr u32 sad_u8(u32 a, u32 b) {
    u32 sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const u32 reference = field(b, i, 8), d = difference(field(a, i, 8), reference);
        sum += masked && reference == 0 ? 0 : d;
    }
    return sum;
}
constexpr u32 sad_u16(u32 a, u32 b) {
    return difference(field(a, 0, 16), field(b, 0, 16)) + difference(field(a, 1, 16), field(b, 1, 16));
}

// Four sums over a window that moves a byte at a time, each added to 16 bits of the third source.
template <bool masked, bool saturating>
constexpr u64 quad_sad(u64 a, u32 b, u64 c) {
    u64 result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const u32 sum = sad_u8<masked>(static_cast<u32>(a >> (8 * i)), b) + static_cast<u16>(c >> (16 * i));
        result |= u64{saturating ? saturate<u16>(sum) : static_cast<u16>(sum)} << (16 * i);
    }
    return result;
}

// The same with 32-bit sums: src2 and the destination are four registers.
template <bool saturating>
const Op* mqsad_u32_u8(Wave& wave, const Op* op) {
    VReg in[2][2], out[4];
    const VReg* a = source64(wave, op->src[0], in[0]);
    const VReg* b = source(wave, op->src[1], in[1]);
    VReg zero[4];
    const VReg* c = zero;
    if (op->src[2].kind == Src::Kind::Vgpr)
        c = wave.v + op->src[2].reg;
    else
        for (VReg& reg : zero) splat(reg, read_scalar32(wave, op->src[2]));
    for (unsigned i = 0; i < kLanes; ++i) {
        for (unsigned n = 0; n < 4; ++n) {
            const u32 window = static_cast<u32>(lane_value<u64>(a, i) >> (8 * n));
            const u64 sum = u64{sad_u8<true>(window, b->lane[i])} + c[n].lane[i];
            out[n].lane[i] = saturating ? saturate_u32(sum) : static_cast<u32>(sum);
        }
    }
    blend(wave, op->dst, out, 4);
    return op + 1;
}

constexpr u32 lerp_u8(u32 a, u32 b, u32 c) {
    u32 result = 0;
    for (unsigned i = 0; i < 4; ++i) result |= (field(a, i, 8) + field(b, i, 8) + (field(c, i, 8) & 1)) >> 1 << (8 * i);
    return result;
}

typedef std::uint8_t VB __attribute__((vector_size(kWidth * 4)));

// Bytes chosen inside each 128-bit group by the low four bits of an index.
inline VB shuffle_bytes(VB x, VB index) {
#if defined(__AVX512F__)
    return (VB)_mm512_shuffle_epi8((__m512i)x, (__m512i)index);
#else
    return (VB)_mm256_shuffle_epi8((__m256i)x, (__m256i)index);
#endif
}

// Selector values: 0..3 byte of src1, 4..7 byte of src0, 8..11 the sign of bytes 1, 3 (src1) and 1, 3 (src0),
// 12 zero, above ones.
VU perm_b32(VU a, VU b, VU selector) {
    const VB sel = (VB)selector;
    VB base{};
    for (unsigned i = 0; i < kWidth * 4; ++i) base[i] = static_cast<std::uint8_t>(i & 12);
    const VB upper_signs = (VB)(sel > 9), signs = (VB)(sel > 7), ones = (VB)(sel > 12), zeros = (VB)(sel == 12);
    const VB byte = (((sel << 1 | 1) & signs) | (sel & ~signs)) & 3;
    const VB from_b = shuffle_bytes((VB)b, byte | base), from_a = shuffle_bytes((VB)a, byte | base);
    const VB use_a = (upper_signs & signs) | ((VB)((sel & 4) != 0) & ~signs);
    VB value = (from_a & use_a) | (from_b & ~use_a);
    value = ((VB)(value > 127) & signs) | (value & ~signs);
    return (VU)((value & ~zeros) | ones);
}

}  // namespace

void add_bytes(Table& table) {
    using isa::Op;
    table.add(Op::v_sad_u8, lanes([](u32 a, u32 b, u32 c) { return sad_u8<false>(a, b) + c; }),
              lanes([](u32 a, u32 b, u32 c) { return saturate_u32(u64{sad_u8<false>(a, b)} + c); }));
    table.add(Op::v_sad_hi_u8, lanes([](u32 a, u32 b, u32 c) { return (sad_u8<false>(a, b) << 16) + c; }),
              lanes([](u32 a, u32 b, u32 c) { return saturate_u32((u64{sad_u8<false>(a, b)} << 16) + c); }));
    table.add(Op::v_sad_u16, lanes([](u32 a, u32 b, u32 c) { return sad_u16(a, b) + c; }),
              lanes([](u32 a, u32 b, u32 c) { return saturate_u32(u64{sad_u16(a, b)} + c); }));
    table.add(Op::v_sad_u32, lanes([](u32 a, u32 b, u32 c) { return difference(a, b) + c; }),
              lanes([](u32 a, u32 b, u32 c) { return saturate_u32(u64{difference(a, b)} + c); }));
    table.add(Op::v_msad_u8, lanes([](u32 a, u32 b, u32 c) { return sad_u8<true>(a, b) + c; }),
              lanes([](u32 a, u32 b, u32 c) { return saturate_u32(u64{sad_u8<true>(a, b)} + c); }));
    table.add(Op::v_qsad_pk_u16_u8, lanes([](u64 a, u32 b, u64 c) { return quad_sad<false, false>(a, b, c); }),
              lanes([](u64 a, u32 b, u64 c) { return quad_sad<false, true>(a, b, c); }));
    table.add(Op::v_mqsad_pk_u16_u8, lanes([](u64 a, u32 b, u64 c) { return quad_sad<true, false>(a, b, c); }),
              lanes([](u64 a, u32 b, u64 c) { return quad_sad<true, true>(a, b, c); }));
    table.add(Op::v_mqsad_u32_u8, mqsad_u32_u8<false>, mqsad_u32_u8<true>);
    table.add(Op::v_lerp_u8, lanes([](u32 a, u32 b, u32 c) { return lerp_u8(a, b, c); }));
    table.add(Op::v_perm_b32, blocks([](VU a, VU b, VU selector) { return perm_b32(a, b, selector); }));
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
