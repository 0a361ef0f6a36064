// 32-bit integers and bit operations.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/saturate.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 unsigned24(u32 x) {
    return x & 0xffffff;
}
constexpr i32 signed24(u32 x) {
    return static_cast<i32>(x << 8) >> 8;
}
constexpr u32 low_ones(u32 count) {  // count < 32
    return (1u << count) - 1;
}
constexpr i32 min(i32 a, i32 b) {
    return a < b ? a : b;
}
constexpr i32 max(i32 a, i32 b) {
    return a < b ? b : a;
}
constexpr u32 min(u32 a, u32 b) {
    return a < b ? a : b;
}
constexpr u32 max(u32 a, u32 b) {
    return a < b ? b : a;
}
template <class T>
constexpr T median(T a, T b, T c) {
    return max(min(a, b), min(max(a, b), c));
}

constexpr u32 reverse(u32 x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}

void add_arithmetic(Table& t) {
    using isa::Op;
    t.add(Op::v_add_u32, lanes([](u32 a, u32 b) { return a + b; }),
          lanes([](u32 a, u32 b) { return saturate<u32>(i64{a} + b); }));
    t.add(Op::v_sub_u32, lanes([](u32 a, u32 b) { return a - b; }),
          lanes([](u32 a, u32 b) { return saturate<u32>(i64{a} - b); }));
    t.add(Op::v_subrev_u32, lanes([](u32 a, u32 b) { return b - a; }),
          lanes([](u32 a, u32 b) { return saturate<u32>(i64{b} - a); }));
    t.add(Op::v_add_i32, lanes([](u32 a, u32 b) { return a + b; }),
          lanes([](i32 a, i32 b) { return saturate<i32>(i64{a} + b); }));
    t.add(Op::v_sub_i32, lanes([](u32 a, u32 b) { return a - b; }),
          lanes([](i32 a, i32 b) { return saturate<i32>(i64{a} - b); }));
    t.add(Op::v_add3_u32, lanes([](u32 a, u32 b, u32 c) { return a + b + c; }),
          lanes([](u32 a, u32 b, u32 c) { return saturate<u32>(i64{a} + b + c); }));
    t.add(Op::v_xad_u32, lanes([](u32 a, u32 b, u32 c) { return (a ^ b) + c; }));
    t.add(Op::v_lshl_add_u32, lanes([](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }));
    t.add(Op::v_add_lshl_u32, lanes([](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }));

    t.add(Op::v_mul_lo_u32, lanes([](u32 a, u32 b) { return a * b; }));
    t.add(Op::v_mul_hi_u32, lanes([](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }));
    t.add(Op::v_mul_hi_i32, lanes([](i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }));
    t.add(Op::v_mul_u32_u24, lanes([](u32 a, u32 b) { return unsigned24(a) * unsigned24(b); }),
          lanes([](u32 a, u32 b) { return saturate_u32(u64{unsigned24(a)} * unsigned24(b)); }));
    t.add(Op::v_mul_hi_u32_u24,
          lanes([](u32 a, u32 b) { return static_cast<u32>(u64{unsigned24(a)} * unsigned24(b) >> 32); }));
    t.add(Op::v_mul_i32_i24,
          lanes([](u32 a, u32 b) { return static_cast<u32>(signed24(a)) * static_cast<u32>(signed24(b)); }),
          lanes([](u32 a, u32 b) { return saturate<i32>(i64{signed24(a)} * signed24(b)); }));
    t.add(Op::v_mul_hi_i32_i24,
          lanes([](u32 a, u32 b) { return static_cast<i32>(i64{signed24(a)} * signed24(b) >> 32); }));
    t.add(Op::v_mad_u32_u24, lanes([](u32 a, u32 b, u32 c) { return unsigned24(a) * unsigned24(b) + c; }),
          lanes([](u32 a, u32 b, u32 c) { return saturate_u32(u64{unsigned24(a)} * unsigned24(b) + c); }));
    t.add(Op::v_mad_i32_i24,
          lanes([](u32 a, u32 b, u32 c) { return static_cast<u32>(signed24(a)) * static_cast<u32>(signed24(b)) + c; }),
          lanes([](u32 a, u32 b, i32 c) { return saturate<i32>(i64{signed24(a)} * signed24(b) + c); }));
}

