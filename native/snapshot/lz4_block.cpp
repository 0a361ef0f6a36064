#include "snapshot/lz4_block.h"

#include <array>
#include <bit>
#include <cstring>

#include "snapshot/unaligned.h"

namespace rpl::snapshot {

// A block is a row of sequences: a token (literal length in the upper four bits, match length less four in the lower;
// 15 means that bytes follow that are added, up to and including the first that is not 255), the literals, the
// distance of the match (two bytes, little-endian), the further bytes of the match length. The last sequence has
// literals only. The end rules of the format: the last five bytes are literals, and no match starts within the last
// twelve.
namespace {

constexpr std::size_t kShortestMatch = 4, kLastLiterals = 5, kNoMatchStart = 12, kFarthest = 65535;
constexpr unsigned kHashBits = 12;
// After 2^kPatience positions without a match the search begins to take longer steps.
constexpr unsigned kPatience = 6;

std::uint32_t slot_of(std::uint32_t four_bytes) {
    return four_bytes * 2654435761u >> (32 - kHashBits);  // Knuth's multiplicative hash
}

// How many bytes agree at `a` and `b`, `b` being the later one and bounded by `end`.
std::size_t common_length(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* end) {
    const std::uint8_t* const start = b;
    while (end - b >= 8) {
        const std::uint64_t difference = load_unaligned<std::uint64_t>(a) ^ load_unaligned<std::uint64_t>(b);
        if (difference) return static_cast<std::size_t>(b - start + std::countr_zero(difference) / 8);
        a += 8;
        b += 8;
    }
    while (b < end && *a == *b) ++a, ++b;
    return static_cast<std::size_t>(b - start);
}

// Bytes that a length beyond 15 takes in the output.
std::size_t length_bytes(std::size_t length) {
    return length < 15 ? 0 : (length - 15) / 255 + 1;
}

std::uint8_t* write_length(std::uint8_t* to, std::size_t length) {
    if (length < 15) return to;
    for (length -= 15; length >= 255; length -= 255) *to++ = 255;
    *to++ = static_cast<std::uint8_t>(length);
    return to;
}

struct Output {
    std::uint8_t* at;
    std::uint8_t* const end;
    const std::uint8_t* const source_end;
    std::size_t room() const { return static_cast<std::size_t>(end - at); }

