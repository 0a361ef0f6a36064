// Bytes made from their address: what poison and canaries are filled with (docs/reference/capture-format.md).
#pragma once

#include <cstdint>
#include <span>

namespace rpl::replay {

// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014.
inline std::uint64_t splitmix64(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

// The byte at address a is byte (a mod 8) of splitmix64(seed xor (a div 8)).
inline void fill_pattern(std::uint64_t address, std::uint64_t seed, std::span<std::uint8_t> into) {
    for (std::size_t i = 0; i < into.size();) {
        const std::uint64_t word = splitmix64(seed ^ ((address + i) / 8));
        for (unsigned byte = (address + i) % 8; byte < 8 && i < into.size(); ++byte, ++i)
            into[i] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
}

}  // namespace rpl::replay
