// 64-bit shifts, address arithmetic and widening multiply-add.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

// Handlers for 64-bit integers on blocks of lanes: sources and results are vectors of 64-bit lanes.
// Products of the low 32 bits of each 64-bit lane.
inline VU64 multiply_low_u32(VU64 a, VU64 b) {
#if defined(__AVX512F__)
    return (VU64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#else
    return (VU64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#endif
}
inline VU64 multiply_low_i32(VU64 a, VU64 b) {
#if defined(__AVX512F__)
    return (VU64)_mm512_mul_epi32((__m512i)a, (__m512i)b);
#else
    return (VU64)_mm256_mul_epi32((__m256i)a, (__m256i)b);
#endif
}

inline VU64 sign_mask(VU64 x) {
    return (VU64)((VI64)x < 0);
}

// Reads a source as 64-bit lanes; one of 32 bits is extended with zeros.
template <bool wide>
inline Pair<VU64> load_wide(const VReg* reg, unsigned block) {
    return interleave<VU64>(load<VU>(reg[0], block), wide ? load<VU>(reg[1], block) : VU{});
}

// VU64 F(VU64...); bit i of `wide` says that source i has 64 bits.
template <class F, unsigned wide, class = IndicesOf<F>>
struct Blocks64;
template <class F, unsigned wide, unsigned... a>
struct Blocks64<F, wide, std::integer_sequence<unsigned, a...>> {
    static const Op* run(Wave& wave, const Op* op) {
        VReg in[sizeof...(a)][2];
        const VReg* const s[] = {
            (wide >> a & 1 ? source64(wave, op->src[a], in[a]) : source(wave, op->src[a], in[a]))...};
        VReg* const dst = wave.v + op->dst;
        under_exec(wave, [&](auto write) {
#pragma GCC unroll 2
            for (unsigned k = 0; k < kBlocks; ++k) {
                const Pair<VU64> x[] = {load_wide<(wide >> a & 1) != 0>(s[a], k)...};
                VU lo, hi;
                split<VU64>({F{}(x[a].first...), F{}(x[a].second...)}, lo, hi);
                write(dst[0], k, lo);
                write(dst[1], k, hi);
            }
        });
        return op + 1;
    }
};
template <unsigned wide, class F>
constexpr Handler blocks64(F) {
    return Blocks64<F, wide>::run;
}

// x + y in 32-bit halves: carries by comparison are cheaper than 64-bit lanes.
template <class Write>
void add_halves(Write write, VReg* dst, unsigned k, VU x_lo, VU x_hi, VU y_lo, VU y_hi) {
    const VU lo = x_lo + y_lo;
    write(dst[0], k, lo);
    write(dst[1], k, x_hi + y_hi - (VU)(lo < x_lo));
}

// A base that all lanes share plus an offset per lane: how compilers form most addresses.
const Op* add_base_u64(Wave& wave, const Op* op, std::uint64_t base) {
    VReg in[2];
    const VReg* offset = source64(wave, op->src[2], in);
    VReg* const dst = wave.v + op->dst;
    const VU lo = static_cast<std::uint32_t>(base) - VU{}, hi = static_cast<std::uint32_t>(base >> 32) - VU{};
    under_exec(wave, [&](auto write) {
#pragma GCC unroll 4
        for (unsigned k = 0; k < kBlocks; ++k)
            add_halves(write, dst, k, lo, hi, load<VU>(offset[0], k), load<VU>(offset[1], k));
    });
    return op + 1;
}

// (src0 << src1) + src2
const Op* lshl_add_u64(Wave& wave, const Op* op) {
    if (op->src[0].kind != Src::Kind::Vgpr && op->src[1].kind != Src::Kind::Vgpr)
        return add_base_u64(wave, op, read_scalar64(wave, op->src[0]) << (read_scalar32(wave, op->src[1]) & 7));
    VReg in[3][2];
    const VReg* a = source64(wave, op->src[0], in[0]);
    const VReg* amount = source(wave, op->src[1], in[1]);
    const VReg* b = source64(wave, op->src[2], in[2]);
    VReg* const dst = wave.v + op->dst;
    under_exec(wave, [&](auto write) {
#pragma GCC unroll 4
        for (unsigned k = 0; k < kBlocks; ++k) {
            const VU n = load<VU>(*amount, k) & 7, lo = load<VU>(a[0], k), hi = load<VU>(a[1], k);
            add_halves(write, dst, k, lo << n, (hi << n) | (lo >> 1 >> (31 - n)), load<VU>(b[0], k), load<VU>(b[1], k));
        }
    });
    return op + 1;
}

// src0 * src1 + src2 with 64-bit result; sdst gets the 65th bit of the exact sum.
template <bool is_signed, bool saturating>
const Op* mad_64_32(Wave& wave, const Op* op) {
    VReg in[3][2];
    const VReg* a = source(wave, op->src[0], in[0]);
    const VReg* b = source(wave, op->src[1], in[1]);
    const VReg* c = source64(wave, op->src[2], in[2]);
    VReg* const dst = wave.v + op->dst;
    std::uint64_t mask = 0;
    const auto one = [](VU64 x, VU64 y, VU64 z, VU64& top) {
        const VU64 product = is_signed ? multiply_low_i32(x, y) : multiply_low_u32(x, y);
        const VU64 sum = product + z;
        const VU64 overflow = is_signed ? sign_mask((product ^ sum) & (z ^ sum)) : (VU64)(sum < z);
        top = is_signed ? sign_mask(sum) ^ overflow : overflow;
        if (!saturating) return sum;
        const VU64 limit = is_signed ? sign_mask(sum) ^ (VU64{} + (std::uint64_t{1} << 63)) : ~VU64{};
        return (sum & ~overflow) | (limit & overflow);
    };
    under_exec(wave, [&](auto write) {
        for (unsigned k = 0; k < kBlocks; ++k) {
            const Pair<VU64> x = load_wide<false>(a, k), y = load_wide<false>(b, k), z = load_wide<true>(c, k);
            Pair<VU64> r, top;
            r.first = one(x.first, y.first, z.first, top.first);
            r.second = one(x.second, y.second, z.second, top.second);
            VU lo, hi, top_lo, top_hi;
            split(r, lo, hi);
            split(top, top_lo, top_hi);
            write(dst[0], k, lo);
            write(dst[1], k, hi);
            mask |= mask_bits((VI)top_lo) << (k * kWidth);
        }
    });
    wave.write_s64(op->sdst, mask & wave.exec());
    return op + 1;
}

}  // namespace

void add_integer64(Table& table) {
    using isa::Op;
    constexpr unsigned kSecondWide = 2;
    table.add(Op::v_lshlrev_b64, blocks64<kSecondWide>([](VU64 n, VU64 x) { return x << (n & 63); }));
    table.add(Op::v_lshrrev_b64, blocks64<kSecondWide>([](VU64 n, VU64 x) { return x >> (n & 63); }));
    table.add(Op::v_ashrrev_i64, blocks64<kSecondWide>([](VU64 n, VU64 x) {
                  const VU64 sign = sign_mask(x);  // a logical shift of the complement, complemented again
                  return ((x ^ sign) >> (n & 63)) ^ sign;
              }));
    table.add(Op::v_lshl_add_u64, lshl_add_u64);
    table.add(Op::v_mad_u64_u32, mad_64_32<false, false>, mad_64_32<false, true>);
    table.add(Op::v_mad_i64_i32, mad_64_32<true, false>, mad_64_32<true, true>);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
