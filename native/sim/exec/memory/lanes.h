// Which shape the addresses of a wave's lanes have. Most accesses are one block (lane after lane) or one
// place (the same for all); both are found by a few vector comparisons and served by one range check.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/wave/wave.h"

namespace vrocm::sim::memory {

inline constexpr std::uint64_t kAllLanes = ~std::uint64_t{0};

inline unsigned first_lane(std::uint64_t lanes) {
    return static_cast<unsigned>(std::countr_zero(lanes));
}
inline unsigned last_lane(std::uint64_t lanes) {
    return 63 - static_cast<unsigned>(std::countl_zero(lanes));
}

template <class Body>
inline void for_each_lane(std::uint64_t lanes, Body body) {
    for (; lanes; lanes &= lanes - 1) body(first_lane(lanes));
}

struct Pattern {
    enum class Kind : std::uint8_t { Uniform, Linear, Scattered };
    Kind kind = Kind::Scattered;
    std::uint64_t address = 0;  // Uniform: of every lane. Linear: of lane 0, lane n is at address + n * step.
};

namespace detail {

struct Differences {
    std::uint32_t uniform, linear, high;
};

template <unsigned step, bool masked, bool wide>
inline Differences compare(const VReg& low, const VReg* high, const VReg* mask, unsigned first) {
    const std::uint32_t same = low.lane[first], start = same - first * step;
    const std::uint32_t same_high = wide ? high->lane[first] : 0;
    std::uint32_t uniform = 0, linear = 0, differs_high = 0;
    for (unsigned i = 0; i < kLanes; ++i) {
        const std::uint32_t active = masked ? mask->lane[i] : ~0u;
        uniform |= (low.lane[i] ^ same) & active;
        linear |= (low.lane[i] ^ (start + i * step)) & active;
        if constexpr (wide) differs_high |= (high->lane[i] ^ same_high) & active;
    }
    return {uniform, linear, differs_high};
}

template <unsigned step, bool wide>
inline Pattern classify(Wave& wave, const VReg& low, const VReg* high, std::uint64_t lanes) {
    const unsigned first = first_lane(lanes);
    const Differences d = lanes == kAllLanes ? compare<step, false, wide>(low, high, nullptr, first)
                                             : compare<step, true, wide>(low, high, &wave.exec_lanes(), first);
    if (d.high) return {};
    const std::uint64_t upper = wide ? std::uint64_t{high->lane[first]} << 32 : 0;
    if (d.uniform == 0) return {Pattern::Kind::Uniform, upper | low.lane[first]};
    // Lane 0 to lane 63 must lie in one 4 GiB window, or the low halves wrapped.
    const std::uint32_t start = low.lane[first] - first * step;
    if (d.linear == 0 && start <= low.lane[first] && start <= ~std::uint32_t{0} - (kLanes - 1) * step)
        return {Pattern::Kind::Linear, upper | start};
    return {};
}

}  // namespace detail

// Patterns of registers that hold 32-bit offsets or 64-bit addresses. lanes must be EXEC and not empty.
template <unsigned step>
inline Pattern pattern32(Wave& wave, const VReg& offset, std::uint64_t lanes) {
    return detail::classify<step, false>(wave, offset, nullptr, lanes);
}
template <unsigned step>
inline Pattern pattern64(Wave& wave, const VReg& low, const VReg& high, std::uint64_t lanes) {
    return detail::classify<step, true>(wave, low, &high, lanes);
}

inline std::uint64_t lane64(const VReg* pair, unsigned lane) {
    return std::uint64_t{pair[1].lane[lane]} << 32 | pair[0].lane[lane];
}

}  // namespace vrocm::sim::memory