    // `match` 0: the last sequence.
    bool sequence(const std::uint8_t* literals, std::size_t count, std::size_t distance, std::size_t match) {
        const std::size_t coded = match ? match - kShortestMatch : 0;
        if (1 + length_bytes(count) + count + (match ? 2 + length_bytes(coded) : 0) > room()) return false;
        *at++ = static_cast<std::uint8_t>((count < 15 ? count : 15) << 4 | (coded < 15 ? coded : 15));
        at = write_length(at, count);
        if (count <= 16 && room() >= 16 && source_end - literals >= 16)
            std::memcpy(at, literals, 16);  // short runs: one copy of a size known to the compiler
        else if (count)
            std::memcpy(at, literals, count);
        at += count;
        if (!match) return true;
        *at++ = static_cast<std::uint8_t>(distance);
        *at++ = static_cast<std::uint8_t>(distance >> 8);
        at = write_length(at, coded);
        return true;
    }
};

}  // namespace

std::size_t lz4_compress(std::span<const std::uint8_t> source, std::span<std::uint8_t> target) {
    const std::uint8_t *const begin = source.data(), *const end = begin + source.size();
    Output out{target.data(), target.data() + target.size(), end};
    const std::uint8_t* literals = begin;  // where those not yet written begin
    if (source.size() > kNoMatchStart) {
        std::array<std::uint32_t, 1u << kHashBits> seen{};  // position of the last four bytes with this hash
        const std::uint8_t *const last_start = end - kNoMatchStart, *const match_end = end - kLastLiterals;
        const std::uint8_t* at = begin + 1;  // position 0 is what an empty slot says
        unsigned misses = 1u << kPatience;
        while (at <= last_start) {
            const auto four = load_unaligned<std::uint32_t>(at);
            std::uint32_t& slot = seen[slot_of(four)];
            const std::uint8_t* candidate = begin + slot;
            slot = static_cast<std::uint32_t>(at - begin);
            if (load_unaligned<std::uint32_t>(candidate) != four ||
                static_cast<std::size_t>(at - candidate) > kFarthest) {
                at += misses++ >> kPatience;
                if (at > last_start) break;
                if (static_cast<std::size_t>(at - literals) > out.room()) return 0;
                continue;
            }
            misses = 1u << kPatience;
            while (at > literals && candidate > begin && at[-1] == candidate[-1]) --at, --candidate;
            const std::size_t length =
                kShortestMatch + common_length(candidate + kShortestMatch, at + kShortestMatch, match_end);
            if (!out.sequence(literals, static_cast<std::size_t>(at - literals),
                              static_cast<std::size_t>(at - candidate), length))
                return 0;
            at += length;
            literals = at;
            if (at <= last_start)
                seen[slot_of(load_unaligned<std::uint32_t>(at - 2))] = static_cast<std::uint32_t>(at - 2 - begin);
        }
    }
    if (!out.sequence(literals, static_cast<std::size_t>(end - literals), 0, 0)) return 0;
    return static_cast<std::size_t>(out.at - target.data());
}

namespace {

// Reads the bytes that follow a length of 15; false when they are cut off.
bool read_length(const std::uint8_t*& from, const std::uint8_t* end, std::size_t& length) {
    if (length != 15) return true;
    std::uint8_t more;
    do {
        if (from == end) return false;
        more = *from++;
        length += more;
    } while (more == 255);
    return true;
}

// A match may reach into what it writes: distance 1 repeats one byte.
void copy_match(std::uint8_t* to, std::size_t distance, std::size_t length) {
    const std::uint8_t* from = to - distance;
    if (distance >= length) {
        std::memcpy(to, from, length);
        return;
    }
    // What is there already doubles with every step.
    while (length > distance) {
        std::memcpy(to, from, distance);
        to += distance;
        length -= distance;
        distance *= 2;
    }
    std::memcpy(to, from, length);
}

}  // namespace

bool lz4_decompress(std::span<const std::uint8_t> source, std::span<std::uint8_t> target) {
    const std::uint8_t *from = source.data(), *const from_end = from + source.size();
    std::uint8_t *const begin = target.data(), *to = begin, *const to_end = begin + target.size();
    while (from < from_end) {
        const std::uint8_t token = *from++;
        std::size_t literals = token >> 4;
        if (!read_length(from, from_end, literals)) return false;
        if (literals > static_cast<std::size_t>(from_end - from) || literals > static_cast<std::size_t>(to_end - to))
            return false;
        if (literals <= 16 && from_end - from >= 16 && to_end - to >= 16)
            std::memcpy(to, from, 16);  // short runs: one copy of a size known to the compiler
        else if (literals)
            std::memcpy(to, from, literals);
        from += literals;
        to += literals;
        if (from == from_end) return to == to_end;
        if (from_end - from < 2) return false;
        const std::size_t distance = load_unaligned<std::uint16_t>(from);
        from += 2;
        std::size_t length = token & 15;
        if (!read_length(from, from_end, length)) return false;
        length += kShortestMatch;
        if (distance == 0 || distance > static_cast<std::size_t>(to - begin) ||
            length > static_cast<std::size_t>(to_end - to))
            return false;
        if (distance >= 16 && length <= 32 && to_end - to >= 32) {
            std::memcpy(to, to - distance, 16);
            std::memcpy(to + 16, to - distance + 16, 16);
        } else {
            copy_match(to, distance, length);
        }
        to += length;
    }
    return false;  // a block ends with literals
}

}  // namespace rpl::snapshot
