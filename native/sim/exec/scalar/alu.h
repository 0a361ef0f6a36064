// What scalar instructions compute: plain functions of their sources, named as the instructions.
// SCC is written only where the ISA says so (CDNA3 ISA, chapter "Scalar ALU Operations").
#pragma once

#include <bit>
#include <cstdint>

namespace vrocm::sim::scalar::alu {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <class T>
inline T nonzero(T result, bool& scc) {
    scc = result != 0;
    return result;
}

// One line per instruction.
// clang-format off

// ---- SOP2: arithmetic ----
inline u32 s_add_u32(u32 a, u32 b, bool& scc) {
    const u32 sum = a + b;
    scc = sum < a;
    return sum;
}
inline u32 s_sub_u32(u32 a, u32 b, bool& scc) {
    scc = b > a;
    return a - b;
}
inline u32 s_add_i32(u32 a, u32 b, bool& scc) {
    i32 sum;
    scc = __builtin_add_overflow(static_cast<i32>(a), static_cast<i32>(b), &sum);
    return static_cast<u32>(sum);
}
inline u32 s_sub_i32(u32 a, u32 b, bool& scc) {
    i32 difference;
    scc = __builtin_sub_overflow(static_cast<i32>(a), static_cast<i32>(b), &difference);
    return static_cast<u32>(difference);
}
inline u32 s_addc_u32(u32 a, u32 b, bool& scc) {
    const u64 sum = u64{a} + b + scc;
    scc = sum >> 32 != 0;
    return static_cast<u32>(sum);
}
inline u32 s_subb_u32(u32 a, u32 b, bool& scc) {
    const u64 subtrahend = u64{b} + scc;
    scc = subtrahend > a;
    return static_cast<u32>(a - subtrahend);
}
inline i32 s_min_i32(i32 a, i32 b, bool& scc) { return (scc = a < b) ? a : b; }
inline u32 s_min_u32(u32 a, u32 b, bool& scc) { return (scc = a < b) ? a : b; }
inline i32 s_max_i32(i32 a, i32 b, bool& scc) { return (scc = a > b) ? a : b; }
inline u32 s_max_u32(u32 a, u32 b, bool& scc) { return (scc = a > b) ? a : b; }
inline u32 s_cselect_b32(u32 a, u32 b, bool& scc) { return scc ? a : b; }
inline u64 s_cselect_b64(u64 a, u64 b, bool& scc) { return scc ? a : b; }
inline u32 s_mul_i32(u32 a, u32 b, bool&) { return a * b; }
inline u32 s_mul_hi_u32(u32 a, u32 b, bool&) { return static_cast<u32>(u64{a} * b >> 32); }
inline u32 s_mul_hi_i32(i32 a, i32 b, bool&) { return static_cast<u32>(i64{a} * b >> 32); }
inline u32 s_absdiff_i32(u32 a, u32 b, bool& scc) {
    const u32 difference = a - b;
    return nonzero(difference >> 31 ? 0 - difference : difference, scc);
}
template <unsigned shift>
inline u32 shift_add(u32 a, u32 b, bool& scc) {
    const u64 sum = (u64{a} << shift) + b;
    scc = sum >> 32 != 0;
    return static_cast<u32>(sum);
}
inline u32 s_lshl1_add_u32(u32 a, u32 b, bool& scc) { return shift_add<1>(a, b, scc); }
inline u32 s_lshl2_add_u32(u32 a, u32 b, bool& scc) { return shift_add<2>(a, b, scc); }
inline u32 s_lshl3_add_u32(u32 a, u32 b, bool& scc) { return shift_add<3>(a, b, scc); }
inline u32 s_lshl4_add_u32(u32 a, u32 b, bool& scc) { return shift_add<4>(a, b, scc); }

// ---- SOP2: bits ----
inline u32 s_and_b32(u32 a, u32 b, bool& scc) { return nonzero(a & b, scc); }
inline u64 s_and_b64(u64 a, u64 b, bool& scc) { return nonzero(a & b, scc); }
inline u32 s_or_b32(u32 a, u32 b, bool& scc) { return nonzero(a | b, scc); }
inline u64 s_or_b64(u64 a, u64 b, bool& scc) { return nonzero(a | b, scc); }
inline u32 s_xor_b32(u32 a, u32 b, bool& scc) { return nonzero(a ^ b, scc); }
inline u64 s_xor_b64(u64 a, u64 b, bool& scc) { return nonzero(a ^ b, scc); }
inline u32 s_andn2_b32(u32 a, u32 b, bool& scc) { return nonzero(a & ~b, scc); }
inline u64 s_andn2_b64(u64 a, u64 b, bool& scc) { return nonzero(a & ~b, scc); }
inline u32 s_orn2_b32(u32 a, u32 b, bool& scc) { return nonzero(a | ~b, scc); }
inline u64 s_orn2_b64(u64 a, u64 b, bool& scc) { return nonzero(a | ~b, scc); }
inline u32 s_nand_b32(u32 a, u32 b, bool& scc) { return nonzero(~(a & b), scc); }
inline u64 s_nand_b64(u64 a, u64 b, bool& scc) { return nonzero(~(a & b), scc); }
inline u32 s_nor_b32(u32 a, u32 b, bool& scc) { return nonzero(~(a | b), scc); }
inline u64 s_nor_b64(u64 a, u64 b, bool& scc) { return nonzero(~(a | b), scc); }
inline u32 s_xnor_b32(u32 a, u32 b, bool& scc) { return nonzero(~(a ^ b), scc); }
inline u64 s_xnor_b64(u64 a, u64 b, bool& scc) { return nonzero(~(a ^ b), scc); }
inline u32 s_lshl_b32(u32 a, u32 b, bool& scc) { return nonzero(a << (b & 31), scc); }
inline u64 s_lshl_b64(u64 a, u32 b, bool& scc) { return nonzero(a << (b & 63), scc); }
inline u32 s_lshr_b32(u32 a, u32 b, bool& scc) { return nonzero(a >> (b & 31), scc); }
inline u64 s_lshr_b64(u64 a, u32 b, bool& scc) { return nonzero(a >> (b & 63), scc); }
inline i32 s_ashr_i32(i32 a, u32 b, bool& scc) { return nonzero(a >> (b & 31), scc); }
inline i64 s_ashr_i64(i64 a, u32 b, bool& scc) { return nonzero(a >> (b & 63), scc); }
inline u32 s_bfm_b32(u32 a, u32 b, bool&) { return ((u32{1} << (a & 31)) - 1) << (b & 31); }
inline u64 s_bfm_b64(u32 a, u32 b, bool&) { return ((u64{1} << (a & 63)) - 1) << (b & 63); }

// Bit field of a value: S1 holds the offset in its low bits and the width in [22:16]. Signed fields extend
// their own top bit; a field wider than what is left takes what is left (with the sign of the value).
template <class T>
inline T bit_field(T value, u32 where, bool& scc) {
    constexpr unsigned bits = sizeof(T) * 8;
    const unsigned width = where >> 16 & 0x7f;
    const T shifted = value >> (where & (bits - 1));
    if (width >= bits) return nonzero(shifted, scc);
    if (width == 0) return nonzero(T{0}, scc);
    using U = std::make_unsigned_t<T>;
    const unsigned unused = bits - width;
    return nonzero(static_cast<T>(static_cast<T>(static_cast<U>(shifted) << unused) >> unused), scc);
}
inline u32 s_bfe_u32(u32 a, u32 b, bool& scc) { return bit_field(a, b, scc); }
inline i32 s_bfe_i32(i32 a, u32 b, bool& scc) { return bit_field(a, b, scc); }
inline u64 s_bfe_u64(u64 a, u32 b, bool& scc) { return bit_field(a, b, scc); }
inline i64 s_bfe_i64(i64 a, u32 b, bool& scc) { return bit_field(a, b, scc); }

inline u32 s_pack_ll_b32_b16(u32 a, u32 b, bool&) { return (a & 0xffff) | b << 16; }
inline u32 s_pack_lh_b32_b16(u32 a, u32 b, bool&) { return (a & 0xffff) | (b & 0xffff0000); }
inline u32 s_pack_hh_b32_b16(u32 a, u32 b, bool&) { return a >> 16 | (b & 0xffff0000); }

// ---- SOP1 ----
inline u32 s_mov_b32(u32 a, bool&) { return a; }
inline u64 s_mov_b64(u64 a, bool&) { return a; }
inline u32 s_not_b32(u32 a, bool& scc) { return nonzero(~a, scc); }
inline u64 s_not_b64(u64 a, bool& scc) { return nonzero(~a, scc); }

template <class T>
inline T reverse_bits(T value) {
    T reversed = 0;
    for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit, value >>= 1) reversed = reversed << 1 | (value & 1);
    return reversed;
}
inline u32 s_brev_b32(u32 a, bool&) { return reverse_bits(a); }
inline u64 s_brev_b64(u64 a, bool&) { return reverse_bits(a); }

