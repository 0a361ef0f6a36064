// Zstandard (RFC 8878): frames, blocks, and the sequences of literals and matches in them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

#include "compression/decompress.h"
#include "compression/growing_output.h"
#include "compression/zstd_entropy.h"

namespace vrocm::compression {

namespace {

// Numbers of the zstd format (RFC 8878): what codes of lengths stand for, and the distributions that every decoder
// knows.
struct ZstdLength {
    std::uint32_t base;
    std::uint8_t bits;
};

// RFC 8878, 3.1.1.3.2.1.1.
constexpr ZstdLength kLiteralLengths[] = {
    {0, 0},   {1, 0},   {2, 0},     {3, 0},     {4, 0},     {5, 0},     {6, 0},      {7, 0},      {8, 0},
    {9, 0},   {10, 0},  {11, 0},    {12, 0},    {13, 0},    {14, 0},    {15, 0},     {16, 1},     {18, 1},
    {20, 1},  {22, 1},  {24, 2},    {28, 2},    {32, 3},    {40, 3},    {48, 4},     {64, 6},     {128, 7},
    {256, 8}, {512, 9}, {1024, 10}, {2048, 11}, {4096, 12}, {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16}};
constexpr ZstdLength kMatchLengths[] = {
    {3, 0},   {4, 0},     {5, 0},     {6, 0},     {7, 0},     {8, 0},      {9, 0},      {10, 0},    {11, 0},
    {12, 0},  {13, 0},    {14, 0},    {15, 0},    {16, 0},    {17, 0},     {18, 0},     {19, 0},    {20, 0},
    {21, 0},  {22, 0},    {23, 0},    {24, 0},    {25, 0},    {26, 0},     {27, 0},     {28, 0},    {29, 0},
    {30, 0},  {31, 0},    {32, 0},    {33, 0},    {34, 0},    {35, 1},     {37, 1},     {39, 1},    {41, 1},
    {43, 2},  {47, 2},    {51, 3},    {59, 3},    {67, 4},    {83, 4},     {99, 5},     {131, 7},   {259, 8},
    {515, 9}, {1027, 10}, {2051, 11}, {4099, 12}, {8195, 13}, {16387, 14}, {32771, 15}, {65539, 16}};

// RFC 8878, 3.1.1.3.2.2: in 64ths, 64ths and 32nds; -1: less than one.
constexpr std::int16_t kLiteralLengthShares[] = {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                                                 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
constexpr std::int16_t kMatchLengthShares[] = {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                               1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                               1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
constexpr std::int16_t kOffsetShares[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
constexpr unsigned kLiteralLengthAccuracy = 6, kMatchLengthAccuracy = 6, kOffsetAccuracy = 5;

constexpr std::uint32_t kFrameMagic = 0xFD2FB528, kSkippableMagic = 0x184D2A50, kSkippableMask = 0xFFFFFFF0;
constexpr std::size_t kLargestBlock = 128 << 10;
constexpr unsigned kLengthAccuracy = 9, kDistanceAccuracy = 8;  // the largest that tables of sequences may have
constexpr unsigned kDistanceCodes = 32;

// The first `count` bytes, which are cut off.
ZstdBytes cut(ZstdBytes& bytes, std::size_t count) {
    if (count > bytes.size()) throw Damaged("it ends too early");
    const ZstdBytes first = bytes.first(count);
    bytes = bytes.subspan(count);
    return first;
}

std::uint64_t cut_number(ZstdBytes& bytes, std::size_t size) {
    std::uint64_t value = 0;
    const ZstdBytes from = cut(bytes, size);
    for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{from[i]} << 8 * i;
    return value;
}

class Frame {
  public:
    Frame(ZstdBytes& input, GrowingOutput& output) : input_(input), output_(output) {}

    void unpack() {
        const bool has_checksum = read_header();
        for (bool last = false; !last;) {
            const auto header = static_cast<std::uint32_t>(cut_number(input_, 3));
            last = header & 1;
            unpack_block(header >> 1 & 3, header >> 3);
        }
        if (content_size_ && *content_size_ != output_.size()) throw Damaged("a frame has another size than it says");
        // Of the content; compilers write none. What is unpacked is code, which its reader checks.
        if (has_checksum) cut(input_, 4);
    }

  private:
    // 3.1.1.1. Whether a checksum ends the frame.
    bool read_header() {
        const auto head = static_cast<unsigned>(cut_number(input_, 1));
        const bool single = head >> 5 & 1;
        if (head & 8) throw Damaged("a frame of another version");
        if (!single) cut(input_, 1);  // the window: all that was unpacked is kept
        constexpr std::size_t kDictionaryBytes[] = {0, 1, 2, 4};
        if (cut_number(input_, kDictionaryBytes[head & 3]) != 0) throw Damaged("it needs a dictionary");
        const unsigned size_code = head >> 6;
        if (size_code == 0 && single) content_size_ = cut_number(input_, 1);
        if (size_code == 1) content_size_ = cut_number(input_, 2) + 256;
        if (size_code == 2) content_size_ = cut_number(input_, 4);
        if (size_code == 3) content_size_ = cut_number(input_, 8);
        return head >> 2 & 1;
    }

    void unpack_block(unsigned kind, std::size_t size) {
        if (size > kLargestBlock) throw Damaged("a block that is too large");
        switch (kind) {
            case 0:
                return output_.add(cut(input_, size));
            case 1:
                return output_.add(cut(input_, 1)[0], size);
            case 2:
                return unpack_compressed(cut(input_, size));
            default:
                throw Damaged("a block of a reserved kind");
        }
    }

    void unpack_compressed(ZstdBytes block) {
        const std::size_t begin = output_.size();
        read_literals(block);
        unpack_sequences(block);
        if (output_.size() - begin > kLargestBlock) throw Damaged("a block unpacks to too much");
    }

    // 3.1.1.3.1.
    void read_literals(ZstdBytes& block) {
        if (block.empty()) throw Damaged("a block without literals");
        const unsigned kind = block[0] & 3, size_format = block[0] >> 2 & 3;
        literals_.clear();
        if (kind < 2) {  // as they are, or one again and again
            const std::size_t header = size_format == 1 ? 2 : size_format == 3 ? 3 : 1;
            const std::size_t size = cut_number(block, header) >> (header == 1 ? 3 : 4);
            if (size > kLargestBlock) throw Damaged("too many literals");
            if (kind == 1) return literals_.assign(size, cut(block, 1)[0]);
            const ZstdBytes plain = cut(block, size);
            return literals_.assign(plain.begin(), plain.end());
        }
        const unsigned size_bits = size_format < 2 ? 10 : size_format == 2 ? 14 : 18;
        const std::uint64_t header = cut_number(block, (4 + 2 * size_bits + 7) / 8) >> 4;
        const std::size_t size = header & ((1u << size_bits) - 1), packed = header >> size_bits;
        if (size > kLargestBlock) throw Damaged("too many literals");
        ZstdBytes streams = cut(block, packed);
        if (kind == 2) huffman_ = HuffmanTable::read(streams);
        if (huffman_.empty()) throw Damaged("literals whose code was never described");
        literals_.reserve(size);
        if (size_format == 0) return huffman_.decode(streams, size, literals_);
        std::array<std::size_t, 3> sizes;
        for (std::size_t& one : sizes) one = cut_number(streams, 2);
        const std::size_t each = (size + 3) / 4;
        if (3 * each > size) throw Damaged("too few literals for four streams");
        for (const std::size_t one : sizes) huffman_.decode(cut(streams, one), each, literals_);
        huffman_.decode(streams, size - 3 * each, literals_);
    }

    // 3.1.1.3.2.1: how a kind of code is packed in this block.
    void read_table(FseTable& table, unsigned mode, ZstdBytes& block, std::span<const std::int16_t> usual,
                    unsigned usual_accuracy, unsigned most_accuracy, unsigned most_symbols) {
        switch (mode) {
            case 0:
                table = FseTable(usual, usual_accuracy);
                return;
            case 1: {
                const std::uint8_t symbol = cut(block, 1)[0];
                if (symbol >= most_symbols) throw Damaged("a code that stands for nothing");
                table = FseTable::only(symbol);
                return;
            }
            case 2:
                table = FseTable::read(block, most_accuracy, most_symbols);
                return;
            default:
                if (table.empty()) throw Damaged("codes that were never described");
        }
    }

    std::size_t read_sequence_count(ZstdBytes& block) {
        const std::uint64_t first = cut_number(block, 1);
        if (first < 128) return first;
        if (first < 255) return ((first - 128) << 8) + cut_number(block, 1);
        return cut_number(block, 2) + 0x7F00;
    }

    void unpack_sequences(ZstdBytes block) {
        const std::size_t count = read_sequence_count(block);
        ZstdBytes literals(literals_);
        if (count) {
            const auto modes = static_cast<unsigned>(cut_number(block, 1));
            if (modes & 3) throw Damaged("reserved bits are set");
            read_table(literal_lengths_, modes >> 6, block, kLiteralLengthShares, kLiteralLengthAccuracy,
                       kLengthAccuracy, std::size(kLiteralLengths));
            read_table(distances_, modes >> 4 & 3, block, kOffsetShares, kOffsetAccuracy, kDistanceAccuracy,
                       kDistanceCodes);
            read_table(match_lengths_, modes >> 2 & 3, block, kMatchLengthShares, kMatchLengthAccuracy, kLengthAccuracy,
                       std::size(kMatchLengths));
            unpack_sequences(BackwardBits(block), count, literals);
        } else if (!block.empty()) {
            throw Damaged("a block goes on behind its end");
        }
        output_.add(literals);
    }

    void unpack_sequences(BackwardBits bits, std::size_t count, ZstdBytes& literals) {
        std::size_t literal_state = bits.take(literal_lengths_.accuracy());
        std::size_t distance_state = bits.take(distances_.accuracy());
        std::size_t match_state = bits.take(match_lengths_.accuracy());
        for (std::size_t i = 0; i < count; ++i) {
            const FseTable::State& distance_code = distances_[distance_state];
            const FseTable::State& match_code = match_lengths_[match_state];
            const FseTable::State& literal_code = literal_lengths_[literal_state];
            const std::uint64_t distance = (1ull << distance_code.symbol) + bits.take(distance_code.symbol);
            const ZstdLength match = kMatchLengths[match_code.symbol];
            const std::size_t match_length = match.base + bits.take(match.bits);
            const ZstdLength literal = kLiteralLengths[literal_code.symbol];
            const std::size_t literal_length = literal.base + bits.take(literal.bits);
            if (i + 1 < count) {
                literal_state = literal_code.base + bits.take(literal_code.bits);
                match_state = match_code.base + bits.take(match_code.bits);
                distance_state = distance_code.base + bits.take(distance_code.bits);
            }
            if (bits.left() < 0) throw Damaged("sequences end too early");
            output_.add(cut(literals, literal_length));
            output_.repeat(recent_distance(distance, literal_length), match_length);
        }
        if (bits.left() != 0) throw Damaged("sequences have another length");
    }

    // 3.1.1.5: 1 to 3 mean one of the last three distances, where a match without literals before it is not the last.
    std::size_t recent_distance(std::uint64_t value, std::size_t literal_length) {
        if (value > 3) {
            std::shift_right(recent_.begin(), recent_.end(), 1);
            return recent_[0] = value - 3;
        }
        const std::size_t which = value - 1 + (literal_length == 0);
        const std::uint64_t distance = which < 3 ? recent_[which] : recent_[0] - 1;
        std::shift_right(recent_.begin(), recent_.begin() + std::min<std::ptrdiff_t>(std::ptrdiff_t(which), 2) + 1, 1);
        return recent_[0] = distance;
    }

    ZstdBytes& input_;
    GrowingOutput& output_;
    std::optional<std::uint64_t> content_size_;
    std::vector<std::uint8_t> literals_;
    HuffmanTable huffman_;
    FseTable literal_lengths_, distances_, match_lengths_;
    std::array<std::uint64_t, 3> recent_{1, 4, 8};
};

}  // namespace

std::vector<std::uint8_t> unpack_zstd(ZstdBytes packed, std::uint64_t most, std::size_t* used) {
    ZstdBytes input = packed;
    std::uint64_t magic;
    while (((magic = cut_number(input, 4)) & kSkippableMask) == kSkippableMagic) cut(input, cut_number(input, 4));
    if (magic != kFrameMagic) throw Damaged("not a zstd frame");
    GrowingOutput output(most);
    Frame(input, output).unpack();
    if (used) *used = packed.size() - input.size();
    return output.take();
}

}  // namespace vrocm::compression
