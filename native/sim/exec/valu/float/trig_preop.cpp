// v_trig_preop_f64: a piece of 2 / pi, with which large arguments of sine and cosine are reduced.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// The first 1201 fraction bits of 2 / pi, most significant first, followed by zeros.
constexpr u64 kTwoOverPi[20] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
                                0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
                                0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
                                0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
                                0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000, 0};

// 53 bits from `first` on (0 is the most significant fraction bit); bits past the last are 0.
u64 bits_from(unsigned first) {
    if (first >= 1216) return 0;
    const unsigned word = first / 64, offset = first % 64;
    u64 window = kTwoOverPi[word] << offset;
    if (offset) window |= kTwoOverPi[word + 1] >> (64 - offset);
    return window >> 11;
}

double ldexp_exact(double x, int n) {
    // The product of 53 bits and a scale above 2^-1022 - 53 rounds at most once.
    if (n < -1022) return x * as_double(u64(n + 1022 + 1023) << 52) * 0x1p-1022;
    return x * as_double(u64(n + 1023) << 52);
}

double trig_preop(u64 x, u32 segment) {
    const int exponent = Double::exponent(x);
    unsigned shift = (segment & 31) * 53;
    if (exponent > 1077) shift += static_cast<unsigned>(exponent - 1077);
    int scale = -53 - static_cast<int>(shift);
    if (exponent >= 1968) scale += 128;
    // The shifted fraction's lowest 53 whole bits are the fraction bits shift .. shift + 52.
    const u64 piece = bits_from(shift);
    return piece ? ldexp_exact(static_cast<double>(static_cast<std::int64_t>(piece)), scale) : 0.0;
}

}  // namespace

void add_trig_preop(Table& table) {
    table.add(isa::Op::v_trig_preop_f64, lanes([](u64 x, u32 segment) { return trig_preop(x, segment); }));
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
