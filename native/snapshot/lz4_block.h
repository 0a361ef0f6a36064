// The LZ4 block format, as published: matches of at least four bytes within 64 KiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rpl::snapshot {

// Bytes written, or 0 when the result would not fit in `target` (incompressible input is found out early).
std::size_t lz4_compress(std::span<const std::uint8_t> source, std::span<std::uint8_t> target);
// True when `source` decodes to exactly `target.size()` bytes; never reads or writes outside.
bool lz4_decompress(std::span<const std::uint8_t> source, std::span<std::uint8_t> target);

}  // namespace rpl::snapshot