// One bit per quad of lanes: set when any of its four is.
template <class T>
inline T quads_used(T mask) {
    constexpr T first_of_quad = static_cast<T>(0x1111111111111111ull);
    return (mask | mask >> 1 | mask >> 2 | mask >> 3) & first_of_quad;
}
inline u32 s_wqm_b32(u32 a, bool& scc) { return nonzero(quads_used(a) * 15, scc); }
inline u64 s_wqm_b64(u64 a, bool& scc) { return nonzero(quads_used(a) * 15, scc); }

template <class T>
inline T gather_quads(T mask) {
    T packed = 0;
    for (unsigned quad = 0; quad < sizeof(T) * 2; ++quad) packed |= (quads_used(mask) >> (quad * 4) & 1) << quad;
    return packed;
}
inline u32 s_quadmask_b32(u32 a, bool& scc) { return nonzero(gather_quads(a), scc); }
inline u64 s_quadmask_b64(u64 a, bool& scc) { return nonzero(gather_quads(a), scc); }

inline u32 count_ones(u64 a) { return static_cast<u32>(std::popcount(a)); }
inline u32 s_bcnt0_i32_b32(u32 a, bool& scc) { return nonzero(32 - count_ones(a), scc); }
inline u32 s_bcnt0_i32_b64(u64 a, bool& scc) { return nonzero(64 - count_ones(a), scc); }
inline u32 s_bcnt1_i32_b32(u32 a, bool& scc) { return nonzero(count_ones(a), scc); }
inline u32 s_bcnt1_i32_b64(u64 a, bool& scc) { return nonzero(count_ones(a), scc); }