void add_order(Table& t) {
    using isa::Op;
    t.add(Op::v_min_i32, lanes([](i32 a, i32 b) { return min(a, b); }));
    t.add(Op::v_max_i32, lanes([](i32 a, i32 b) { return max(a, b); }));
    t.add(Op::v_min_u32, lanes([](u32 a, u32 b) { return min(a, b); }));
    t.add(Op::v_max_u32, lanes([](u32 a, u32 b) { return max(a, b); }));
    t.add(Op::v_min3_i32, lanes([](i32 a, i32 b, i32 c) { return min(min(a, b), c); }));
    t.add(Op::v_max3_i32, lanes([](i32 a, i32 b, i32 c) { return max(max(a, b), c); }));
    t.add(Op::v_med3_i32, lanes([](i32 a, i32 b, i32 c) { return median(a, b, c); }));
    t.add(Op::v_min3_u32, lanes([](u32 a, u32 b, u32 c) { return min(min(a, b), c); }));
    t.add(Op::v_max3_u32, lanes([](u32 a, u32 b, u32 c) { return max(max(a, b), c); }));
    t.add(Op::v_med3_u32, lanes([](u32 a, u32 b, u32 c) { return median(a, b, c); }));
}

void add_logic(Table& t) {
    using isa::Op;
    t.add(Op::v_not_b32, lanes([](u32 a) { return ~a; }));
    t.add(Op::v_and_b32, lanes([](u32 a, u32 b) { return a & b; }));
    t.add(Op::v_or_b32, lanes([](u32 a, u32 b) { return a | b; }));
    t.add(Op::v_xor_b32, lanes([](u32 a, u32 b) { return a ^ b; }));
    t.add(Op::v_xnor_b32, lanes([](u32 a, u32 b) { return ~(a ^ b); }));
    t.add(Op::v_and_or_b32, lanes([](u32 a, u32 b, u32 c) { return (a & b) | c; }));
    t.add(Op::v_or3_b32, lanes([](u32 a, u32 b, u32 c) { return a | b | c; }));
    t.add(Op::v_lshl_or_b32, lanes([](u32 a, u32 b, u32 c) { return a << (b & 31) | c; }));
    t.add(Op::v_lshlrev_b32, lanes([](u32 a, u32 b) { return b << (a & 31); }));
    t.add(Op::v_lshrrev_b32, lanes([](u32 a, u32 b) { return b >> (a & 31); }));
    t.add(Op::v_ashrrev_i32, lanes([](u32 a, i32 b) { return b >> (a & 31); }));
}

void add_bit_fields(Table& t) {
    using isa::Op;
    t.add(Op::v_bfi_b32, lanes([](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }));
    t.add(Op::v_bfm_b32, lanes([](u32 a, u32 b) { return low_ones(a & 31) << (b & 31); }));
    t.add(Op::v_bfe_u32, lanes([](u32 a, u32 b, u32 c) { return a >> (b & 31) & low_ones(c & 31); }));
    // Sign extension from bit width-1; a width of 0 gives 0.
    t.add(Op::v_bfe_i32, lanes([](i32 a, u32 b, u32 c) {
              const u32 width = c & 31, unused = (32 - width) & 31;
              const i32 field = static_cast<i32>(static_cast<u32>(a >> (b & 31)) << unused) >> unused;
              return width ? field : 0;
          }));
    t.add(Op::v_alignbit_b32, lanes([](u32 a, u32 b, u32 c) { return b >> (c & 31) | a << 1 << (31 - (c & 31)); }));
    t.add(Op::v_alignbyte_b32, lanes([](u32 a, u32 b, u32 c) {
              const u32 shift = (c & 3) * 8;
              return b >> shift | a << 1 << (31 - shift);
          }));
    t.add(Op::v_bfrev_b32, lanes([](u32 a) { return reverse(a); }));
    t.add(Op::v_bcnt_u32_b32, blocks([](VU a, VU b) { return count_ones(a) + b; }));
    t.add(Op::v_ffbh_u32, lanes([](u32 a) { return a ? std::countl_zero(a) : -1; }));
    t.add(Op::v_ffbl_b32, lanes([](u32 a) { return a ? std::countr_zero(a) : -1; }));
    t.add(Op::v_ffbh_i32, lanes([](i32 a) {
              const u32 differs = static_cast<u32>(a ^ a >> 31);  // ones from the first bit unlike the sign
              return differs ? std::countl_zero(differs) : -1;
          }));
}

}  // namespace

void add_integer(Table& table) {
    add_arithmetic(table);
    add_order(table);
    add_logic(table);
    add_bit_fields(table);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
