#include "sim/exec/buffer/format.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace vrocm::sim::memory {
namespace {

std::uint32_t bits_of(double x) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(x));
}
double float_of(std::uint32_t x) {
    return std::bit_cast<float>(x);
}

std::uint32_t all_ones(unsigned bits) {
    return bits >= 32 ? ~0u : (1u << bits) - 1;
}
std::int32_t sign_extended(std::uint32_t raw, unsigned bits) {
    return static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
}

// Unsigned floats of 10 and 11 bits have five exponent bits, as halves do, and no sign.
std::uint32_t decode_float(unsigned bits, std::uint32_t raw) {
    if (bits == 32) return raw;
    const std::uint16_t half = static_cast<std::uint16_t>(bits == 16 ? raw : raw << (15 - bits));
    return std::bit_cast<std::uint32_t>(_cvtsh_ss(half));
}
std::uint32_t encode_float(unsigned bits, std::uint32_t value) {
    if (bits == 32) return value;
    const float x = std::bit_cast<float>(value);
    if (bits == 16) return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
    if (!(x > 0) && !std::isnan(x)) return 0;
    // Rounded toward zero, which cannot carry into an infinity.
    return static_cast<std::uint32_t>(_cvtss_sh(x, _MM_FROUND_TO_ZERO)) >> (15 - bits) & all_ones(bits);
}

// Rounds a float into an integer range; not-a-number becomes zero.
std::uint32_t to_integer(double x, double low, double high) {
    if (std::isnan(x)) return 0;
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::nearbyint(std::clamp(x, low, high))));
}

}  // namespace

std::uint32_t decode_component(Number number, unsigned bits, std::uint32_t raw) {
    const double highest = bits > 1 ? all_ones(bits - 1) : 1;
    switch (number) {
        case Number::Unorm:
            return bits_of(raw / static_cast<double>(all_ones(bits)));
        case Number::Snorm:
        case Number::Reserved:
            return bits_of(std::max(sign_extended(raw, bits) / highest, -1.0));
        case Number::Uscaled:
            return bits_of(raw);
        case Number::Sscaled:
            return bits_of(sign_extended(raw, bits));
        case Number::Uint:
            return raw;
        case Number::Sint:
            return static_cast<std::uint32_t>(sign_extended(raw, bits));
        case Number::Float:
            return decode_float(bits, raw);
    }
    return 0;
}

std::uint32_t encode_component(Number number, unsigned bits, std::uint32_t value) {
    const double unsigned_highest = all_ones(bits), highest = bits > 1 ? all_ones(bits - 1) : 1;
    switch (number) {
        case Number::Unorm:
            return to_integer(float_of(value) * unsigned_highest, 0, unsigned_highest);
        case Number::Snorm:
        case Number::Reserved:
            return to_integer(float_of(value) * highest, -highest, highest) & all_ones(bits);
        case Number::Uscaled:
            return to_integer(float_of(value), 0, unsigned_highest);
        case Number::Sscaled:
            return to_integer(float_of(value), -highest - 1, highest) & all_ones(bits);
        case Number::Uint:
            return std::min(value, all_ones(bits));
        case Number::Sint: {
            const auto signed_value = static_cast<std::int32_t>(value);
            return to_integer(signed_value, -highest - 1, highest) & all_ones(bits);
        }
        case Number::Float:
            return encode_float(bits, value);
    }
    return 0;
}

std::array<std::uint32_t, 4> unpack(const Layout& layout, const std::uint8_t* element) {
    std::array<std::uint32_t, 4> raw{};
    unsigned at = 0;
    for (unsigned c = 0; c < layout.components; at += layout.bits[c++]) {
        std::uint64_t window = 0;  // no component is wider than 32 bits or starts past a byte's last bit
        std::memcpy(&window, element + at / 8, std::min(8u, layout.bytes() - at / 8));
        raw[c] = static_cast<std::uint32_t>(window >> at % 8) & all_ones(layout.bits[c]);
    }
    return raw;
}

void pack(const Layout& layout, const std::array<std::uint32_t, 4>& raw, std::uint8_t* element) {
    std::memset(element, 0, layout.bytes());
    unsigned at = 0;
    for (unsigned c = 0; c < layout.components; at += layout.bits[c++]) {
        const unsigned size = std::min(8u, layout.bytes() - at / 8);
        std::uint64_t window = 0;
        std::memcpy(&window, element + at / 8, size);
        window |= std::uint64_t{raw[c] & all_ones(layout.bits[c])} << at % 8;
        std::memcpy(element + at / 8, &window, size);
    }
}

}  // namespace vrocm::sim::memory
