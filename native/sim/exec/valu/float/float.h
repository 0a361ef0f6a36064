// Facts about IEEE formats and NaN rules on single values.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/exec/valu/lanes.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// The NaN that arithmetic produces when no source is NaN.
inline constexpr std::uint32_t kNan32 = 0x7fc00000;
inline constexpr std::uint64_t kNan64 = 0x7ff8000000000000;
inline constexpr std::uint16_t kNan16 = 0x7e00;
// The one that functions with a limited domain give outside it (CDNA3 ISA, V_SQRT_F32, V_LOG_F32, V_DIV_FIXUP_F32).
inline constexpr std::uint32_t kInvalid32 = 0xffc00000;
inline constexpr std::uint64_t kInvalid64 = 0xfff8000000000000;
inline constexpr std::uint16_t kInvalid16 = 0xfe00;

// A binary interchange format held in the unsigned integer B.
template <class B, unsigned mantissa_bits>
struct Format {
    using Bits = B;
    static constexpr unsigned mantissa = mantissa_bits;
    static constexpr B sign = B(B{1} << (sizeof(B) * 8 - 1));
    static constexpr B infinity = B(B(~sign) >> mantissa_bits << mantissa_bits);
    static constexpr B quiet = B(B{1} << (mantissa_bits - 1));
    static constexpr B nan = B(infinity | quiet);
    static constexpr int max_exponent = int(infinity >> mantissa_bits);  // of infinities and NaNs, as stored
    static constexpr int bias = max_exponent / 2;

    static constexpr bool is_nan(B x) { return B(x & B(~sign)) > infinity; }
    static constexpr bool is_signaling(B x) { return is_nan(x) && !(x & quiet); }
    static constexpr bool is_infinite(B x) { return B(x & B(~sign)) == infinity; }
    static constexpr bool is_zero(B x) { return B(x & B(~sign)) == 0; }
    static constexpr bool is_denormal(B x) { return !is_zero(x) && exponent(x) == 0; }
    static constexpr int exponent(B x) { return int(B(x & B(~sign)) >> mantissa_bits); }
};
using Half = Format<std::uint16_t, 10>;
using Single = Format<std::uint32_t, 23>;
using Double = Format<std::uint64_t, 52>;

template <class T>
struct FormatFor;
template <>
struct FormatFor<float> {
    using Type = Single;
};
template <>
struct FormatFor<double> {
    using Type = Double;
};

inline std::uint32_t bits(float x) {
    return std::bit_cast<std::uint32_t>(x);
}
inline std::uint64_t bits(double x) {
    return std::bit_cast<std::uint64_t>(x);
}
inline float as_float(std::uint32_t x) {
    return std::bit_cast<float>(x);
}
inline double as_double(std::uint64_t x) {
    return std::bit_cast<double>(x);
}

// Half precision to single (exact; signalling NaNs become quiet) and back with the host's rounding mode.
inline float half_to_float(std::uint32_t half) {
    return _cvtsh_ss(static_cast<std::uint16_t>(half));
}
inline std::uint32_t float_to_half(float x) {
    return _cvtss_sh(x, _MM_FROUND_CUR_DIRECTION);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