inline constexpr u32 kNotFound = ~u32{0};
template <class T>
inline u32 lowest_one(T a) {
    return a ? static_cast<u32>(std::countr_zero(a)) : kNotFound;
}
template <class T>
inline u32 leading_zeros(T a) {
    return a ? static_cast<u32>(std::countl_zero(a)) : kNotFound;
}
inline u32 s_ff0_i32_b32(u32 a, bool&) { return lowest_one(~a); }
inline u32 s_ff0_i32_b64(u64 a, bool&) { return lowest_one(~a); }
inline u32 s_ff1_i32_b32(u32 a, bool&) { return lowest_one(a); }
inline u32 s_ff1_i32_b64(u64 a, bool&) { return lowest_one(a); }
inline u32 s_flbit_i32_b32(u32 a, bool&) { return leading_zeros(a); }
inline u32 s_flbit_i32_b64(u64 a, bool&) { return leading_zeros(a); }
// Leading bits equal to the sign bit.
inline u32 s_flbit_i32(u32 a, bool&) { return leading_zeros(a >> 31 ? ~a : a); }
inline u32 s_flbit_i32_i64(u64 a, bool&) { return leading_zeros(a >> 63 ? ~a : a); }

inline i32 s_sext_i32_i8(u32 a, bool&) { return static_cast<std::int8_t>(a); }
inline i32 s_sext_i32_i16(u32 a, bool&) { return static_cast<std::int16_t>(a); }
inline u32 s_abs_i32(u32 a, bool& scc) { return nonzero(a >> 31 ? 0 - a : a, scc); }
inline u64 s_bitreplicate_b64_b32(u32 a, bool&) {
    u64 doubled = 0;
    for (unsigned bit = 0; bit < 32; ++bit) doubled |= (u64{3} * (a >> bit & 1)) << (bit * 2);
    return doubled;
}

