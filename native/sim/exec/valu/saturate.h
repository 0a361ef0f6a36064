// What clamp means for integer instructions: the nearest value the destination can hold.
#pragma once

#include <cstdint>
#include <limits>

#include "sim/exec/valu/lanes.h"

namespace vrocm::sim::VROCM_SIMD_NS {

template <class T>
constexpr T saturate(std::int64_t x) {
    constexpr std::int64_t low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return static_cast<T>(x < low ? low : x > high ? high : x);
}

constexpr std::uint32_t saturate_u32(std::uint64_t x) {
    return x > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(x);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
