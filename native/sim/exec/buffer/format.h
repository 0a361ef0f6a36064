// Element formats of typed buffers: how many bits each component has and what they mean
// (CDNA3 ISA, "Buffer Data Format" and "Numeric Format").
#pragma once

#include <array>
#include <cstdint>

namespace vrocm::sim::memory {

enum class Number : std::uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Reserved, Float };

struct Layout {
    unsigned components = 0;
    std::array<std::uint8_t, 4> bits{};  // of each component, first one lowest in memory
    unsigned bytes() const { return (bits[0] + bits[1] + bits[2] + bits[3]) / 8u; }
};

// By data format number; those without components are reserved.
inline constexpr std::array<Layout, 16> kLayouts = {{
    {},
    {1, {8}},
    {1, {16}},
    {2, {8, 8}},
    {1, {32}},
    {2, {16, 16}},
    {3, {11, 11, 10}},  // named from the top: 10_11_11
    {3, {10, 11, 11}},
    {4, {2, 10, 10, 10}},
    {4, {10, 10, 10, 2}},
    {4, {8, 8, 8, 8}},
    {2, {32, 32}},
    {4, {16, 16, 16, 16}},
    {3, {32, 32, 32}},
    {4, {32, 32, 32, 32}},
    {},
}};

// A component as it lies in memory and as the 32 bits a register holds: a float for Unorm, Snorm, the scaled
// formats and Float, an integer for Uint and Sint.
std::uint32_t decode_component(Number number, unsigned bits, std::uint32_t raw);
std::uint32_t encode_component(Number number, unsigned bits, std::uint32_t value);

// What a component that the format lacks reads as.
inline std::uint32_t one(Number number) {
    return number == Number::Uint || number == Number::Sint ? 1 : 0x3f800000;
}

inline bool is_integer(Number number) {
    return number == Number::Uint || number == Number::Sint;
}

// Components packed into and out of an element in memory.
std::array<std::uint32_t, 4> unpack(const Layout& layout, const std::uint8_t* element);
void pack(const Layout& layout, const std::array<std::uint32_t, 4>& raw, std::uint8_t* element);

}  // namespace vrocm::sim::memory
