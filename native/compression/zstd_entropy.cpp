#include "compression/zstd_entropy.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "compression/decompress.h"

namespace vrocm::compression {

namespace {

constexpr unsigned kMostHuffmanBits = 11, kMostWeights = 255, kWeightAccuracy = 6;

unsigned highest_bit(std::uint64_t value) {
    return static_cast<unsigned>(std::bit_width(value)) - 1;
}

// Bits of a table's description, from the lowest of each byte upwards; zeros behind the end.
class DescriptionBits {
  public:
    explicit DescriptionBits(ZstdBytes bytes) : bytes_(bytes) {}
    unsigned look(unsigned count) const {
        unsigned value = 0;
        for (unsigned i = 0; i < count; ++i) {
            const std::size_t at = position_ + i;
            if (at / 8 < bytes_.size()) value |= (bytes_[at / 8] >> at % 8 & 1u) << i;
        }
        return value;
    }
    void drop(unsigned count) { position_ += count; }
    unsigned take(unsigned count) {
        const unsigned value = look(count);
        drop(count);
        return value;
    }
    std::size_t bytes_taken() const { return (position_ + 7) / 8; }

  private:
    ZstdBytes bytes_;
    std::size_t position_ = 0;
};

// RFC 8878, 4.2.1.2: weights of a Huffman code, packed with finite state entropy in two states that take turns.
std::vector<std::uint8_t> packed_weights(ZstdBytes bytes) {
    const FseTable table = FseTable::read(bytes, kWeightAccuracy, kMostHuffmanBits + 1);
    BackwardBits bits(bytes);
    std::size_t states[2];
    for (std::size_t& state : states) state = bits.take(table.accuracy());
    if (bits.left() < 0) throw Damaged("weights of literals end too early");
    std::vector<std::uint8_t> weights;
    for (unsigned turn = 0; weights.size() < kMostWeights; turn ^= 1) {
        const FseTable::State& now = table[states[turn]];
        weights.push_back(now.symbol);
        states[turn] = now.base + bits.take(now.bits);
        if (bits.left() < 0) {  // the other state has the last one
            weights.push_back(table[states[turn ^ 1]].symbol);
            break;
        }
    }
    if (bits.left() >= 0 || weights.size() > kMostWeights) throw Damaged("too many weights of literals");
    return weights;
}

}  // namespace

BackwardBits::BackwardBits(ZstdBytes bytes) : bytes_(bytes) {
    if (bytes.empty() || bytes.back() == 0) throw Damaged("a stream of bits without its end");
    left_ = static_cast<std::int64_t>(bytes.size() - 1) * 8 + highest_bit(bytes.back());
}

std::uint64_t BackwardBits::bits_at(std::int64_t position, unsigned count) const {
    const auto at = static_cast<std::size_t>(position) / 8;
    std::uint64_t word = 0;
    if (at + sizeof word <= bytes_.size())
        std::memcpy(&word, bytes_.data() + at, sizeof word);
    else
        std::memcpy(&word, bytes_.data() + at, bytes_.size() - at);
    return word >> position % 8 & ((1ull << count) - 1);
}

std::uint32_t BackwardBits::look(unsigned count) const {
    if (count == 0 || left_ <= 0) return 0;
    if (left_ >= count) return static_cast<std::uint32_t>(bits_at(left_ - count, count));
    const auto there = static_cast<unsigned>(left_);
    return static_cast<std::uint32_t>(bits_at(0, there) << (count - there));
}

FseTable FseTable::only(std::uint8_t symbol) {
    FseTable table;
    table.states_.push_back({symbol, 0, 0});
    return table;
}

// RFC 8878, 4.1.1: states are dealt to symbols by their shares, rare ones from the end.
FseTable::FseTable(std::span<const std::int16_t> shares, unsigned accuracy) : accuracy_(accuracy) {
    const std::size_t size = std::size_t{1} << accuracy, mask = size - 1, step = (size >> 1) + (size >> 3) + 3;
    states_.resize(size);
    std::array<std::uint16_t, 256> next{};
    std::size_t end = size;
    for (std::size_t symbol = 0; symbol < shares.size(); ++symbol)
        if (shares[symbol] < 0) {
            states_[--end].symbol = static_cast<std::uint8_t>(symbol);
            next[symbol] = 1;
        }
    std::size_t at = 0;
    for (std::size_t symbol = 0; symbol < shares.size(); ++symbol) {
        if (shares[symbol] <= 0) continue;
        next[symbol] = static_cast<std::uint16_t>(shares[symbol]);
        for (int i = 0; i < shares[symbol]; ++i) {
            states_[at].symbol = static_cast<std::uint8_t>(symbol);
            do at = (at + step) & mask;
            while (at >= end);
        }
    }
    for (State& state : states_) {
        const unsigned number = next[state.symbol]++;
        state.bits = static_cast<std::uint8_t>(accuracy - highest_bit(number));
        state.base = static_cast<std::uint16_t>((number << state.bits) - size);
    }
}

// RFC 8878, 4.1.1: each share has as many bits as what is left can need, and small ones one fewer.
FseTable FseTable::read(ZstdBytes& bytes, unsigned most_accuracy, unsigned most_symbols) {
    DescriptionBits bits(bytes);
    const unsigned accuracy = bits.take(4) + 5;
    if (accuracy > most_accuracy) throw Damaged("a table of states that is too large");
    std::vector<std::int16_t> shares;
    int left = 1 << accuracy;
    while (left > 0 && shares.size() < most_symbols) {
        const unsigned possible = static_cast<unsigned>(left) + 1, count = highest_bit(possible) + 1;
        const unsigned low_mask = (1u << (count - 1)) - 1, short_ones = (1u << count) - 1 - possible;
        unsigned value = bits.look(count);
        if ((value & low_mask) < short_ones) {
            value &= low_mask;
            bits.drop(count - 1);
        } else {
            if (value > low_mask) value -= short_ones;
            bits.drop(count);
        }
        const int share = static_cast<int>(value) - 1;
        left -= share < 0 ? 1 : share;
        shares.push_back(static_cast<std::int16_t>(share));
        if (share != 0) continue;
        for (unsigned more = 3; more == 3;) {
            more = bits.take(2);
            shares.insert(shares.end(), more, 0);
            if (shares.size() > most_symbols) throw Damaged("a table of states has too many symbols");
        }
    }
    if (left != 0 || bits.bytes_taken() > bytes.size()) throw Damaged("a table of states does not add up");
    bytes = bytes.subspan(bits.bytes_taken());
    return FseTable(shares, accuracy);
}

// RFC 8878, 4.2.1: a symbol of weight w has 2^(w-1) parts of the whole; the last one has what the others leave.
HuffmanTable::HuffmanTable(std::vector<std::uint8_t> weights) {
    std::uint32_t sum = 0;
    for (const std::uint8_t weight : weights) {
        if (weight > kMostHuffmanBits) throw Damaged("a literal's code is too long");
        if (weight) sum += 1u << (weight - 1);
    }
    if (!sum) throw Damaged("a code without literals");
    longest_ = highest_bit(sum) + 1;
    const std::uint32_t rest = (1u << longest_) - sum;
    if (longest_ > kMostHuffmanBits || !std::has_single_bit(rest)) throw Damaged("a code of literals is not whole");
    weights.push_back(static_cast<std::uint8_t>(highest_bit(rest) + 1));
    entries_.reserve(std::size_t{1} << longest_);
    for (unsigned weight = 1; weight <= longest_; ++weight)
        for (std::size_t symbol = 0; symbol < weights.size(); ++symbol)
            if (weights[symbol] == weight)
                entries_.insert(entries_.end(), std::size_t{1} << (weight - 1),
                                {static_cast<std::uint8_t>(symbol), static_cast<std::uint8_t>(longest_ + 1 - weight)});
}

HuffmanTable HuffmanTable::read(ZstdBytes& bytes) {
    if (bytes.empty()) throw Damaged("no description of a code");
    constexpr unsigned kDirect = 128;
    const unsigned head = bytes[0];
    const std::size_t count = head < kDirect ? 0 : head - (kDirect - 1);
    const std::size_t size = head < kDirect ? head : (count + 1) / 2;
    if (size > bytes.size() - 1) throw Damaged("the description of a code ends too early");
    const ZstdBytes description = bytes.subspan(1, size);
    bytes = bytes.subspan(1 + size);
    if (head < kDirect) return HuffmanTable(packed_weights(description));
    std::vector<std::uint8_t> weights(count);
    for (std::size_t i = 0; i < count; ++i)
        weights[i] = static_cast<std::uint8_t>(i % 2 ? description[i / 2] & 15 : description[i / 2] >> 4);
    return HuffmanTable(std::move(weights));
}

void HuffmanTable::decode(ZstdBytes stream, std::size_t count, std::vector<std::uint8_t>& literals) const {
    BackwardBits bits(stream);
    for (std::size_t i = 0; i < count; ++i) {
        const Entry entry = entries_[bits.look(longest_)];
        bits.drop(entry.bits);
        literals.push_back(entry.symbol);
    }
    if (bits.left() != 0) throw Damaged("a stream of literals has another length");
}

}  // namespace vrocm::compression
