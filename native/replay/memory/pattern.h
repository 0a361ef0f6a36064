// Bytes made from their address: what poison and canaries are filled with (docs/capture-format.md).
#pragma once

#include <cstdint>
#include <span>

namespace rpl::replay {

// The byte at address a is byte (a mod 8) of splitmix64(seed xor (a div 8)).
void fill_pattern(std::uint64_t address, std::uint64_t seed, std::span<std::uint8_t> into);

}  // namespace rpl::replay
