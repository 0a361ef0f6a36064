// What compressors of others wrote, unpacked. Every size and distance in it is distrusted: damaged input ends in
// Damaged, whatever it says, and memory grows with what is really produced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace vrocm::compression {

class Damaged : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One zlib stream (RFC 1950 and 1951), or one zstd frame (RFC 8878, without dictionaries), from the beginning of
// `packed`, of at most `most` bytes when unpacked. `used`, when given, is set to where it ends.
std::vector<std::uint8_t> unpack_zlib(std::span<const std::uint8_t> packed, std::uint64_t most,
                                      std::size_t* used = nullptr);
std::vector<std::uint8_t> unpack_zstd(std::span<const std::uint8_t> packed, std::uint64_t most,
                                      std::size_t* used = nullptr);

}  // namespace vrocm::compression
