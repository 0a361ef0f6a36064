// DEFLATE (RFC 1951) in its zlib wrapping (RFC 1950).
#include <algorithm>
#include <array>
#include <cstring>

#include "compression/decompress.h"
#include "compression/growing_output.h"

namespace vrocm::compression {

namespace {

using Bytes = std::span<const std::uint8_t>;

// Bits from the lowest of each byte upwards.
class UpwardBits {
  public:
    explicit UpwardBits(Bytes bytes) : bytes_(bytes) {}

    // Without taking them; zeros behind the end.
    unsigned look(unsigned count) {
        while (held_count_ < count) {
            held_ |= std::uint64_t{at_ < bytes_.size() ? bytes_[at_] : std::uint8_t{0}} << held_count_;
            ++at_;
            held_count_ += 8;
        }
        return static_cast<unsigned>(held_ & ((1ull << count) - 1));
    }
    void drop(unsigned count) {
        held_ >>= count;
        held_count_ -= count;
        if (at_ - held_count_ / 8 > bytes_.size()) throw Damaged("it ends too early");
    }
    unsigned take(unsigned count) {
        const unsigned value = look(count);
        drop(count);
        return value;
    }
    void to_byte_border() { drop(held_count_ % 8); }
    // Whole bytes, from a border.
    Bytes take_bytes(std::size_t count) {
        const std::size_t begin = at_ - held_count_ / 8;
        if (count > bytes_.size() - begin) throw Damaged("it ends too early");
        held_ = held_count_ = 0;
        at_ = begin + count;
        return bytes_.subspan(begin, count);
    }
    std::size_t position() const { return at_ - held_count_ / 8; }

  private:
    Bytes bytes_;
    std::size_t at_ = 0;
    std::uint64_t held_ = 0;
    unsigned held_count_ = 0;
};

// A canonical prefix code (RFC 1951, 3.2.2), by table: what the next bits stand for.
class PrefixCode {
  public:
    // `lengths`: bits of each symbol's code; 0: it has none.
    explicit PrefixCode(std::span<const std::uint8_t> lengths) {
        std::array<unsigned, kLongest + 1> count{}, next{};
        for (const std::uint8_t length : lengths) ++count[length];
        count[0] = 0;
        for (unsigned length = 1; length <= kLongest; ++length) {
            next[length] = (next[length - 1] + count[length - 1]) << 1;
            if (next[length] + count[length] > 1u << length) throw Damaged("a code has more symbols than fit");
            if (count[length]) bits_ = length;
        }
        table_.resize(std::size_t{1} << bits_);
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            const unsigned length = lengths[symbol];
            if (!length) continue;
            // Codes are written from their highest bit.
            unsigned code = next[length]++, mirrored = 0;
            for (unsigned i = 0; i < length; ++i) mirrored |= (code >> i & 1) << (length - 1 - i);
            for (std::size_t at = mirrored; at < table_.size(); at += std::size_t{1} << length)
                table_[at] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint8_t>(length)};
        }
    }
    unsigned next(UpwardBits& bits) const {
        const Entry entry = table_[bits.look(bits_)];
        if (!entry.length) throw Damaged("a code that stands for nothing");
        bits.drop(entry.length);
        return entry.symbol;
    }

  private:
    static constexpr unsigned kLongest = 15;
    struct Entry {
        std::uint16_t symbol = 0;
        std::uint8_t length = 0;
    };
    unsigned bits_ = 1;
    std::vector<Entry> table_;
};

struct BaseAndBits {
    std::uint16_t base;
    std::uint8_t bits;
};
// Symbols from 257 on: lengths of matches (RFC 1951, 3.2.5).
constexpr BaseAndBits kLengths[] = {{3, 0},   {4, 0},   {5, 0},   {6, 0},   {7, 0},  {8, 0},  {9, 0},  {10, 0},
                                    {11, 1},  {13, 1},  {15, 1},  {17, 1},  {19, 2}, {23, 2}, {27, 2}, {31, 2},
                                    {35, 3},  {43, 3},  {51, 3},  {59, 3},  {67, 4}, {83, 4}, {99, 4}, {115, 4},
                                    {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}};
constexpr BaseAndBits kDistances[] = {{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},
                                      {9, 2},     {13, 2},    {17, 3},    {25, 3},     {33, 4},     {49, 4},
                                      {65, 5},    {97, 5},    {129, 6},   {193, 6},    {257, 7},    {385, 7},
                                      {513, 8},   {769, 8},   {1025, 9},  {1537, 9},   {2049, 10},  {3073, 10},
                                      {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}};
constexpr unsigned kEndOfBlock = 256;
constexpr unsigned kMostLengthCodes = 286, kMostDistanceCodes = 30;

template <std::size_t Size>
unsigned value_of(const BaseAndBits (&table)[Size], unsigned index, UpwardBits& bits) {
    if (index >= Size) throw Damaged("a symbol that is reserved");
    return table[index].base + bits.take(table[index].bits);
}

