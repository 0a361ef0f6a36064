#include "sim/exec/matrix/unpack.h"

#include <immintrin.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace vrocm::sim {

namespace {

// The 8-bit formats of gfx942 have no infinities and no negative zero: 0x80 is the one NaN, and the exponent bias
// is one more than usual (OCP-like "FNUZ": 8 for fp8 e4m3, 16 for bf8 e5m2; CDNA3 ISA, "FP8 and BF8").
constexpr std::array<float, 256> eight_bit_values(int mantissa_bits, int bias) {
    std::array<float, 256> values{};
    for (int code = 0; code < 256; ++code) {
        if (code == 0x80) {
            values[code] = std::numeric_limits<float>::quiet_NaN();
            continue;
        }
        const int mantissa = code & ((1 << mantissa_bits) - 1);
        const int exponent = (code & 0x7f) >> mantissa_bits;
        float value = static_cast<float>(exponent == 0 ? mantissa : mantissa | 1 << mantissa_bits);
        int scale = (exponent == 0 ? 1 : exponent) - bias - mantissa_bits;
        for (; scale > 0; --scale) value *= 2;
        for (; scale < 0; ++scale) value /= 2;
        values[code] = code & 0x80 ? -value : value;
    }
    return values;
}
constexpr auto kFp8 = eight_bit_values(3, 8);
constexpr auto kBf8 = eight_bit_values(2, 16);

__m256i load(const VReg& reg, unsigned lane) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(reg.lane + lane));
}

void unpack_f32(const VReg* regs, unsigned elements, Lanes<float>& out) {
    std::memcpy(out.at, regs, elements * sizeof(VReg));
}

// XF32: 10 bits of mantissa, rounded to nearest even as ROCm's host-side type does.
void unpack_xf32(const VReg* regs, unsigned elements, Lanes<float>& out) {
    for (unsigned e = 0; e < elements; ++e)
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            std::uint32_t x = regs[e].lane[lane];
            if ((x & 0x7f800000) != 0x7f800000)
                x = (x + 0xfff + (x >> 13 & 1)) & 0xffffe000;
            else if (x & 0x7fffff)
                x = (x | 0x400000) & 0xffffe000;
            std::memcpy(&out.at[e][lane], &x, 4);
        }
}

// Two 16-bit elements a register, the first in the low half.
template <typename Widen>
void unpack_halves(const VReg* regs, unsigned elements, Lanes<float>& out, Widen widen) {
    for (unsigned r = 0; r < elements / 2; ++r)
        for (unsigned lane = 0; lane < kLanes; lane += 8) {
            const __m256i x = load(regs[r], lane);
            _mm256_store_ps(&out.at[2 * r][lane], widen(_mm256_and_si256(x, _mm256_set1_epi32(0xffff))));
            _mm256_store_ps(&out.at[2 * r + 1][lane], widen(_mm256_srli_epi32(x, 16)));
        }
}

// Zero, with its sign, where no bit of `exponent` is set.
__m256i flush_denormals(__m256i x, int exponent, int sign) {
    const __m256i denormal =
        _mm256_cmpeq_epi32(_mm256_and_si256(x, _mm256_set1_epi32(exponent)), _mm256_setzero_si256());
    return _mm256_blendv_epi8(x, _mm256_and_si256(x, _mm256_set1_epi32(sign)), denormal);
}

void unpack_f16(const VReg* regs, unsigned elements, bool flush, Lanes<float>& out) {
    unpack_halves(regs, elements, out, [flush](__m256i x) {
        if (flush) x = flush_denormals(x, 0x7c00, 0x8000);
        const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
        return _mm256_cvtph_ps(packed);
    });
}

void unpack_bf16(const VReg* regs, unsigned elements, bool flush, Lanes<float>& out) {
    unpack_halves(regs, elements, out, [flush](__m256i x) {
        if (flush) x = flush_denormals(x, 0x7f80, 0x8000);
        return _mm256_castsi256_ps(_mm256_slli_epi32(x, 16));
    });
}

void unpack_bytes(const VReg* regs, unsigned elements, const float* values, Lanes<float>& out) {
    for (unsigned e = 0; e < elements; ++e)
        for (unsigned lane = 0; lane < kLanes; lane += 8) {
            const __m256i code =
                _mm256_and_si256(_mm256_srli_epi32(load(regs[e / 4], lane), 8 * (e % 4)), _mm256_set1_epi32(0xff));
            _mm256_store_ps(&out.at[e][lane], _mm256_i32gather_ps(values, code, 4));
        }
}

}  // namespace

void unpack(Element type, const VReg* regs, unsigned elements, bool flush, Lanes<float>& out) {
    switch (type) {
        case Element::F32:
            return unpack_f32(regs, elements, out);
        case Element::Xf32:
            return unpack_xf32(regs, elements, out);
        case Element::F16:
            return unpack_f16(regs, elements, flush, out);
        case Element::Bf16:
            return unpack_bf16(regs, elements, flush, out);
        case Element::Fp8:
            return unpack_bytes(regs, elements, kFp8.data(), out);
        case Element::Bf8:
            return unpack_bytes(regs, elements, kBf8.data(), out);
        case Element::I8:
        case Element::F64:
            break;  // not computed in f32
    }
}

void unpack(const VReg* regs, unsigned elements, Lanes<std::int32_t>& out) {
    for (unsigned e = 0; e < elements; ++e)
        for (unsigned lane = 0; lane < kLanes; ++lane)
            out.at[e][lane] = static_cast<std::int8_t>(regs[e / 4].lane[lane] >> (8 * (e % 4)));
}

}  // namespace vrocm::sim
