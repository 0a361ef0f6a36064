#include "snapshot/xxh64.h"

#include <bit>

#include "snapshot/unaligned.h"

namespace rpl::snapshot {

namespace {

// The five primes of the algorithm (xxHash specification, "XXH64 algorithm description").
constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F, kPrime3 = 0x165667B19E3779F9,
                        kPrime4 = 0x85EBCA77C2B2AE63, kPrime5 = 0x27D4EB2F165667C5;

static_assert(std::endian::native == std::endian::little, "lanes are read in memory order");

std::uint64_t round(std::uint64_t accumulator, std::uint64_t lane) {
    return std::rotl(accumulator + lane * kPrime2, 31) * kPrime1;
}

std::uint64_t merge(std::uint64_t hash, std::uint64_t accumulator) {
    return (hash ^ round(0, accumulator)) * kPrime1 + kPrime4;
}

}  // namespace

std::uint64_t xxh64(std::span<const std::uint8_t> bytes, std::uint64_t seed) {
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t hash = seed + kPrime5;
    if (left >= 32) {
        std::uint64_t a = seed + kPrime1 + kPrime2, b = seed + kPrime2, c = seed, d = seed - kPrime1;
        for (; left >= 32; at += 32, left -= 32) {
            a = round(a, load_unaligned<std::uint64_t>(at));
            b = round(b, load_unaligned<std::uint64_t>(at + 8));
            c = round(c, load_unaligned<std::uint64_t>(at + 16));
            d = round(d, load_unaligned<std::uint64_t>(at + 24));
        }
        hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
        hash = merge(merge(merge(merge(hash, a), b), c), d);
    }
    hash += bytes.size();
    for (; left >= 8; at += 8, left -= 8)
        hash = std::rotl(hash ^ round(0, load_unaligned<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
    if (left >= 4) {
        hash = std::rotl(hash ^ load_unaligned<std::uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
        at += 4;
        left -= 4;
    }
    for (; left; ++at, --left) hash = std::rotl(hash ^ *at * kPrime5, 11) * kPrime1;
    hash = (hash ^ hash >> 33) * kPrime2;
    hash = (hash ^ hash >> 29) * kPrime3;
    return hash ^ hash >> 32;
}

}  // namespace rpl::snapshot