void unpack_block(UpwardBits& bits, const PrefixCode& symbols, const PrefixCode& distances, GrowingOutput& output) {
    while (true) {
        const unsigned symbol = symbols.next(bits);
        if (symbol == kEndOfBlock) return;
        if (symbol < kEndOfBlock) {
            output.add(static_cast<std::uint8_t>(symbol));
            continue;
        }
        const unsigned length = value_of(kLengths, symbol - kEndOfBlock - 1, bits);
        const unsigned distance = value_of(kDistances, distances.next(bits), bits);
        output.repeat(distance, length);
    }
}

void unpack_stored(UpwardBits& bits, GrowingOutput& output) {
    bits.to_byte_border();
    const unsigned size = bits.take(16), complement = bits.take(16);
    if ((size ^ complement) != 0xffff) throw Damaged("the size of a stored block");
    output.add(bits.take_bytes(size));
}

void unpack_fixed(UpwardBits& bits, GrowingOutput& output) {
    std::array<std::uint8_t, 288> lengths;
    for (unsigned i = 0; i < lengths.size(); ++i)
        lengths[i] = static_cast<std::uint8_t>(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    std::array<std::uint8_t, 32> distances;
    distances.fill(5);
    unpack_block(bits, PrefixCode(lengths), PrefixCode(distances), output);
}

void unpack_dynamic(UpwardBits& bits, GrowingOutput& output) {
    constexpr unsigned kOrder[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const unsigned symbols = bits.take(5) + 257, distances = bits.take(5) + 1, codes = bits.take(4) + 4;
    if (symbols > kMostLengthCodes || distances > kMostDistanceCodes) throw Damaged("too many codes in a block");
    std::array<std::uint8_t, 19> of_codes{};
    for (unsigned i = 0; i < codes; ++i) of_codes[kOrder[i]] = static_cast<std::uint8_t>(bits.take(3));
    const PrefixCode code(of_codes);
    std::vector<std::uint8_t> lengths;
    while (lengths.size() < symbols + distances) {
        const unsigned symbol = code.next(bits);
        if (symbol < 16) {
            lengths.push_back(static_cast<std::uint8_t>(symbol));
            continue;
        }
        if (symbol == 16 && lengths.empty()) throw Damaged("a block repeats a length before the first");
        const std::uint8_t repeated = symbol == 16 ? lengths.back() : std::uint8_t{0};
        const unsigned times = symbol == 16 ? 3 + bits.take(2) : symbol == 17 ? 3 + bits.take(3) : 11 + bits.take(7);
        lengths.insert(lengths.end(), times, repeated);
    }
    if (lengths.size() != symbols + distances) throw Damaged("a block has more lengths than codes");
    const std::span<const std::uint8_t> all(lengths);
    unpack_block(bits, PrefixCode(all.first(symbols)), PrefixCode(all.subspan(symbols)), output);
}

std::uint32_t adler32(Bytes bytes) {
    constexpr std::uint32_t kModulus = 65521;
    constexpr std::size_t kBeforeOverflow = 5552;
    std::uint32_t a = 1, b = 0;
    while (!bytes.empty()) {
        const Bytes part = bytes.first(std::min(bytes.size(), kBeforeOverflow));
        for (const std::uint8_t byte : part) b += a += byte;
        a %= kModulus;
        b %= kModulus;
        bytes = bytes.subspan(part.size());
    }
    return b << 16 | a;
}

}  // namespace

std::vector<std::uint8_t> unpack_zlib(Bytes packed, std::uint64_t most, std::size_t* used) {
    constexpr unsigned kDeflate = 8, kPresetDictionary = 0x20;
    if (packed.size() < 2 || (packed[0] & 15) != kDeflate || (packed[0] << 8 | packed[1]) % 31 != 0 ||
        (packed[1] & kPresetDictionary))
        throw Damaged("not a zlib stream");
    UpwardBits bits(packed.subspan(2));
    GrowingOutput output(most);
    for (bool last = false; !last;) {
        last = bits.take(1) != 0;
        switch (bits.take(2)) {
            case 0:
                unpack_stored(bits, output);
                break;
            case 1:
                unpack_fixed(bits, output);
                break;
            case 2:
                unpack_dynamic(bits, output);
                break;
            default:
                throw Damaged("a block of a reserved kind");
        }
    }
    bits.to_byte_border();
    std::uint32_t checksum = 0;
    for (const std::uint8_t byte : bits.take_bytes(4)) checksum = checksum << 8 | byte;
    if (used) *used = 2 + bits.position();
    std::vector<std::uint8_t> plain = output.take();
    if (adler32(plain) != checksum) throw Damaged("its checksum is wrong");
    return plain;
}

}  // namespace vrocm::compression