// SOP1 that change bits of their destination.
inline u32 s_bitset0_b32(u32 a, u32 old) { return old & ~(u32{1} << (a & 31)); }
inline u32 s_bitset1_b32(u32 a, u32 old) { return old | u32{1} << (a & 31); }
inline u64 s_bitset0_b64(u32 a, u64 old) { return old & ~(u64{1} << (a & 63)); }
inline u64 s_bitset1_b64(u32 a, u64 old) { return old | u64{1} << (a & 63); }

// New EXEC of the saveexec and wrexec families.
inline u64 s_and_saveexec_b64(u64 a, u64 exec) { return a & exec; }
inline u64 s_or_saveexec_b64(u64 a, u64 exec) { return a | exec; }
inline u64 s_xor_saveexec_b64(u64 a, u64 exec) { return a ^ exec; }
inline u64 s_andn2_saveexec_b64(u64 a, u64 exec) { return a & ~exec; }
inline u64 s_orn2_saveexec_b64(u64 a, u64 exec) { return a | ~exec; }
inline u64 s_nand_saveexec_b64(u64 a, u64 exec) { return ~(a & exec); }
inline u64 s_nor_saveexec_b64(u64 a, u64 exec) { return ~(a | exec); }
inline u64 s_xnor_saveexec_b64(u64 a, u64 exec) { return ~(a ^ exec); }
inline u64 s_andn1_saveexec_b64(u64 a, u64 exec) { return ~a & exec; }
inline u64 s_orn1_saveexec_b64(u64 a, u64 exec) { return ~a | exec; }
inline u64 s_andn1_wrexec_b64(u64 a, u64 exec) { return ~a & exec; }
inline u64 s_andn2_wrexec_b64(u64 a, u64 exec) { return a & ~exec; }

// ---- SOPC ----
inline bool s_cmp_eq_i32(i32 a, i32 b) { return a == b; }
inline bool s_cmp_lg_i32(i32 a, i32 b) { return a != b; }
inline bool s_cmp_gt_i32(i32 a, i32 b) { return a > b; }
inline bool s_cmp_ge_i32(i32 a, i32 b) { return a >= b; }
inline bool s_cmp_lt_i32(i32 a, i32 b) { return a < b; }
inline bool s_cmp_le_i32(i32 a, i32 b) { return a <= b; }
inline bool s_cmp_eq_u32(u32 a, u32 b) { return a == b; }
inline bool s_cmp_lg_u32(u32 a, u32 b) { return a != b; }
inline bool s_cmp_gt_u32(u32 a, u32 b) { return a > b; }
inline bool s_cmp_ge_u32(u32 a, u32 b) { return a >= b; }
inline bool s_cmp_lt_u32(u32 a, u32 b) { return a < b; }
inline bool s_cmp_le_u32(u32 a, u32 b) { return a <= b; }
inline bool s_cmp_eq_u64(u64 a, u64 b) { return a == b; }
inline bool s_cmp_lg_u64(u64 a, u64 b) { return a != b; }
inline bool s_bitcmp0_b32(u32 a, u32 b) { return (a >> (b & 31) & 1) == 0; }
inline bool s_bitcmp1_b32(u32 a, u32 b) { return (a >> (b & 31) & 1) != 0; }
inline bool s_bitcmp0_b64(u64 a, u32 b) { return (a >> (b & 63) & 1) == 0; }
inline bool s_bitcmp1_b64(u64 a, u32 b) { return (a >> (b & 63) & 1) != 0; }

// clang-format on

}  // namespace vrocm::sim::scalar::alu
