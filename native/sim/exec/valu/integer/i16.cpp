// 16-bit integers. Instructions older than op_sel clear bits 16..31 of the destination; those that came with it
// keep them (LLVM, GCNSubtarget::zeroesHigh16BitsOfDest).
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/saturate.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;

constexpr u32 zext(u32 x) {
    return x & 0xffff;
}
constexpr i32 sext(u32 x) {
    return static_cast<i32>(x << 16) >> 16;
}
constexpr u32 low(i32 x) {
    return static_cast<u32>(x) & 0xffff;
}
constexpr u32 low(u32 x) {
    return x & 0xffff;
}
constexpr u32 keep_high(u32 old, u32 value) {
    return (old & 0xffff0000) | (value & 0xffff);
}
template <class T>
constexpr T min(T a, T b) {
    return a < b ? a : b;
}
template <class T>
constexpr T max(T a, T b) {
    return a < b ? b : a;
}
template <class T>
constexpr T median(T a, T b, T c) {
    return max(min(a, b), min(max(a, b), c));
}

void add_clearing(Table& t) {
    using isa::Op;
    t.add(Op::v_add_u16, lanes([](u32 a, u32 b) { return low(a + b); }),
          lanes([](u32 a, u32 b) { return u32{saturate<u16>(i64{zext(a)} + zext(b))}; }));
    t.add(Op::v_sub_u16, lanes([](u32 a, u32 b) { return low(a - b); }),
          lanes([](u32 a, u32 b) { return u32{saturate<u16>(i64{zext(a)} - zext(b))}; }));
    t.add(Op::v_subrev_u16, lanes([](u32 a, u32 b) { return low(b - a); }),
          lanes([](u32 a, u32 b) { return u32{saturate<u16>(i64{zext(b)} - zext(a))}; }));
    t.add(Op::v_mul_lo_u16, lanes([](u32 a, u32 b) { return low(a * b); }),
          lanes([](u32 a, u32 b) { return u32{saturate<u16>(i64{zext(a)} * zext(b))}; }));
    t.add(Op::v_lshlrev_b16, lanes([](u32 a, u32 b) { return low(b << (a & 15)); }));
    t.add(Op::v_lshrrev_b16, lanes([](u32 a, u32 b) { return zext(b) >> (a & 15); }));
    t.add(Op::v_ashrrev_i16, lanes([](u32 a, u32 b) { return low(sext(b) >> (a & 15)); }));
    t.add(Op::v_min_u16, lanes([](u32 a, u32 b) { return min(zext(a), zext(b)); }));
    t.add(Op::v_max_u16, lanes([](u32 a, u32 b) { return max(zext(a), zext(b)); }));
    t.add(Op::v_min_i16, lanes([](u32 a, u32 b) { return low(min(sext(a), sext(b))); }));
    t.add(Op::v_max_i16, lanes([](u32 a, u32 b) { return low(max(sext(a), sext(b))); }));
    t.add(Op::v_mad_legacy_u16, lanes([](u32 a, u32 b, u32 c) { return low(a * b + c); }),
          lanes([](u32 a, u32 b, u32 c) { return u32{saturate<u16>(i64{zext(a)} * zext(b) + zext(c))}; }));
    t.add(Op::v_mad_legacy_i16, lanes([](u32 a, u32 b, u32 c) { return low(a * b + c); }),
          lanes([](u32 a, u32 b, u32 c) { return low(i32{saturate<i16>(i64{sext(a)} * sext(b) + sext(c))}); }));
    t.add(Op::v_sat_pk_u8_i16, lanes([](u32 a) {
              const auto byte = [](i32 x) { return static_cast<u32>(min(max(x, 0), 255)); };
              return byte(sext(a)) | byte(sext(a >> 16)) << 8;
          }));
}

void add_keeping(Table& t) {
    using isa::Op;
    t.add(Op::v_add_i16, lanes([](u32 a, u32 b, u32 old) { return keep_high(old, a + b); }),
          lanes([](u32 a, u32 b, u32 old) { return keep_high(old, low(i32{saturate<i16>(i64{sext(a)} + sext(b))})); }))
        .reads_dst_as(2);
    t.add(Op::v_sub_i16, lanes([](u32 a, u32 b, u32 old) { return keep_high(old, a - b); }),
          lanes([](u32 a, u32 b, u32 old) { return keep_high(old, low(i32{saturate<i16>(i64{sext(a)} - sext(b))})); }))
        .reads_dst_as(2);
    t.add(Op::v_mad_u16, lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, a * b + c); }),
          lanes([](u32 a, u32 b, u32 c, u32 old) {
              return keep_high(old, u32{saturate<u16>(i64{zext(a)} * zext(b) + zext(c))});
          }))
        .reads_dst_as(3);
    t.add(Op::v_mad_i16, lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, a * b + c); }),
          lanes([](u32 a, u32 b, u32 c, u32 old) {
              return keep_high(old, low(i32{saturate<i16>(i64{sext(a)} * sext(b) + sext(c))}));
          }))
        .reads_dst_as(3);
    t.add(Op::v_min3_u16,
          lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, min(min(zext(a), zext(b)), zext(c))); }))
        .reads_dst_as(3);
    t.add(Op::v_max3_u16,
          lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, max(max(zext(a), zext(b)), zext(c))); }))
        .reads_dst_as(3);
    t.add(Op::v_med3_u16,
          lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, median(zext(a), zext(b), zext(c))); }))
        .reads_dst_as(3);
    t.add(Op::v_min3_i16,
          lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, low(min(min(sext(a), sext(b)), sext(c)))); }))
        .reads_dst_as(3);
    t.add(Op::v_max3_i16,
          lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, low(max(max(sext(a), sext(b)), sext(c)))); }))
        .reads_dst_as(3);
    t.add(Op::v_med3_i16,
          lanes([](u32 a, u32 b, u32 c, u32 old) { return keep_high(old, low(median(sext(a), sext(b), sext(c)))); }))
        .reads_dst_as(3);
}

// 16-bit factors, 32-bit sum.
void add_widening(Table& t) {
    using isa::Op;
    t.add(Op::v_mad_u32_u16, lanes([](u32 a, u32 b, u32 c) { return zext(a) * zext(b) + c; }),
          lanes([](u32 a, u32 b, u32 c) { return saturate<u32>(i64{zext(a)} * zext(b) + c); }));
    t.add(Op::v_mad_i32_i16,
          lanes([](u32 a, u32 b, u32 c) { return static_cast<u32>(sext(a)) * static_cast<u32>(sext(b)) + c; }),
          lanes([](u32 a, u32 b, i32 c) { return saturate<i32>(i64{sext(a)} * sext(b) + c); }));
}

}  // namespace

void add_integer16(Table& table) {
    add_clearing(table);
    add_keeping(table);
    add_widening(table);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
