// XXH64, as published: a fast 64-bit checksum.
#pragma once

#include <cstdint>
#include <span>

namespace rpl::snapshot {

std::uint64_t xxh64(std::span<const std::uint8_t> bytes, std::uint64_t seed = 0);

}  // namespace rpl::snapshot
